/** `verify --explain`: what a claim rests on, without a cluster; and with a target, what came of it there. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CLAIM_NAMES, CLAIMS } from "../../src/domain/claim.ts";
import { EXPLANATIONS } from "../../src/domain/explanation.ts";
import { JUDGING_LAWS, LAWS_OF_EVERY_CLAIM } from "../../src/domain/law.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { worldFiles } from "../support/kubernetes/deployment.ts";
import { begun, crashing, done } from "../support/kubernetes/rollouts.ts";
import { asfound, folder } from "./terminal.ts";

/** Asking a cluster would fail here. */
const NO_CLUSTER = { KUBECONFIG: "/dev/null/none", HOME: "/dev/null" };
const explain = (...words: readonly string[]) =>
  asfound({ cwd: folder(), environment: NO_CLUSTER }, "verify", ...words);

describe("without a target", () => {
  it.each(CLAIM_NAMES)("%s: its rule, its fields, its laws, its sources and its limits", async (claim) => {
    const { code, out, err } = await explain("--explain", claim);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { rule, restsOn, lists, laws, sources, limits } = EXPLANATIONS[claim];
    const told = [
      ...Object.values(rule).flat(),
      ...Object.values(restsOn).map((fields) => fields.join(", ")),
      ...lists,
      ...[...laws, ...LAWS_OF_EVERY_CLAIM].map((law) => `${law}  ${JUDGING_LAWS[law]}`),
      ...sources.flatMap(({ title, url }) => [title, url]),
      ...limits,
      CLAIMS[claim].says,
      CLAIMS[claim].doesNotTell,
    ];
    expect(told.filter((text) => !out.includes(text))).toEqual([]);
  });

  it("without a value: all of them; with several: those", async () => {
    const { code, out } = await explain("--explain");
    expect(code).toBe(0);
    for (const claim of CLAIM_NAMES) expect(out).toContain(`${claim} (${CLAIMS[claim].layer}): `);
    expect((await explain("--explain", "capacity, old-gone,capacity", "-o", "name")).out).toBe(
      "capacity\nold-gone\n",
    );
    expect((await explain("-o", "name", "--explain")).out).toBe(`${CLAIM_NAMES.join("\n")}\n`);
  });

  it("a claim that never comes to a finding says so", async () => {
    const { out } = await explain("--explain", "absent");
    expect(out).toMatch(/progressing +never: this claim does not come to progressing/);
  });

  it("JSON, YAML and lines are of the published schema", async () => {
    const json = JSON.parse((await explain("--explain", "-o", "json")).out);
    expect(API_SCHEMAS["claim-explanations"]?.safeParse(json).error).toBe(undefined);
    expect(json.claims.map(({ claim }: { claim: string }) => claim)).toEqual(CLAIM_NAMES);
    expect(parse((await explain("--explain", "-o", "yaml")).out)).toEqual(json);
    const [head, ...lines] = (await explain("--explain", "-o", "jsonl")).out.trim().split("\n");
    expect(JSON.parse(String(head))).toMatchObject({ kind: "ClaimExplanationsStream" });
    expect(lines.map((line) => JSON.parse(line))).toEqual(json.claims);
  });
});

describe("2, one sentence, and nothing asked", () => {
  it.each<[readonly string[], string]>([
    [
      ["--explain", "rolout-complete"],
      'there is no claim "rolout-complete"; did you mean rollout-complete? asfound verify --explain tells all of them',
    ],
    [
      ["--explain", "ready"],
      'there is no claim "ready"; did you mean reported-ready or endpoints-ready? asfound verify --explain tells all of them',
    ],
    [["--explain", "nonsense"], 'there is no claim "nonsense"; asfound verify --explain tells all of them'],
    [["--explain", "capacity,"], 'there is no claim ""; asfound verify --explain tells all of them'],
    [["--explain", "__proto__"], 'there is no claim "__proto__"; asfound verify --explain tells all of them'],
    [
      ["--explain", "deployment/web"],
      '"deployment/web" is no claim: --explain takes the word after it, so write the target first, as in asfound verify deployment/web --explain',
    ],
    [["-A", "--explain", "capacity"], "--explain goes with one target or none, and -A selects many"],
    [
      ["--explain", "capacity", "--watch"],
      "--explain without a target asks nothing, so --watch means nothing beside it; name a target, or leave one of them out",
    ],
    [
      ["--explain", "capacity", "--kubeconfig", "x"],
      "--explain without a target asks nothing, so --kubeconfig means nothing beside it; name a target, or leave one of them out",
    ],
    [
      ["--explain", "capacity", "-o", "sarif"],
      "-o sarif has no place for an explanation; take table, wide, json or yaml, or leave --explain out",
    ],
    [
      ["deploy/web", "--explain", "capacity", "-o", "jsonl"],
      "-o jsonl has no place for an explanation; take table, wide, json or yaml, or leave --explain out",
    ],
    [
      ["deploy/web", "--explain", "\x1b[2J"],
      'there is no claim "\\u001b[2J"; asfound verify --explain tells all of them',
    ],
  ])("%j", async (words, sentence) => {
    expect(await explain(...words)).toEqual({ code: 2, out: "", err: `asfound: ${sentence}\n`, asked: [] });
  });
});

describe("with a target", () => {
  const saved = (world: typeof done): string => {
    const cwd = folder();
    for (const [name, value] of Object.entries(worldFiles(world)))
      writeFileSync(join(cwd, name), JSON.stringify(value));
    return cwd;
  };
  const verify = (world: typeof done, ...words: readonly string[]) =>
    asfound({ cwd: saved(world) }, "verify", "deployment/web", "-n", "shop", "--from", ".", ...words);

  it.each([
    [0, done],
    [10, crashing],
    [30, begun],
  ] as const)(
    "%i: the exit is the verdict's, and the finding stands below the rule with all that it cites",
    async (code, world) => {
      const ran = await verify(world, "--explain", "rollout-complete");
      const report = JSON.parse((await verify(world, "-o", "json")).out);
      const found = report.findings.find(({ claim }: { claim: string }) => claim === "rollout-complete");
      expect(ran.code).toBe(code);
      expect(ran.out).toContain(EXPLANATIONS["rollout-complete"].rule.refuted[0]);
      const [, here] = ran.out.split("Of Deployment shop/web:");
      expect(here).toContain(
        `  ${found.finding} (${found.reason}): ${found.sentence}\n  the verdict needs it\n`,
      );
      for (const cited of [...found.evidence, ...found.limits]) expect(here).toContain(`    ${cited}\n`);
      expect(here).toContain(`Deployment shop/web: ${report.verdict}: ${report.statement}`);
      expect(found.evidence.length).toBeGreaterThan(5);
    },
  );

  it("a claim that nothing asks for there is said not to be judged; what is missing is named", async () => {
    const { out } = await verify(done, "--explain", "artifact,absent");
    expect(out.split("it was not judged of this target: nothing here asks for it")).toHaveLength(3);
    const cwd = saved(done);
    const lacking = await asfound(
      { cwd },
      "verify",
      "deployment/web",
      "-n",
      "shop",
      "--from",
      "deployments.json",
      "--explain",
      "old-gone",
    );
    expect(lacking.code).toBe(20);
    expect(lacking.out).toContain("  Missing:\n    replicasets in namespace shop (not asked for)\n");
  });

  it("without a value: each claim that was judged, and no other", async () => {
    const { out } = await verify(done, "--explain");
    const { findings } = JSON.parse((await verify(done, "-o", "json")).out);
    expect(out.split("Of Deployment shop/web:")).toHaveLength(findings.length + 1);
    expect(out).not.toContain("it was not judged of this target");
    const json = JSON.parse((await verify(done, "--explain", "-o", "json")).out);
    expect(json.explanations.map(({ claim }: { claim: string }) => claim)).toEqual(
      findings.map(({ claim }: { claim: string }) => claim),
    );
  });

  it("JSON is the report with the explanations in it, YAML too", async () => {
    const json = JSON.parse((await verify(begun, "--explain", "capacity", "-o", "json")).out);
    expect(API_SCHEMAS["verdict-report"]?.safeParse(json).error).toBe(undefined);
    const { explanations, ...report } = json;
    expect(report).toEqual(JSON.parse((await verify(begun, "-o", "json")).out));
    const alone = JSON.parse((await explain("--explain", "capacity", "-o", "json")).out);
    expect(explanations).toEqual(alone.claims);
    expect(parse((await verify(begun, "--explain", "capacity", "-o", "yaml")).out)).toEqual(json);
  });
});
