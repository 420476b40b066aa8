/**
 * `npm run record [-- NAME...]`, with a testbed up: makes states on its real cluster and saves each with `asfound snapshot` as
 * test/fixtures/kubernetes/recorded/NAME. What the machine is called is replaced: the namespace by `shop`, registries by
 * `registry.example`, the Git server by `git.example`. Those of Applications want `testbed start argocd` before.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { delivery } from "../test/e2e/application.ts";
import { DELIVERED } from "../test/e2e/delivered-states.ts";
import { type Namespace, ownNamespace } from "../test/e2e/kubectl.ts";
import { MADE } from "../test/e2e/recorded-states.ts";
import { ARGOCD_NAMESPACE, NETWORK } from "../testbed/place.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "test/fixtures/kubernetes/recorded");
const AT_ONCE = 3;

const snapshot = (into: string, words: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(join(root, "bin/asfound"), ["snapshot", into, ...words], (error, _, told) => {
      if (error === null) resolve();
      else reject(new Error(`snapshot ${words.join(" ")} ended with ${error.code}: ${told}`));
    });
  });

/** Longer names first: one host is the beginning of no other's. */
const neutral = (text: string, { name }: Namespace): string =>
  text
    .replaceAll(name, "shop")
    .replaceAll(/\(context [^)]*\)/g, "(context testbed)")
    .replaceAll(NETWORK.git, "git.example")
    .replaceAll(NETWORK.privateRegistry, "private.registry.example")
    .replaceAll(NETWORK.registry, "registry.example");

/** As JSON that takes half the room, and can still be compared line by line. */
const small = (text: string): string => `${JSON.stringify(JSON.parse(text), null, 1)}\n`;

const record = async (name: string): Promise<void> => {
  const [made, delivered] = [MADE[name], DELIVERED[name]];
  if (delivered !== undefined) {
    await using shop = await delivery();
    const { whole = false } = await delivered(shop);
    await save(name, shop.namespace, whole ? { file: wholeOf(shop.name) } : { application: shop.name });
  } else if (made !== undefined) {
    await using namespace = await ownNamespace();
    await made.make(namespace);
    await save(name, namespace, { target: `${made.kind}/web` });
  } else {
    throw new Error(`${name} is none of ${NAMES.join(", ")}`);
  }
};

const NAMES = [...Object.keys(MADE), ...Object.keys(DELIVERED)];

/** A Verification file: the Deployment, the Application that declares it, and what its Service answers. */
const wholeOf = (name: string): string =>
  JSON.stringify({
    apiVersion: "asfound.dev/v1alpha1",
    kind: "Verification",
    target: { kind: "Deployment", name: "web", namespace: name },
    expect: {
      application: `${ARGOCD_NAMESPACE}/${name}`,
      response: { via: "service/web", expect: { status: 200 } },
    },
  });

type What = { readonly target: string } | { readonly application: string } | { readonly file: string };

const wordsOf = (what: What, { name }: Namespace, temporary: string): readonly string[] => {
  if ("target" in what) return [what.target, "-n", name];
  if ("application" in what) return [`application/${what.application}`, "-n", ARGOCD_NAMESPACE];
  writeFileSync(join(temporary, "verification.json"), what.file);
  return ["-f", join(temporary, "verification.json")];
};

const save = async (name: string, namespace: Namespace, what: What): Promise<void> => {
  const temporary = mkdtempSync(join(tmpdir(), "asfound-record-"));
  try {
    const saved = join(temporary, "saved");
    await snapshot(saved, wordsOf(what, namespace, temporary));
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
const names = (asked.length === 0 ? NAMES : asked).values();
const work = async (): Promise<void> => {
  for (const name of names) await record(name);
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
