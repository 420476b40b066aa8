/** A step that binds its config: what is declared names the bytes, and a version that may still be needed is not pruned (k8s-25, R2). */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "../../src/adapters/provider-kubernetes/spec.ts";
import { kubernetesOver } from "../../src/compose/kubernetes.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { effects, status, type World, worldOf } from "../support/kubernetes-step.ts";
import { tempFolder } from "../support/temp-folder.ts";

const template = (name: string): JsonObject => ({
  spec: { containers: [{ name: "web", image: "web:1", envFrom: [{ configMapRef: { name } }] }] },
});
const deployment = (name: string): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: { selector: { matchLabels: { app: "web" } }, template: template(name) },
});
const config = (value: string): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings" },
  data: { MODE: value },
});

const bound = (world: World, value: string): JsonObject => ({
  ...world.inputs(deployment("settings"), config(value)),
  bind: true,
});

const FAST = "settings-2662a2a642";
const SLOW = "settings-ddd5d1add9";

/** After two versions; what names the first one is there before the second is applied. */
const superseded = async (holder: (world: World) => void): Promise<World> => {
  const world = await worldOf([]);
  expect(await world.at.apply(bound(world, "fast"))).toMatchObject({ exit: 0 });
  holder(world);
  expect(await world.at.apply(bound(world, "slow"))).toMatchObject({ exit: 0, step: { status: "complete" } });
  return world;
};

const place = (resource: string) => ({ resource: `${resource}.apps`, namespace: "shop", name: "web-1" });

describe("what is declared", () => {
  it("names the bytes, and its checksum is on the template", async () => {
    const world = await worldOf([]);
    expect(await world.at.apply(bound(world, "fast"))).toMatchObject({ exit: 0 });
    expect(effects(world.server)).toEqual(["created inventory", `created ${FAST}`, "created web"]);
    expect(world.server.get({ resource: "configmaps", namespace: "shop", name: FAST })).toMatchObject({
      immutable: true,
      data: { MODE: "fast" },
    });
    expect(world.server.get({ resource: "deployments.apps", namespace: "shop", name: "web" })).toMatchObject({
      spec: {
        template: {
          metadata: { annotations: { "checksum/config": expect.stringMatching(/^2662a2a642/) } },
          spec: { containers: [{ envFrom: [{ configMapRef: { name: FAST } }] }] },
        },
      },
    });
  });

  it("a value that looks like a secret stops the step before it is begun", async () => {
    const base = tempFolder("bind");
    mkdirSync(join(base, "conf"));
    writeFileSync(join(base, "conf", "MODE"), "password: hunter2\n");
    const inputs = (allow: readonly string[]): JsonObject => ({
      objects: [deployment("settings")],
      bind: { sources: [{ name: "settings", folder: "conf" }], allow },
    });
    const provider = kubernetesOver({});
    const fault = await provider.precheck?.(inputs([]), base);
    expect(fault).toContain(
      "config cannot be bound: conf: MODE: this looks like a secret: it sets 'password'",
    );
    expect(fault).toContain("settings/MODE");
    expect(fault).not.toContain("hunter2");
    expect(await provider.precheck?.(inputs(["settings/MODE"]), base)).toBeUndefined();
  });

  it.for([
    [{ bind: "yes" }, "'bind' must be true, or a mapping with sources"],
    [{ bind: { files: [] } }, "'bind'.files is not known here"],
    [{ bind: { sources: [{ name: "a" }] } }, "'bind'.sources must be a list"],
    [{ bind: { sources: [{ name: "a", folder: "../x" }] } }, "it must lie below the stack file's folder"],
    [{ bind: { references: ["x"] } }, "'bind'.references must be KIND[.GROUP]:PATH"],
  ] as const)("%j is a fault", ([fields, says]) => {
    const parsed = parse({ manifests: "k8s", ...fields } as unknown as JsonObject, true);
    expect("faults" in parsed ? parsed.faults.map(({ message }) => message).join() : "").toContain(says);
  });

  it("the files of its sources are inputs of the step, hidden ones too", () => {
    const facts = kubernetesOver({}).describe({
      manifests: "k8s",
      bind: {
        sources: [
          { name: "a", folder: "conf/" },
          { name: "b", file: "b.ini" },
        ],
      },
    });
    expect(facts).toMatchObject({ inputFiles: ["k8s/**/*.{yaml,yml,json}", "conf/{*,.*}", "b.ini"] });
  });
});

describe("a version that left", () => {
  it("is pruned when nothing names it", async () => {
    const { server } = await superseded(() => undefined);
    expect(effects(server)).toContain(`deleted ${FAST}`);
  });

  it.for([
    ["an old ReplicaSet", "replicasets", { spec: { replicas: 0, template: template(FAST) } }],
    [
      "a revision of a StatefulSet",
      "controllerrevisions",
      { data: { spec: { template: template(FAST) } }, revision: 1 },
    ],
  ] as const)(
    "is kept while %s names it, is no drift, and goes with the step",
    async ([, resource, object]) => {
      const { server, at, told } = await superseded((world) =>
        world.server.put(place(resource), object as JsonObject),
      );
      expect(effects(server)).not.toContain(`deleted ${FAST}`);
      expect(told.join("\n")).toMatch(new RegExp(`${FAST} is kept for rollback: \\w+ web-1 refers to it`));
      expect(await at.reconcile()).toMatchObject({ exit: 0, step: { status: "complete" } });
      expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
      expect(effects(server)).toContain(`deleted ${FAST}`);
    },
  );

  it("is kept where what may name it cannot be listed (R2)", async () => {
    const { server, told } = await superseded((world) =>
      world.server.setFaults([
        { verb: "list", resource: "controllerrevisions", fault: status(403, "Forbidden", "not yours") },
      ]),
    );
    expect(effects(server)).not.toContain(`deleted ${FAST}`);
    expect(told.join("\n")).toContain("whether something still refers to it is not known");
  });

  it("control: another's reference keeps it not, and what is current is never pruned", async () => {
    const { server } = await superseded((world) =>
      world.server.put(place("replicasets"), { spec: { template: template(SLOW) } }),
    );
    expect(effects(server)).toContain(`deleted ${FAST}`);
    expect(effects(server)).not.toContain(`deleted ${SLOW}`);
  });
});
