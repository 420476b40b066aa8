/** E2: a question is written and read back with nothing lost, and one that was changed is refused or is another question. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { CLAIM_NAMES } from "../../src/domain/claim.ts";
import type { CustomRule } from "../../src/domain/custom-rule.ts";
import type { EvidenceQuestion } from "../../src/domain/evidence-question.ts";
import { GRPC_HEALTHS } from "../../src/domain/grpc-health.ts";
import { instant } from "../../src/domain/ids.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { parseLabelSelector } from "../../src/domain/label-selector.ts";
import { ARGO_ROLLOUT } from "../../src/judge/custom/argo-rollout.ts";
import { questionDocument, readQuestion } from "../../src/wire/evidence/question.ts";
import { WIDGET_RULE } from "../support/kubernetes/widget-rule.ts";

const text = fc.string();
const name = fc.string({ minLength: 1 });
const texts = fc.array(text, { maxLength: 3 });
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const at = fc.integer({ min: 0, max: 4_102_444_800_000 }).map(instant);
const claims = orNull(fc.subarray([...CLAIM_NAMES]));
const sha256 = fc.stringMatching(/^[0-9a-f]{64}$/);
/** JSON has no -0. */
const json = fc.json().map((written) => JSON.parse(written.replaceAll(/-0(?![.\d])/g, "0")) as JsonValue);
const object = fc
  .array(fc.tuple(text, json), { maxLength: 4 })
  .map((members) => Object.fromEntries(members) as JsonObject);
const path = fc.array(fc.oneof(text, fc.nat()), { maxLength: 3 });
const cited = fc.record({ evidence: text, pointer: text });

/** Members that may be left out. */
const judging = (rules: readonly CustomRule[]) =>
  fc.record(
    {
      claims,
      rules: fc.subarray([...rules]),
      only: fc.subarray([...CLAIM_NAMES]),
      secrets: fc.boolean(),
    },
    { requiredKeys: ["claims"] },
  );

const via = fc.oneof(
  fc.constant({ kind: "pod" as const }),
  fc.record({ kind: fc.constant("service" as const), name: orNull(name) }),
  fc.record({ kind: fc.constantFrom("ingress" as const, "gateway" as const), name }),
  fc.record({ kind: fc.constant("url" as const), url: fc.constant("https://shop.example/a?b=c") }),
);

const response = fc.record({
  via,
  path: text.map((rest) => `/${rest}`),
  host: orNull(name),
  port: orNull(fc.integer({ min: 1, max: 65_535 })),
  ca: orNull(name),
  samples: fc.integer({ min: 1, max: 100 }),
  pod: orNull(
    fc.oneof(
      fc.record({ kind: fc.constant("json" as const), path }),
      fc.record({ kind: fc.constant("header" as const), name }),
      fc.record({ kind: fc.constant("log" as const), header: name }),
      fc.record({
        kind: fc.constant("port" as const),
        header: name,
        port: fc.integer({ min: 1, max: 65_535 }),
        path: text,
      }),
    ),
  ),
  expect: fc.record({
    health: orNull(fc.record({ service: text, is: fc.constantFrom(...GRPC_HEALTHS) })),
    status: fc.integer({ min: 100, max: 599 }),
    headers: fc.array(fc.tuple(name, text), { maxLength: 3 }).map((pairs) => new Map(pairs)),
    json: fc.array(fc.record({ path, is: json, isText: fc.boolean() }), { maxLength: 2 }),
    bodySha256: orNull(sha256),
  }),
});

const seen = fc.record({
  group: text,
  version: text,
  kind: name,
  namespace: orNull(text),
  name: text,
  uid: orNull(text),
  raw: object,
  source: cited,
});

const asked = fc.record({
  group: text,
  resource: text,
  namespaces: fc.oneof(fc.constant("all" as const), texts),
  name: orNull(text),
  answer: fc.oneof(
    fc.constant({ kind: "observed" as const }),
    fc.constant({ kind: "absent" as const }),
    fc.record({
      kind: fc.constantFrom("denied" as const, "failed" as const, "timed-out" as const),
      why: text,
    }),
  ),
  source: cited,
});

const before = fc.record({
  named: text,
  server: orNull(text),
  unsteady: fc.array(
    fc.record({
      group: text,
      kind: text,
      namespace: orNull(text),
      name: text,
      whole: fc.boolean(),
      says: text,
    }),
    { maxLength: 2 },
  ),
  evidence: fc.record({
    at,
    limits: texts,
    objects: fc.array(seen, { maxLength: 2 }),
    asked: fc.array(asked, { maxLength: 2 }),
  }),
});

const bystander = fc.record({
  kind: name,
  namespace: orNull(text),
  name,
  uid: orNull(text),
  generation: orNull(fc.nat()),
  ready: orNull(fc.nat()),
});

const expected = fc.record({
  uid: orNull(text),
  replicas: orNull(fc.nat()),
  images: fc.array(fc.tuple(text, text), { maxLength: 3 }).map((pairs) => new Map(pairs)),
  injected: texts,
  config: fc
    .array(fc.tuple(text, fc.record({ sha256, version: orNull(text) })), { maxLength: 3 })
    .map((pairs) => new Map(pairs)),
  response: orNull(response),
  bystanders: orNull(
    fc.record(
      {
        named: orNull(fc.array(bystander, { maxLength: 2 })),
        before: orNull(before),
        replies: fc.array(fc.record({ kind: name, namespace: orNull(text), name, response }), {
          maxLength: 2,
        }),
      },
      { requiredKeys: ["named", "before"] },
    ),
  ),
  replaced: orNull(fc.record({ uids: texts, beside: orNull(texts), by: orNull(at), reply: orNull(text) })),
  commit: orNull(
    fc.record({ sha: name, tree: orNull(text), repository: orNull(text), source: orNull(object) }),
  ),
  application: orNull(fc.record({ namespace: text, name: text })),
  release: orNull(
    fc.record({
      text,
      uid: text,
      cluster: fc.record({ server: orNull(text), uid: orNull(text) }),
      template: object,
      removed: fc.array(text, { maxLength: 2 }).map((all) => new Set(all)),
      revision: orNull(fc.record({ kind: text, name: text, uid: text, number: orNull(fc.nat()) })),
      notCounted: fc.subarray([...CLAIM_NAMES]),
      limits: texts,
    }),
  ),
  since: orNull(fc.oneof(fc.record({ at }), fc.record({ generation: fc.nat() }))),
});

const selector = fc.constantFrom("app=web", "tier!=db,env in (a,b)", "!canary,app").map((written) => {
  const parsed = parseLabelSelector(written);
  if ("fault" in parsed) throw new Error(parsed.fault);
  return parsed;
});

const whole = (rules: readonly CustomRule[]): fc.Arbitrary<EvidenceQuestion> =>
  fc.record({
    at,
    from: orNull(text),
    limits: texts,
    renamed: fc.array(fc.record({ kept: name, was: name }), { maxLength: 2 }),
    removed: fc.array(fc.record({ file: name, pointer: text }), { maxLength: 2 }),
    asked: fc.oneof(
      fc.record({
        kind: fc.constant("one" as const),
        question: fc
          .tuple(fc.record({ kind: name, namespace: orNull(text), name, expected }), judging(rules))
          .map(([one, more]) => ({ ...one, ...more })),
      }),
      fc.record({
        kind: fc.constant("sweep" as const),
        question: fc
          .tuple(
            fc.record({ kinds: orNull(texts), namespace: orNull(text), selector: orNull(selector) }),
            judging(rules),
          )
          .map(([many, more]) => ({ ...many, ...more })),
        nameless: texts,
        pins: fc.array(fc.record({ group: text, kind: name, namespace: orNull(text), name, uid: name }), {
          maxLength: 2,
        }),
      }),
    ),
  });

const RULES: readonly CustomRule[] = [WIDGET_RULE, ARGO_ROLLOUT];

const there = (question: EvidenceQuestion): JsonValue =>
  JSON.parse(JSON.stringify(questionDocument(question))) as JsonValue;

it("E2: question → document → question loses nothing", () => {
  fc.assert(
    fc.property(whole(RULES), (question) => {
      expect(readQuestion(there(question))).toEqual(question);
    }),
  );
});

it("a member that is left out, added or of another type is refused in one clause that names it", () => {
  const spoil = fc.constantFrom<"drop" | "add" | "type">("drop", "add", "type");
  fc.assert(
    fc.property(whole(RULES), spoil, fc.nat(), (question, how, pick) => {
      const value = there(question);
      const places = membersOf(value);
      const [holder, key] = places[pick % places.length] as (typeof places)[number];
      if (how === "drop") delete holder[key];
      else if (how === "add") holder[`${key} surplus`] = 1;
      else if (KEPT.has(key)) return;
      else holder[key] = { never: ["this"] };
      const read = readQuestion(value);
      expect(read).toHaveProperty("fault");
      expect("fault" in read && read.fault).toMatch(/^question/);
    }),
  );
});

/** What may be any value, or any object. */
const KEPT: ReadonlySet<string> = new Set(["raw", "source", "is", "template"]);

/** Every member of what asfound itself says: not of objects that are kept as they are. */
const membersOf = (value: JsonValue): readonly (readonly [Record<string, JsonValue>, string])[] => {
  if (Array.isArray(value)) return value.flatMap((one: JsonValue) => membersOf(one));
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, JsonValue>;
  return Object.entries(holder).flatMap(([key, member]) => [
    [holder, key] as const,
    ...(KEPT.has(key) ? [] : membersOf(member)),
  ]);
};

it.each([
  null,
  3,
  "x",
  [],
  {},
  { kind: "Question" },
  { apiVersion: "asfound.dev/v1alpha1", kind: "Question" },
])("control: %j is no question", (value) => {
  expect(readQuestion(value as JsonValue)).toHaveProperty("fault");
});
