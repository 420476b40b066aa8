/**
 * The laws of steps of manifests can fail: each story is told by the real command as it is, where its law holds, and with one line of
 * its source changed, where it must not.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { ApiServer } from "../../../src/testing/api-server/api-server.ts";
import { startApiServer } from "../../../src/testing/api-server/start.ts";
import { kubeconfigFile } from "../../support/cluster.ts";
import { effects, KUBE_SYSTEM, place } from "../../support/kubernetes-step.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { asfound, type Mutant, type Ran } from "../crash-points/cli.ts";

ownTempFolder("kubernetes-mutants");

interface Shop {
  readonly server: ApiServer;
  declare(colours: Readonly<Record<string, string>>, more?: JsonObject): void;
  run(verb: "apply" | "destroy" | "reconcile" | "plan"): Promise<Ran>;
}

const shopOf = async (mutant: Mutant | undefined): Promise<Shop> => {
  const server = await startApiServer();
  onTestFinished(() => server.close());
  server.put(KUBE_SYSTEM, {});
  const cwd = tempFolder("kubernetes-mutants-shop");
  mkdirSync(join(cwd, "k8s"));
  const kubeconfig = JSON.stringify(kubeconfigFile(server.kubeconfig()));
  const lines = [
    "apiVersion: asfound.dev/v1alpha1",
    "kind: Stack",
    "metadata: { name: shop }",
    "steps:",
    "  web:",
    "    uses: kubernetes",
    "    settle: 200ms",
    "    deadline: 4s",
    `    with: { manifests: k8s, namespace: shop, kubeconfig: ${kubeconfig} }`,
  ];
  writeFileSync(join(cwd, "asfound.yaml"), `${lines.join("\n")}\n`);
  return {
    server,
    declare: (colours, more = {}) => {
      const items = Object.entries(colours).map(([name, colour]) => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, ...more },
        data: { colour },
      }));
      writeFileSync(join(cwd, "k8s", "all.json"), JSON.stringify({ apiVersion: "v1", kind: "List", items }));
    },
    run: async (verb) => {
      const words = verb === "plan" ? ["plan"] : [verb, "--yes", "--progress", "quiet"];
      const ran = await asfound(cwd, words, mutant === undefined ? {} : { mutant });
      if (/the mutant's place|SyntaxError|ReferenceError|TypeError/.test(ran.err))
        throw new Error(`the change itself is broken: ${ran.err}`);
      return ran;
    },
  };
};

const metadataOf = (object: JsonObject | undefined): JsonObject => (object?.["metadata"] ?? {}) as JsonObject;
const PROVIDER = "/provider-kubernetes";

interface Law {
  readonly law: string;
  readonly mutant: Mutant;
  /** Throws, or fails an assertion, where the law does not hold. */
  readonly story: (shop: Shop) => Promise<void>;
}

const applied = async (
  { declare, run }: Shop,
  colours: Readonly<Record<string, string>>,
  more?: JsonObject,
) => {
  declare(colours, more);
  expect((await run("apply")).exit, "the apply before").toBe(0);
};

const LAWS: readonly Law[] = [
  {
    law: "R4: what somebody else made under the name is not adopted silently",
    mutant: {
      file: `${PROVIDER}/preflight.ts`,
      from: 'case "unmarked":\n        if (spec.adopt) continue;',
      to: 'case "unmarked":\n        if (spec !== undefined) continue;',
    },
    story: async ({ server, declare, run }) => {
      server.put(place("a"), { data: { colour: "crimson" } });
      declare({ a: "blue" });
      expect((await run("apply")).exit).toBe(10);
      expect(metadataOf(server.get(place("a")))["annotations"]).toBeUndefined();
    },
  },
  {
    law: "D4: made again by somebody, with our mark copied, it is not destroyed",
    mutant: {
      file: `${PROVIDER}/tracked.ts`,
      from: 'if (uid !== null) return uid === there.uid ? "ours" : "other-uid";',
      to: "",
    },
    story: async (shop) => {
      const { server, run } = shop;
      await applied(shop, { a: "blue" });
      const copy = server.get(place("a")) ?? {};
      const { uid: _uid, ...metadata } = metadataOf(copy);
      server.remove(place("a"));
      server.put(place("a"), { ...copy, metadata });
      await run("destroy");
      expect(server.get(place("a"))).toBeDefined();
    },
  },
  {
    law: "D1: with the inventory gone, what the ledger has by UID is destroyed, and nothing is called destroyed before",
    mutant: {
      file: `${PROVIDER}/known.ts`,
      from: "recorded === null ? [] : recorded.objects",
      to: "[]",
    },
    story: async (shop) => {
      const { server, run } = shop;
      await applied(shop, { a: "blue" });
      const inventory = server.log().find(({ effect }) => effect?.name.startsWith("asfound-"))?.effect?.name;
      server.remove(place(inventory));
      await run("destroy");
      expect(server.get(place("a"))).toBeUndefined();
    },
  },
  {
    law: "prune removes only what carries our mark",
    mutant: { file: `${PROVIDER}/change.ts`, from: "one.mark === known.mark && ", to: "" },
    story: async (shop) => {
      const { server, declare, run } = shop;
      await applied(shop, { a: "blue", b: "blue" });
      const object = server.get(place("b")) ?? {};
      server.put(place("b"), { ...object, metadata: { ...metadataOf(object), annotations: {} } });
      declare({ a: "blue" });
      await run("apply");
      expect(server.get(place("b"))).toBeDefined();
    },
  },
  {
    law: "D3: what was pruned is not gone before it was seen to be gone",
    mutant: {
      file: `${PROVIDER}/change.ts`,
      from: "if (waited.left.length > 0)",
      to: "if (waited.left.length > 99)",
    },
    story: async (shop) => {
      const { declare, run } = shop;
      await applied(shop, { a: "blue", b: "blue" }, { finalizers: ["example.com/hold"] });
      declare({ a: "blue" }, { finalizers: ["example.com/hold"] });
      const ran = await run("apply");
      expect(ran.exit, ran.out).not.toBe(0);
      expect(ran.out.replace(/\s+/g, " ")).toContain("removed, and is not gone yet");
    },
  },
  {
    law: "R2: another cluster shows nothing of a step",
    mutant: {
      file: `${PROVIDER}/reach.ts`,
      from: "if (expected !== null && expected !== clusterUid)",
      to: "if (expected === '')",
    },
    story: async (shop) => {
      const { server, run } = shop;
      await applied(shop, { a: "blue" });
      const inventory = server.log().find(({ effect }) => effect?.name.startsWith("asfound-"))?.effect?.name;
      for (const one of [KUBE_SYSTEM, place("a"), place(inventory)]) server.remove(one);
      server.put(KUBE_SYSTEM, {});
      expect((await run("destroy")).exit).not.toBe(0);
    },
  },
  {
    law: "W5: refused while it is rehearsed, of two objects none is touched",
    mutant: {
      file: `${PROVIDER}/change.ts`,
      from: "(await rehearsalFault(reach, targets, standing, mark))",
      to: "undefined",
    },
    story: async ({ server, declare, run }) => {
      declare({ a: "blue", b: "blue" });
      server.setFaults([
        {
          verb: "patch",
          path: "/api/v1/namespaces/shop/configmaps/b",
          fault: {
            do: "reply",
            status: 422,
            body: '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","message":"no","code":422}',
          },
        },
      ]);
      expect((await run("apply")).exit).toBe(10);
      expect(effects(server)).toEqual([]);
    },
  },
  {
    law: "E5: a plan shows no secret",
    mutant: {
      file: `${PROVIDER}/preview.ts`,
      from: "(each) => withoutSecrets(each, isSecret(each), key).object,",
      to: "(each) => each,",
    },
    story: async (shop) => {
      const { declare, run } = shop;
      const env = (value: string): JsonObject => ({
        annotations: { "kubectl.kubernetes.io/last-applied-configuration": value },
      });
      await applied(shop, { a: "blue" }, env("first-canary"));
      declare({ a: "blue" }, env("second-canary"));
      const { out } = await run("plan");
      expect(out).toContain("would be changed");
      expect(out).not.toContain("canary");
    },
  },
  {
    law: "R6: a rehearsal is a dry run",
    mutant: {
      file: "/cluster-https/write/writer.ts",
      from: `force=\${force}\${isRehearsal ? "&dryRun=All" : ""}`,
      to: `force=\${force}`,
    },
    story: async ({ server, declare, run }) => {
      declare({ a: "blue" });
      expect((await run("plan")).exit).toBe(0);
      expect(effects(server)).toEqual([]);
    },
  },
];

describe("each law of steps of manifests", () => {
  it.each(LAWS)("holds: $law", async ({ story }) => {
    await story(await shopOf(undefined));
  });

  it.each(LAWS)("control, one line changed: $law", async ({ story, mutant }) => {
    const shop = await shopOf(mutant);
    const failure = await story(shop).then(
      () => null,
      (error: unknown) => String(error),
    );
    expect(failure, "the changed line was not noticed").not.toBeNull();
    // Not because the mutant's place is not there, nor because the command broke.
    expect(failure).not.toMatch(/the change itself is broken|the apply before/);
  });
});
