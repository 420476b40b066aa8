/**
 * `npm run record [-- NAME...]`, with a testbed up: makes states on its real cluster and saves each with `asfound snapshot` as
 * test/fixtures/kubernetes/recorded/NAME. What the machine is called is replaced: the namespace by `shop`, registries by
 * `registry.example`.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Namespace, ownNamespace } from "../test/e2e/kubectl.ts";
import { MADE } from "../test/e2e/recorded-states.ts";
import { NETWORK } from "../testbed/place.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "test/fixtures/kubernetes/recorded");
const AT_ONCE = 3;

const snapshot = (target: string, { name }: Namespace, into: string): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(join(root, "bin/asfound"), ["snapshot", into, target, "-n", name], (error, _, told) => {
      if (error === null) resolve();
      else reject(new Error(`snapshot of ${target} ended with ${error.code}: ${told}`));
    });
  });

/** Longer names first: one host is the beginning of no other's. */
const neutral = (text: string, { name }: Namespace): string =>
  text
    .replaceAll(name, "shop")
    .replaceAll(/\(context [^)]*\)/g, "(context testbed)")
    .replaceAll(NETWORK.privateRegistry, "private.registry.example")
    .replaceAll(NETWORK.registry, "registry.example");

/** As JSON that takes half the room, and can still be compared line by line. */
const small = (text: string): string => `${JSON.stringify(JSON.parse(text), null, 1)}\n`;

const record = async (name: string): Promise<void> => {
  const made = MADE[name];
  if (made === undefined) throw new Error(`${name} is none of ${Object.keys(MADE).join(", ")}`);
  await using namespace = await ownNamespace();
  await made.make(namespace);
  const temporary = mkdtempSync(join(tmpdir(), "asfound-record-"));
  try {
    const saved = join(temporary, "saved");
    await snapshot(`${made.kind}/web`, namespace, saved);
    rmSync(join(folder, name), { recursive: true, force: true });
    mkdirSync(join(folder, name));
    for (const file of readdirSync(saved))
      writeFileSync(
        join(folder, name, file),
        small(neutral(readFileSync(join(saved, file), "utf8"), namespace)),
      );
  } finally {
    rmSync(temporary, { recursive: true });
  }
  console.log(`${name} is recorded`);
};

const asked = process.argv.slice(2);
const names = (asked.length === 0 ? Object.keys(MADE) : asked).values();
const work = async (): Promise<void> => {
  for (const name of names) await record(name);
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
