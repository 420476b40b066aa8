/** Where things are in a folder of evidence (docs/reference/evidence.md). */
import { lstatSync, opendirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RunId } from "../../../domain/evidence-run.ts";
import type { Digest } from "../../../domain/ids.ts";
import { hexOf } from "../../../wire/evidence/sums.ts";
import { reasonOf } from "../read-file.ts";

export const CHAIN = "chain";
export const RUNS = "runs";
export const KEYS = "keys";
/** A private key that somebody chose to keep here: then a signature says no more than T0 (E3). */
export const SIGNING_KEY = "signing-key.pem";
/** What is being made; no part of the evidence. */
export const DRAFTS = ".drafts";

export const STATEMENT = "statement.json";
export const SEAL = "statement.sha256";
export const BUNDLE = "bundle.sigstore.json";

const SLOT = /^\d{10}$/;

const slotName = (sequence: number): string => String(sequence).padStart(10, "0");
export const slotPath = (sequence: number): string => `${CHAIN}/${slotName(sequence)}`;
export const runPath = (run: RunId): string => `${RUNS}/${run}`;
export const keyPath = (keyId: Digest): string => `${KEYS}/${hexOf(keyId)}.pem`;

export interface Slots {
  /** In their order, each from 1. */
  readonly sequences: readonly number[];
  /** Names there that are no slot's. */
  readonly others: readonly string[];
}

/** Eight bytes a slot. None where there is no such folder. Throws the system's error. */
export const slotsIn = (place: string): Slots => {
  const sequences: number[] = [];
  const others: string[] = [];
  for (const name of namesIn(join(place, CHAIN))) {
    const sequence = SLOT.test(name) ? Number(name) : 0;
    if (sequence > 0) sequences.push(sequence);
    else others.push(name);
  }
  return { sequences: sequences.sort((a, b) => a - b), others: others.sort() };
};

/** One after another. Nothing where there is no such folder; throws where it is a link, no folder or cannot be read. */
export function* namesIn(path: string): Generator<string> {
  const kind = kindOf(path);
  if (kind === "missing") return;
  if (kind !== "folder") throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
  const folder = opendirSync(path);
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) yield entry.name;
  } finally {
    folder.closeSync();
  }
}

/** Of the name itself: a symbolic link is `other`. */
export const kindOf = (path: string): "folder" | "file" | "missing" | "other" => {
  try {
    const stat = lstatSync(path);
    return stat.isDirectory() ? "folder" : stat.isFile() ? "file" : "other";
  } catch (error) {
    if (reasonOf(error).code === "ENOENT") return "missing";
    throw error;
  }
};

export interface Found {
  readonly path: string;
  readonly kind: "folder" | "file" | "other";
}

const MOST_DEEP = 8;

/** Everything below a folder, by its path in it, links not followed. Throws the system's error. */
export const everythingIn = (folder: string, within = "", depth = 0): readonly Found[] =>
  readdirSync(join(folder, within), { withFileTypes: true }).flatMap((entry): readonly Found[] => {
    const path = within === "" ? entry.name : `${within}/${entry.name}`;
    if (entry.isFile()) return [{ path, kind: "file" }];
    if (!entry.isDirectory() || depth >= MOST_DEEP) return [{ path, kind: "other" }];
    return [{ path, kind: "folder" }, ...everythingIn(folder, path, depth + 1)];
  });
