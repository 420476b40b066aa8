/** `verify -f FILE`: what the file says is what is judged; whatever is wrong with it is said at its line, and nothing is asked. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verificationJsonSchema } from "../../src/wire/verification/schema.ts";
import { READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { at } from "../support/kubernetes/object.ts";
import { digestOf } from "../support/kubernetes/pod.ts";
import { done as good } from "../support/kubernetes/rollouts.ts";
import { asfound, folder } from "./terminal.ts";

const HEAD = "apiVersion: asfound.dev/v1alpha1\nkind: Verification\n";
const TARGET = "target: { kind: Deployment, name: web, namespace: shop }\n";

const place = (text: string, answers: readonly object[] = []): string => {
  const cwd = folder();
  writeFileSync(join(cwd, "web.yaml"), text);
  const files = { ...worldFiles(good), "snapshot.json": { at: at(READ_AT) }, "answers.json": answers };
  const saved = folder();
  for (const [name, value] of Object.entries(files)) writeFileSync(join(saved, name), JSON.stringify(value));
  writeFileSync(join(cwd, "saved"), saved);
  return cwd;
};

const verify = (text: string, words: readonly string[] = [], answers: readonly object[] = []) => {
  const cwd = place(text, answers);
  const saved = readFileSync(join(cwd, "saved"), "utf8");
  return asfound({ cwd }, "verify", "-f", "web.yaml", "--from", saved, ...words);
};

interface Report {
  readonly verdict: string;
  readonly findings: readonly {
    readonly claim: string;
    readonly finding: string;
    readonly required: boolean;
  }[];
}
const reportOf = async (ran: ReturnType<typeof verify>): Promise<Report> =>
  JSON.parse((await ran).out) as Report;

describe("verify -f", () => {
  it("judges the target by what is expected, and the claims that are named count", async () => {
    const text = `${HEAD}${TARGET}expect:
  replicas: 2
  images: { web: "registry.example/web@${digestOf("web:v2")}" }
claims: [rollout-complete, old-gone, artifact]
`;
    const { verdict, findings } = await reportOf(verify(text, ["-o", "json"]));
    expect(verdict).toBe("proven");
    const counting = findings.filter(({ required }) => required).map(({ claim }) => claim);
    expect(counting.sort()).toEqual(["artifact", "old-gone", "rollout-complete"]);
  });

  it("control: another digest, another UID, another count are not what is there", async () => {
    const other = `expect: { images: { web: "sha256:${"0".repeat(64)}" } }\n`;
    expect((await reportOf(verify(HEAD + TARGET + other, ["-o", "json"]))).verdict).toBe("refuted");
    const uid = "target: { kind: Deployment, name: web, namespace: shop, uid: another }\n";
    expect((await reportOf(verify(HEAD + uid, ["-o", "json"]))).verdict).toBe("undetermined");
    expect(
      (await reportOf(verify(`${HEAD}${TARGET}expect: { replicas: 3 }\n`, ["-o", "json"]))).verdict,
    ).not.toBe("proven");
  });

  it("a reply that is expected is looked for among the answers, members by name or path", async () => {
    const body = JSON.stringify({ version: "v2", count: 2, pod: { zone: "a", name: "x" } });
    const answer = {
      at: at(READ_AT),
      via: "service/web",
      url: "http://x/",
      status: 200,
      headers: {},
      body,
      failure: null,
    };
    const text = (json: string) =>
      `${HEAD}${TARGET}expect:\n  response: { via: service/web, expect: { json: ${json} } }\nclaims: [response]\n`;
    const judged = async (json: string) =>
      (await reportOf(verify(text(json), ["-o", "json"], [answer]))).verdict;
    expect(await judged("{ version: v2, count: 2, pod: { zone: a } }")).toBe("proven");
    expect(await judged('{ "$.pod.name": x }')).toBe("proven");
    expect(await judged('{ count: "2" }')).toBe("refuted");
    expect(await judged("{ pod: { zone: b } }")).toBe("refuted");
    expect(await judged("{ other: v2 }")).toBe("refuted");
  });

  it.each([
    ["", /the file must be an object, not empty/],
    [`${HEAD}`, /web\.yaml.*target: is missing/],
    [`${HEAD}${TARGET}expect: { pod: {} }\n`, /web\.yaml:4:11: expect\.pod: pod is no field here/],
    [
      `${HEAD}${TARGET}expect: { config: { settings: { sha256: v1 } } }\n`,
      /web\.yaml:4:\d+: expect\.config\.settings\.sha256: must be 64 hex digits/,
    ],
    [
      `${HEAD}${TARGET}expect: { config: { Secret/token: { sha256: "${"0".repeat(64)}" } } }\n`,
      /web\.yaml:4:\d+: expect\.config\.Secret\/token: a Secret's content cannot be expected/,
    ],
    [
      `${HEAD}${TARGET}expect: { config: { Settings: { sha256: "${"0".repeat(64)}" } } }\n`,
      /Settings: must be a ConfigMap's name/,
    ],
    [
      `${HEAD}${TARGET}expect: { config: { settings: { sha256: "${"0".repeat(64)}", versoin: v1 } } }\n`,
      /versoin/,
    ],
    [`${HEAD}${TARGET}claim: [capacity]\n`, /web\.yaml:4:1: claim: claim is no field here/],
    [`${HEAD}${TARGET}claims: [everything]\n`, /claims\.0: /],
    [`${HEAD}${TARGET}expect: { images: { web: v2 } }\n`, /images\.web: must be sha256: and 64 hex digits/],
    [`${HEAD}${TARGET}expect: { replicas: -1 }\n`, /replicas: /],
    [`${HEAD}${TARGET}expect: { response: { via: ftp://x } }\n`, /response\.via: must be pod, service/],
    [`${HEAD}${TARGET}expect: { response: { via: pod, pod: pod } }\n`, /response\.pod: must be a path as/],
    [`${HEAD}${TARGET}expect: { response: { via: pod, path: x } }\n`, /response\.path: must begin with/],
    [`${HEAD}target: { kind: Deployment, name: shop/web }\n`, /target\.name: must not hold a \//],
    ["apiVersion: asfound.dev/v1alpha1\nkind: Stack\n", /kind: /],
    [`${HEAD}${TARGET}__proto__: { x: 1 }\n`, /__proto__/],
    ["[1, 2", /web\.yaml:\d+:\d+/],
    ["- 1\n", /the file /],
  ])("%j is refused at its place, exit 2", async (text, why) => {
    const ran = await verify(text);
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toMatch(why);
  });

  it.each([
    [["deployment/web"], /cannot both be meant/],
    [["-A"], /selects targets, and -f names one/],
    [["--replicas", "2"], /--replicas says what the Verification file says/],
    [["--claims", "capacity"], /--claims says what the Verification file says/],
    [["--config", `settings=sha256:${"0".repeat(64)}`], /--config says what the Verification file says/],
    [["--via", "pod"], /--via says what the Verification file says/],
    [["-n", "other"], /is about namespace shop, and -n says other/],
  ])("beside %j is refused", async (words, why) => {
    const ran = await verify(HEAD + TARGET, words);
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toMatch(why);
  });

  it("that is not there is said", async () => {
    const ran = await asfound({ cwd: folder() }, "verify", "-f", "nothing.yaml", "--from", ".");
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/nothing\.yaml: the file cannot be read/);
  });

  it("is described by the published schema (npm run schema writes it)", () => {
    const published = readFileSync(new URL("../../schema/verification.json", import.meta.url), "utf8");
    expect(published).toBe(verificationJsonSchema());
  });
});
