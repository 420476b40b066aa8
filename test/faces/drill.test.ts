/** drill as a person meets it: what it asks, what it refuses in one sentence, and what it prints. */
import { describe, expect, it } from "vitest";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { atRest, drillTown, type Town } from "../support/drill-town.ts";
import { asfound, folder, type Ran, type Where } from "./terminal.ts";

const drill = (town: Town, words: readonly string[], where: Partial<Where> = {}): Promise<Ran> =>
  asfound(
    { cwd: folder(), environment: { KUBECONFIG: town.kubeconfig }, ...where },
    ...["drill", "deployment/web", ...words],
  );

const SCOPE = ["--allow-namespace", "shop"];
const JSON_OUT = [...SCOPE, "--progress", "quiet", "-o", "json"];

/** By the published schema. */
const reportIn = ({ out, err }: Ran) => {
  const schema = API_SCHEMAS["drill-report"];
  if (schema === undefined) throw new Error("there is no schema");
  const parsed = schema.safeParse(JSON.parse(out === "" ? "null" : out));
  expect(parsed.success ? [] : parsed.error.issues, err).toEqual([]);
  return JSON.parse(out);
};

describe("what it refuses before it asks anybody", () => {
  it.each<[string, readonly string[], RegExp]>([
    ["no scope", [], /give --allow-namespace shop; there is no default|--allow-namespace NAMESPACE/],
    ["a pattern as scope", ["--allow-namespace", "*"], /must be a namespace's name, written out/],
    ["nobody to ask", SCOPE, /drill changes things outside, and there is no terminal to ask on/],
    ["an answer that may be anybody's", [...SCOPE, "--via", "service"], /say where the app names its Pod/],
    ["an expectation without a path", [...SCOPE, "--expect", "status=200"], /--via/],
  ])("%s: exit 2, and nothing is asked of the cluster", async (_, words, says) => {
    const town = await drillTown(atRest(2));
    const ran = await drill(town, words);
    expect([ran.code, ran.out, town.server.log()]).toEqual([2, "", []]);
    expect(ran.err).toMatch(says);
  });

  it("what cannot be drilled: exit 23, with the kind", async () => {
    const town = await drillTown(atRest(2));
    const ran = await asfound(
      { cwd: folder(), environment: { KUBECONFIG: town.kubeconfig } },
      ...["drill", `pod/${town.pods()[0]?.metadata.name}`, ...SCOPE, "--yes"],
    );
    expect([ran.code, town.removed()]).toEqual([23, []]);
    expect(ran.err).toContain("this is a Pod; nothing was called");
  });

  it("what is not there: exit 23", async () => {
    const town = await drillTown(atRest(2));
    const ran = await asfound(
      { cwd: folder(), environment: { KUBECONFIG: town.kubeconfig } },
      ...["drill", "deployment/none", ...SCOPE, "--yes"],
    );
    expect([ran.code, town.removed()]).toEqual([23, []]);
    expect(ran.err).toContain("nothing was called");
  });
});

describe("asking", () => {
  it("shows what was decided, and names the cluster; a no leaves everything as it is", async () => {
    const town = await drillTown(atRest(2));
    const ran = await drill(town, SCOPE, { answers: { confirm: "no" } });
    expect([ran.code, town.removed(), ran.out]).toEqual([23, [], ""]);
    expect(ran.asked).toEqual([
      expect.stringMatching(/^Evict Pod web-\S+ of Deployment shop\/web at https:/),
    ]);
    expect(ran.err).toContain("Why this one:");
  });

  it("decides anew after the answer: what became of it meanwhile counts", async () => {
    const town = await drillTown(atRest(2));
    const where: Where = { cwd: folder(), environment: { KUBECONFIG: town.kubeconfig } };
    const answering = {
      get confirm(): "yes" {
        // While the person thinks, one Pod stops being ready.
        const [pod] = town.pods();
        const conditions = [{ type: "Ready", status: "False" }];
        if (pod !== undefined) town.put({ ...pod, status: { phase: "Running", conditions } });
        return "yes";
      },
    };
    const ran = await asfound({ ...where, answers: answering }, "drill", "deployment/web", ...SCOPE);
    expect([ran.code, town.removed()], ran.err).toEqual([23, []]);
  });
});

describe("what it prints", () => {
  it("by the schema: refused, rehearsed, done; and what is not offered is said", async () => {
    const single = await drillTown(atRest(1));
    const refused = await drill(single, [...JSON_OUT, "--yes"]);
    expect(reportIn(refused)).toMatchObject({ refused: { reason: "last-ready" }, pod: null, exit: 23 });
    const town = await drillTown(atRest(2));
    const rehearsed = await drill(town, [...JSON_OUT, "--dry-run"]);
    expect(reportIn(rehearsed)).toMatchObject({
      dryRun: true,
      rehearsed: { what: "remove", why: null },
      exit: 0,
    });
    expect(town.removed()).toEqual([]);
    const done = await drill(town, [...JSON_OUT, "--yes"]);
    const report = reportIn(done);
    const told = await drill(await drillTown(atRest(2)), [...SCOPE, "--progress", "quiet", "--yes"]);
    expect(told.out).toMatch(/asfound status --stack recovery-web-[0-9a-f]{8}\n/);
    expect(report).toMatchObject({
      stack: expect.stringMatching(/^recovery-web-[0-9a-f]{8}$/),
      step: { status: "complete", effect: "known" },
      verdict: { verdict: "proven" },
      exit: 0,
    });
    expect(town.removed()).toEqual([report.pod.uid]);
  });

  it("what came is not Ready by the window's end: refuted, and another drill is not offered", async () => {
    const town = await drillTown(atRest(3), (pod) => ({
      ...pod,
      status: { phase: "Running", conditions: [{ type: "Ready", status: "False" }] },
    }));
    const ran = await drill(town, [...SCOPE, "--progress", "quiet", "--yes", "--window", "2s"]);
    expect(ran.code, ran.err).toBe(10);
    expect(ran.out).toContain("and it had to be Ready by");
    expect(ran.out).toMatch(/Not offered[\s\S]*asfound drill/);
    expect(town.removed()).toHaveLength(1);
  });

  it("an eviction that the server refuses after all: exit 23, and nothing is in doubt", async () => {
    const message = "no";
    const body = JSON.stringify({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      reason: "TooManyRequests",
      details: { causes: [{ reason: "DisruptionBudget", message: "The disruption budget web needs 3" }] },
      code: 429,
    });
    const fault = { do: "reply", status: 429, body } as const;
    const town = await drillTown(atRest(3), null, { faults: [{ resource: "pods/eviction", fault }] });
    const ran = await drill(town, [...JSON_OUT, "--yes"]);
    expect(ran.code, ran.err).toBe(23);
    expect(reportIn(ran)).toMatchObject({
      step: {
        status: "error",
        effect: "none",
        reason: expect.stringContaining("The disruption budget web needs 3"),
      },
      verdict: null,
    });
  });

  it("a lost reply: exit 21, and the command that settles it", async () => {
    const fault = { do: "cut", at: "after" } as const;
    const town = await drillTown(atRest(3), (pod) => pod, { faults: [{ resource: "pods/eviction", fault }] });
    const ran = await drill(town, [...SCOPE, "--progress", "quiet", "--yes"]);
    expect(ran.code, ran.err).toBe(21);
    expect(ran.out).toMatch(/asfound reconcile --stack recovery-web-[0-9a-f]{8}/);
  });
});
