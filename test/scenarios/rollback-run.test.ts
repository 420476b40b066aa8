/** `rollback run` from the command line to a fake API server: one operation, its refusals, and what it came to. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, type Ran } from "../faces/terminal.ts";
import { configMap, DATA_V1, DATA_V2, withItems } from "../support/kubernetes/rollback.ts";
import {
  BACK,
  changesOf,
  configMapAt,
  DEPLOYMENT,
  imageOf,
  type RollbackWorld,
  rollbackWorld,
} from "../support/rollback-world.ts";

const TO_V1 = ["deployment/web", "--to", "v1"] as const;
const RUN = ["rollback", "run", ...TO_V1, "--yes", "--progress", "quiet"] as const;
/** As long as a test waits for what follows; no controller follows in the others. */
const LONG = ["--window", "20s"] as const;
const SHORT = ["--window", "1s"] as const;

const CANARY = "canary-7f3a-never-written";

/** A person agrees, and meanwhile something happens. */
const asfoundAt = (at: RollbackWorld, meanwhile: () => void, ...words: readonly string[]): Promise<Ran> => {
  const answers = {
    get confirm(): "yes" {
      meanwhile();
      return "yes";
    },
  };
  return asfound({ cwd: at.cwd, answers }, ...words, "--kubeconfig", at.kubeconfig, "-n", "shop");
};

const sharing = (name: string, from: string): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "shop" },
  spec: { containers: [{ name, image: "other:1", envFrom: [{ configMapRef: { name: from } }] }] },
  status: { phase: "Running" },
});

const reportOf = ({ out }: Ran) => {
  const report = JSON.parse(out);
  const name = report.kind === "RollbackPlan" ? "rollback-plan" : "rollback-report";
  expect(API_SCHEMAS[name]?.safeParse(report).error).toBe(undefined);
  return report;
};

describe("rollback plan, live", () => {
  it("finds nothing against it, names what would change, and changes nothing", async () => {
    const at = await rollbackWorld();
    const ran = await at.run("rollback", "plan", ...TO_V1, "-o", "json");
    expect([ran.code, ran.err]).toEqual([0, ""]);
    const plan = reportOf(ran);
    expect(plan).toMatchObject({ kind: "RollbackPlan", decision: "proven", to: { revision: { number: 1 } } });
    expect(plan.next[0].command).toBe("asfound rollback run deployment/web -n shop --to v1");
    expect(plan.config).toMatchObject([{ name: "settings-v1", do: "leave", immutable: true }]);
    expect(changesOf(at.server)).toEqual([]);
  });

  it("a release that is not there, both targets, and none: a sentence, and nothing is asked", async () => {
    const at = await rollbackWorld();
    const count = at.server.log().length;
    for (const words of [[], ["--to", "v1", "--to-revision", "1"]]) {
      const ran = await at.run("rollback", "plan", "deployment/web", ...words);
      expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(/^asfound: say what to roll back to/)]);
    }
    expect(at.server.log()).toHaveLength(count);
    expect((await at.run("rollback", "plan", "deployment/web", "--to", "v9")).code).toBe(2);
  });
});

describe("rollback run", () => {
  it("restores the template as one operation, and tells the layers apart; a drill alone would confirm it", async () => {
    const at = await rollbackWorld();
    at.follows();
    const ran = await at.run(...RUN, ...LONG, "-o", "json", "--reason", "v2 crashes");
    const report = reportOf(ran);
    expect(report.statement).toMatch(
      /^Rolled back: the rollout is complete.*confirmed it is once a replaced Pod/,
    );
    expect(report).toMatchObject({
      kind: "RollbackReport",
      layers: { rollout: "proven", configBound: "proven", timeBomb: false },
      confirmed: false,
      exit: 0,
    });
    expect(changesOf(at.server)).toEqual(["updated deployments/web"]);
    expect(imageOf(at.server)).toBe("web:v1");
    const history = await at.bare("history", "--stack", report.stack, "-o", "json");
    expect(history.out).toContain("rollback of Deployment shop/web to release v1");
    expect(history.out).toContain("v2 crashes");
  });

  it("--restore-config makes what is gone again, immutable as it was, and only then gives the template", async () => {
    const at = await rollbackWorld();
    at.server.remove(configMapAt("settings-v1"));
    const refused = await at.run(...RUN, "-o", "json");
    expect(refused.code).toBe(23);
    expect(changesOf(at.server)).toEqual([]);
    const ran = await at.run(...RUN, "--restore-config", ...SHORT, "-o", "json");
    expect(changesOf(at.server), ran.err).toEqual([
      "created configmaps/settings-v1",
      "updated deployments/web",
    ]);
    expect(at.server.get(configMapAt("settings-v1"))).toMatchObject({ immutable: true, data: DATA_V1 });
    expect(reportOf(ran)).toMatchObject({ plan: { config: [{ do: "make" }] } });
  });

  it("a mutable object is written back on request, and who shares it is named; afterwards nothing holds it", async () => {
    const at = await rollbackWorld();
    at.server.put(configMapAt("settings-v1"), configMap("settings-v1", DATA_V2, { immutable: false }));
    at.server.put({ resource: "pods", namespace: "shop", name: "other" }, sharing("other", "settings-v1"));
    expect((await at.run(...RUN)).code).toBe(23);
    const back = withItems(BACK, "configmaps.json", ([, v2]) => [
      configMap("settings-v1", DATA_V1, { immutable: false }),
      v2 as JsonObject,
    ]);
    at.follows(back);
    const ran = await at.run(...RUN, "--restore-config", "--window", "3s", "-o", "json");
    const report = reportOf(ran);
    expect(report.plan).toMatchObject({ config: [{ do: "write-back" }], bystanders: ["Pod other"] });
    expect(report).toMatchObject({ layers: { rollout: "proven", configBound: "undetermined" }, exit: 20 });
    expect(report.statement).toMatch(/not shown to be recovered/);
    expect(changesOf(at.server)).toEqual(["updated configmaps/settings-v1", "updated deployments/web"]);
  });

  it("E4: what changed while the person looked at the plan stops it, and nothing is called", async () => {
    const at = await rollbackWorld();
    const rescaled = (): void => {
      const web = at.server.get(DEPLOYMENT) as JsonObject;
      at.server.put(DEPLOYMENT, { ...web, metadata: { ...(web["metadata"] as JsonObject), generation: 9 } });
    };
    const ran = await asfoundAt(at, rescaled, "rollback", "run", ...TO_V1);
    expect([ran.code, ran.err]).toEqual([23, expect.stringContaining("nothing was changed")]);
    expect(changesOf(at.server)).toEqual([]);
  });

  it("N2: a conflict at the server itself is a refusal: nothing was changed, and nothing is in doubt", async () => {
    const at = await rollbackWorld();
    // Between our last look and the server's own comparison somebody writes it.
    const stop = at.server.onAsked(({ verb }) => {
      if (verb === "patch") at.server.put(DEPLOYMENT, at.server.get(DEPLOYMENT) as JsonObject);
    });
    onTestFinished(stop);
    const ran = await at.run(...RUN, ...SHORT, "-o", "json");
    expect(ran.code, ran.out).toBe(10);
    const report = reportOf(ran);
    expect(report.statement).toMatch(/^Not rolled back/);
    expect(report.operation.steps).toMatchObject([{ step: "template", status: "error", effect: "none" }]);
    expect([changesOf(at.server), imageOf(at.server)]).toEqual([[], "web:v2"]);
  });

  it("asks, and takes no for an answer; without a terminal it needs --yes; --dry-run is its plan", async () => {
    const at = await rollbackWorld();
    const no = await asfound(
      { cwd: at.cwd, answers: { confirm: "no" } },
      ...["rollback", "run", ...TO_V1, "--kubeconfig", at.kubeconfig, "-n", "shop"],
    );
    expect([no.code, no.asked]).toEqual([23, ["Roll Deployment web back like this?"]]);
    const nobody = await at.run("rollback", "run", ...TO_V1);
    expect([nobody.code, nobody.err]).toEqual([2, expect.stringContaining("give --yes")]);
    const dry = await at.run("rollback", "run", ...TO_V1, "--dry-run", "-o", "json");
    expect([dry.code, reportOf(dry).kind]).toEqual([0, "RollbackPlan"]);
    expect(changesOf(at.server)).toEqual([]);
  });

  it("to where it is already: nothing is written, and how it is now is said", async () => {
    const at = await rollbackWorld();
    at.holds(BACK);
    const report = reportOf(await at.run(...RUN, ...LONG, "-o", "json"));
    expect(report).toMatchObject({ operation: null, exit: 0 });
    expect(report.statement).toMatch(/^There was nothing to write\. Rolled back/);
    expect(changesOf(at.server)).toEqual([]);
  });

  it("E5: a template of which a value is never written comes from the ReplicaSet, and is stored nowhere", async () => {
    const at = await rollbackWorld({ literal: CANARY });
    at.follows();
    const report = reportOf(await at.run(...RUN, ...LONG, "-o", "json"));
    expect(report.operation.steps).toMatchObject([{ step: "template", status: "complete" }]);
    expect(JSON.stringify(at.server.get(DEPLOYMENT))).toContain(CANARY);
    for (const file of readdirSync(join(at.cwd, ".asfound"), { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const bytes = readFileSync(join(file.parentPath, file.name));
      expect([file.name, bytes.includes(CANARY)]).toEqual([file.name, false]);
    }
    expect(JSON.stringify(report)).not.toContain(CANARY);
  });

  it("--drill needs its scope; out of it no Pod is touched, and the rollback stays unconfirmed", async () => {
    const at = await rollbackWorld();
    const unscoped = await at.run(...RUN, "--drill");
    expect([unscoped.code, unscoped.err]).toEqual([2, expect.stringContaining("--allow-namespace")]);
    at.follows();
    const report = reportOf(
      await at.run(...RUN, ...LONG, "--drill", "--allow-namespace", "other", "-o", "json"),
    );
    expect(report).toMatchObject({
      exit: 23,
      confirmed: false,
      drill: { refused: { reason: "out-of-scope" } },
    });
    expect(report.statement).toMatch(/^Rolled back, and not confirmed: the drill was refused/);
    expect(changesOf(at.server)).toEqual(["updated deployments/web"]);
  });
});
