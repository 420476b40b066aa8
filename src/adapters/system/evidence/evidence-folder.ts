/** A folder of evidence (ports/evidence-runs.ts; docs/reference/evidence.md tells its files). */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isRunId } from "../../../domain/evidence-run.ts";
import type { JsonObject } from "../../../domain/json.ts";
import { isJsonObject } from "../../../domain/json.ts";
import {
  type CheckOptions,
  type EvidenceCheck,
  type EvidenceFault,
  type EvidenceRuns,
  EvidenceUnreadable,
  type ListedRun,
  type NewRun,
  type PruneAsked,
  type Pruned,
  type RecordedRun,
  type StoredRun,
} from "../../../ports/evidence-runs.ts";
import type { FoundKey } from "../../../ports/releases.ts";
import { parseStrictJson } from "../../../wire/objects/strict-json.ts";
import { withFolderLock } from "../folder-lock.ts";
import { reasonOf } from "../read-file.ts";
import { storeKey } from "../store-key.ts";
import { createFile, syncFolder } from "../write-file.ts";
import { checkAll, checkOne } from "./check.ts";
import { makeFolder, readBytes, readingBuffer } from "./files.ts";
import { Keyring } from "./keyring.ts";
import { CHAIN, DRAFTS, KEYS, kindOf, RUNS, runPath, SIGNING_KEY, STATEMENT, slotsIn } from "./layout.ts";
import { type Link, MOST_BYTES, readLink, type WholeLink } from "./link.ts";
import { pruneRuns } from "./prune.ts";
import { NotRecorded, type Told, writeRun } from "./record.ts";
import { Retention } from "./retention.ts";
import { checkFiles } from "./run-files.ts";

const LOCK_WAIT_MS = 60_000;
const KEY = "key";
/** What has to be there before the first run. */
const FOLDERS = [CHAIN, RUNS, KEYS, DRAFTS];

/** Nothing is read or made yet. `named`: as the person wrote it. */
export const openEvidence = (path: string, named: string, told: Told = () => undefined): EvidenceRuns =>
  new Folder(path, named, told);

interface Fault {
  readonly kind: "fault";
  readonly fault: string;
}

class Folder implements EvidenceRuns {
  readonly place: string;
  readonly #path: string;
  readonly #told: Told;

  constructor(path: string, named: string, told: Told) {
    this.#path = path;
    this.place = named;
    this.#told = told;
  }

  async key({ create }: { readonly create: boolean }): Promise<FoundKey> {
    try {
      if (create) await this.#make();
    } catch (error) {
      return { kind: "fault", fault: `${this.place}: no evidence can be kept there: ${reasonOf(error).why}` };
    }
    return storeKey(join(this.#path, KEY), "evidence", { create });
  }

  record(run: NewRun): Promise<RecordedRun> {
    return this.#writing(() => writeRun(this.#path, run, this.#told));
  }

  prune(asked: PruneAsked): Promise<Pruned> {
    return this.#writing(() => pruneRuns(this.#path, asked, this.#told));
  }

  async #writing<T extends { readonly kind: string }>(write: () => Promise<T>): Promise<T | Fault> {
    try {
      await this.#make();
      const done = await withFolderLock(this.#path, LOCK_WAIT_MS, write);
      return "kind" in done ? done : { kind: "fault", fault: done.fault };
    } catch (error) {
      if (error instanceof NotRecorded) return { kind: "fault", fault: error.message };
      const { why, code } = reasonOf(error);
      // What is no answer of the system comes from whoever made the files, and is theirs to tell.
      if (!/^E[A-Z0-9]+$/.test(code)) throw error;
      return { kind: "fault", fault: why };
    }
  }

  async #make(): Promise<void> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    await createFile(join(this.#path, ".gitignore"), `/${KEY}\n/${SIGNING_KEY}\n/.lock\n/${DRAFTS}\n`, 0o644);
    for (const name of FOLDERS)
      if (!(await makeFolder(join(this.#path, name))) && kindOf(join(this.#path, name)) !== "folder")
        throw new NotRecorded(`${name} in it is no folder, and nothing is written through a link`);
    await syncFolder(this.#path);
  }

  async *list(order: "oldest-first" | "newest-first"): AsyncGenerator<ListedRun> {
    const sequences = this.#orUnreadable(() => slotsIn(this.#path).sequences);
    const ordered = order === "oldest-first" ? sequences : sequences.toReversed();
    for (const sequence of ordered) {
      const link = this.#orUnreadable(() => readLink(this.#path, sequence));
      if (link.kind !== "missing") yield listed(link);
    }
  }

  #orUnreadable<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw new EvidenceUnreadable(this.#unreadable(error).fault, { cause: error });
    }
  }

  #unreadable(error: unknown): EvidenceFault {
    return {
      reason: "unreadable",
      fault: `the evidence in ${this.place} cannot be read: ${reasonOf(error).why}`,
    };
  }

  async read(named: string): Promise<StoredRun | EvidenceFault> {
    try {
      const link = this.#find(named);
      if ("fault" in link) return link;
      if (link.kind !== "whole") return this.#notWhole(link);
      return this.#stored(link);
    } catch (error) {
      return this.#unreadable(error);
    }
  }

  async folderOf(named: string): Promise<string | EvidenceFault> {
    try {
      const link = this.#find(named);
      if ("fault" in link) return link;
      if (link.kind !== "missing" && link.run !== null) return join(this.#path, runPath(link.run));
      return { reason: "absent", fault: `no run of that number can be found in ${this.place}` };
    } catch (error) {
      return this.#unreadable(error);
    }
  }

  #notWhole(link: Exclude<Link, WholeLink>): EvidenceFault {
    switch (link.kind) {
      case "altered":
        return {
          reason: "altered",
          fault: `run ${link.sequence} in ${this.place} is not as it was recorded: ${link.problem.sentence}`,
        };
      case "incomplete":
        return {
          reason: "incomplete",
          fault: `the recording of run ${link.sequence} (${link.run}) in ${this.place} was never finished: it proves nothing`,
        };
      case "missing":
        return { reason: "absent", fault: `there is no run ${link.sequence} in ${this.place}` };
    }
  }

  #stored(link: WholeLink): StoredRun | EvidenceFault {
    const { run, sha256, statement } = link;
    const keyring = new Keyring(this.#path, []);
    const retention = new Retention(this.#path, (one) => keyring.signed(one).problem === null, {
      isTold: false,
    });
    const files = checkFiles(this.#path, statement, readingBuffer(), () => retention.of(link) !== null);
    const [problem] = files.problems;
    if (problem !== undefined)
      return {
        reason: "altered",
        fault: `run ${link.sequence} in ${this.place} is not as it was recorded: ${problem.sentence}`,
      };
    const folder = join(this.#path, runPath(run));
    const report = jsonIn(join(folder, "report.json"));
    if (report === undefined)
      return { reason: "altered", fault: `${runPath(run)}/report.json in ${this.place} is no JSON object` };
    const deleted = files.gone.size === 0 ? null : retention.of(link);
    return {
      run: statement,
      sha256,
      report,
      question: jsonIn(join(folder, "question.json")) ?? null,
      snapshot: files.kept.size > 0 && files.gone.size === 0 ? join(folder, "snapshot") : null,
      folder,
      deleted: deleted === null ? null : { by: deleted.by, at: deleted.at, files: files.gone },
    };
  }

  /** By number, id or `latest`. */
  #find(named: string): Link | EvidenceFault {
    const { sequences } = slotsIn(this.#path);
    const absent = (fault: string): EvidenceFault => ({ reason: "absent", fault });
    if (named === "latest") {
      for (const sequence of sequences.toReversed()) {
        const link = readLink(this.#path, sequence);
        if (link.kind !== "incomplete") return link;
      }
      return absent(`there is no run in ${this.place} yet`);
    }
    if (/^\d{1,10}$/.test(named)) {
      const link = readLink(this.#path, Number(named));
      return link.kind === "missing" ? absent(`there is no run ${Number(named)} in ${this.place}`) : link;
    }
    if (!isRunId(named))
      return absent(
        `${named} is no run's id; asfound evidence ls lists them, and a number or latest names one as well`,
      );
    return this.#byId(named, sequences) ?? absent(`there is no run ${named} in ${this.place}`);
  }

  /** Its statement tells where to look; where that tells nothing, every slot is asked. */
  #byId(run: string, sequences: readonly number[]): Link | undefined {
    const read = readBytes(join(this.#path, RUNS, run, STATEMENT), MOST_BYTES);
    const said =
      "bytes" in read ? /"sequence": (\d{1,10})\b/.exec(read.bytes.toString("latin1"))?.[1] : undefined;
    const first = said === undefined ? [] : [Number(said)];
    for (const sequence of [...first, ...sequences]) {
      const link = readLink(this.#path, sequence);
      if (link.kind !== "missing" && link.run === run) return link;
    }
    return undefined;
  }

  async check(
    { run, ...options }: CheckOptions,
    tell: Parameters<EvidenceRuns["check"]>[1],
  ): Promise<EvidenceCheck | EvidenceFault> {
    try {
      if (kindOf(this.#path) === "missing")
        return { reason: "absent", fault: `there is no evidence in ${this.place}` };
      if (run === null) return checkAll(this.#path, options, tell);
      const link = this.#find(run);
      return "fault" in link ? link : checkOne(this.#path, link.sequence, options, tell);
    } catch (error) {
      return this.#unreadable(error);
    }
  }
}

const listed = (link: Exclude<Link, { readonly kind: "missing" }>): ListedRun => {
  switch (link.kind) {
    case "whole":
      return { kind: "run", run: link.statement, sha256: link.sha256 };
    case "incomplete":
      return { kind: "incomplete", sequence: link.sequence, run: link.run };
    case "altered":
      return { kind: "altered", sequence: link.sequence, fault: link.problem.sentence };
  }
};

/** undefined: there is none, or it is none. */
const jsonIn = (path: string): JsonObject | undefined => {
  const read = readBytes(path, MOST_BYTES);
  if ("fault" in read) return undefined;
  const json = parseStrictJson(read.bytes.toString("utf8"));
  return "value" in json && isJsonObject(json.value) ? json.value : undefined;
};
