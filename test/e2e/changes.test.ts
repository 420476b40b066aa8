/** What changed since a state that was proven, by a real API server's managedFields; and a sweep that is kept and judged again. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { appReference, deployment, service } from "./app.ts";
import { LAUNCHER, verify } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { type Namespace, ownNamespace } from "./kubectl.ts";
import { has, needing } from "./lack.ts";

let namespace: Namespace;
beforeAll(async () => {
  if (!has("images")) return;
  namespace = await ownNamespace();
  await namespace.apply(
    deployment("web", { replicas: 1 }),
    service("web"),
    deployment("two", { replicas: 1 }),
  );
  for (const name of ["web", "two"]) await atRest(namespace, name);
});
afterAll(() => namespace?.[Symbol.asyncDispose]());
beforeEach(needing("images"));

const snapshot = async (...words: readonly string[]): Promise<void> => {
  await promisify(execFile)(LAUNCHER, ["snapshot", ...words]);
};

interface Told {
  readonly since: { readonly kind: string; readonly verdict: string | null } | null;
  readonly statement: string;
  readonly recreated: { readonly was: string; readonly is: string } | null;
  readonly items: readonly {
    readonly path: string;
    readonly part: string;
    readonly was: string | null;
    readonly is: string | null;
    readonly writers: readonly {
      readonly manager: string;
      readonly subresource: string | null;
      readonly at: string;
    }[];
  }[];
}
const changes = async (...words: readonly string[]): Promise<Told> => {
  const { report } = await verify("deployment/web", "-n", namespace.name, ...words);
  return (report as unknown as { readonly changes: Told }).changes;
};

interface List {
  readonly verdict: string;
  readonly items: readonly {
    readonly verdict: string;
    readonly statement: string;
    readonly target: { readonly name: string; readonly uid: string };
    readonly findings: readonly {
      readonly claim: string;
      readonly finding: string;
      readonly reason: string;
    }[];
  }[];
}

it("a sweep that was kept is judged to what the live one was", async () => {
  const folder = join(tempFolder("kept"), "sweep");
  const words = ["deployments", "--all", "-n", namespace.name];
  const live = await verify(...words);
  await snapshot(folder, ...words);
  const judged = await verify(...words, "--from", folder);
  const of = ({ report }: typeof live) => {
    const { verdict, items } = report as unknown as List;
    return [
      verdict,
      items
        .map((one) => [
          one.target.name,
          one.target.uid,
          one.verdict,
          one.statement,
          one.findings.map(({ claim, finding, reason }) => [claim, finding, reason]),
        ])
        .sort(),
    ];
  };
  expect(of(judged)).toEqual(of(live));
  expect([live.exit, judged.exit]).toEqual([0, 0]);
});

it("after a proven verdict: the image that kubectl set, the replicas that were scaled, each with its author, by a record and by a snapshot", async () => {
  const folder = tempFolder("proven");
  const [record, good] = [join(folder, "record"), join(folder, "good")];
  const proven = await verify("deployment/web", "-n", namespace.name, "--proven", record);
  expect([proven.exit, readdirSync(record).length]).toEqual([0, 1]);
  await snapshot(good, "deployment/web", "-n", namespace.name);
  expect((await changes("--baseline", good)).items).toEqual([]);

  await namespace.run("set", "image", "deployment/web", `*=${appReference(":9.9.9")}`);
  await namespace.run("scale", "deployment/web", "--replicas=2");
  for (const words of [
    ["--proven", record],
    ["--baseline", good],
  ]) {
    const told = await changes(...words);
    expect(told.since, told.statement).toMatchObject({ verdict: "proven" });
    const image = told.items.find(({ part }) => part === "image");
    expect([image?.is, image?.writers.map(({ manager }) => manager)], told.statement).toEqual([
      JSON.stringify(appReference(":9.9.9")),
      ["kubectl-set"],
    ]);
    expect(Date.parse(String(image?.writers[0]?.at))).toBeGreaterThan(0);
    const replicas = told.items.find(({ path }) => path === "spec.replicas");
    expect([replicas?.was, replicas?.is, replicas?.writers.map(({ subresource }) => subresource)]).toEqual([
      "1",
      "2",
      ["scale"],
    ]);
    expect(told.items.map(({ part }) => part).sort()).toEqual(["image", "replicas"]);
  }
  expect(readdirSync(record)).toHaveLength(1);
  // Which revision was the one before is told by ReplicaSets, which the controller makes.
  await eventually(async () => {
    const sets = await namespace.list("replicasets", "app=web");
    const images = sets.map(({ spec }) => spec.template.spec.containers[0].image);
    expect(images.sort()).toEqual([appReference(":1.0.0"), appReference(":9.9.9")]);
  });
  const revision = await changes();
  expect(revision.since, revision.statement).toMatchObject({ kind: "previous-revision", verdict: null });
  expect(revision.items.map(({ part }) => part)).toEqual(["image"]);

  await namespace.run("delete", "deployment/web", "--wait=true");
  await namespace.apply(deployment("web", { replicas: 1 }));
  const again = await changes("--baseline", good);
  expect(again.recreated, again.statement).not.toBe(null);
});
