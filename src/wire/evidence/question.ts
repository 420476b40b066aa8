/**
 * `question.json` of a run: what was asked, whole (`domain/evidence-question.ts`), written and read back with nothing lost.
 * What is never written (E5) is taken out before: literals and Secrets in a state before, and what an Application's
 * parameters hold; as a digest of the run's own passing key, so that equal values still are equal.
 */
import type { Before, Bystander, BystanderReply, Bystanders } from "../../domain/bystander.ts";
import type { ClaimName } from "../../domain/claim.ts";
import { isClaimName } from "../../domain/claim.ts";
import type { Asked, Evidence, Seen, Unsteady } from "../../domain/evidence.ts";
import type { EvidenceQuestion, Pinned, WhatWasAsked } from "../../domain/evidence-question.ts";
import type { Expected } from "../../domain/expected.ts";
import type { ExpectedRelease } from "../../domain/expected-release.ts";
import { type Instant, iso } from "../../domain/ids.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { parseLabelSelector } from "../../domain/label-selector.ts";
import type { Question, SweepQuestion } from "../../domain/question.ts";
import type { ResponseExpectation } from "../../domain/response.ts";
import { parseTime } from "../../domain/time.ts";
import { document } from "../api/document.ts";
import { questionShape } from "./question-shape.ts";

// ---- writing -------------------------------------------------------------------------------------------------------

export const questionDocument = ({
  asked,
  at,
  from,
  limits,
  renamed,
  removed,
}: EvidenceQuestion): JsonObject =>
  document("Question", {
    at: iso(at),
    from,
    limits: [...limits],
    renamed: renamed.map((one) => ({ ...one })),
    removed: removed.map((one) => ({ ...one })),
    asked: asked.kind === "one" ? one(asked.question) : many(asked),
  });

const judging = ({ claims, rules, only, secrets }: Question | SweepQuestion): JsonObject => ({
  claims: claims === null ? null : [...claims],
  only: only === undefined ? null : [...only],
  secrets: secrets === undefined ? null : secrets,
  rules: rules === undefined ? null : (rules as unknown as JsonValue),
});

const one = (question: Question): JsonObject => {
  const { kind, namespace, name, expected } = question;
  return {
    kind: "one",
    target: { kind, namespace, name },
    expected: expectedJson(expected),
    ...judging(question),
  };
};

const many = ({ question, nameless, pins }: Extract<WhatWasAsked, { kind: "sweep" }>): JsonObject => {
  const { kinds, namespace, selector } = question;
  return {
    kind: "sweep",
    selection: {
      kinds: kinds === null ? null : [...kinds],
      namespace,
      selector: selector === null ? null : selector.text,
    },
    nameless: [...nameless],
    pins: pins.map((pin) => ({ ...pin })),
    ...judging(question),
  };
};

const expectedJson = (expected: Expected): JsonObject => ({
  uid: expected.uid,
  replicas: expected.replicas,
  images: [...expected.images].map(([container, digest]) => ({ container, digest })),
  injected: [...expected.injected],
  config: [...expected.config].map(([name, { sha256, version }]) => ({ name, sha256, version })),
  response: expected.response === null ? null : responseJson(expected.response),
  bystanders: expected.bystanders === null ? null : bystandersJson(expected.bystanders),
  replaced:
    expected.replaced === null
      ? null
      : {
          uids: [...expected.replaced.uids],
          beside: expected.replaced.beside === null ? null : [...expected.replaced.beside],
          by: timeOrNull(expected.replaced.by),
          reply: expected.replaced.reply,
        },
  commit: expected.commit === null ? null : { ...expected.commit },
  application: expected.application === null ? null : { ...expected.application },
  release: expected.release === null ? null : releaseJson(expected.release),
  since: sinceJson(expected.since),
});

const releaseJson = (release: ExpectedRelease): JsonObject => ({
  text: release.text,
  uid: release.uid,
  cluster: { ...release.cluster },
  template: release.template,
  removed: [...release.removed],
  revision: release.revision === null ? null : { ...release.revision },
  notCounted: [...release.notCounted],
  limits: [...release.limits],
});

const timeOrNull = (at: Instant | null): string | null => (at === null ? null : iso(at));

const sinceJson = (since: Expected["since"]): JsonValue => {
  if (since === null) return null;
  return "at" in since ? { at: iso(since.at) } : { generation: since.generation };
};

const responseJson = ({
  via,
  path,
  host,
  port,
  expect,
  ca,
  pod,
  samples,
}: ResponseExpectation): JsonObject => ({
  via: { ...via },
  path,
  host,
  port,
  ca,
  pod: pod as unknown as JsonValue,
  samples,
  expect: {
    health: expect.health === null ? null : { ...expect.health },
    status: expect.status,
    headers: [...expect.headers].map(([name, value]) => ({ name, value })),
    json: expect.json.map(({ path: keys, is, isText }) => ({ path: [...keys], is, isText })),
    bodySha256: expect.bodySha256,
  },
});

const bystandersJson = ({ named, before, replies }: Bystanders): JsonObject => ({
  named: named === null ? null : named.map((its) => ({ ...its })),
  replies:
    replies === undefined
      ? null
      : replies.map(({ response, ...its }) => ({ ...its, response: responseJson(response) })),
  before:
    before === null
      ? null
      : {
          named: before.named,
          server: before.server,
          unsteady: before.unsteady.map((its) => ({ ...its })),
          evidence: {
            at: iso(before.evidence.at),
            limits: [...before.evidence.limits],
            objects: before.evidence.objects as unknown as JsonValue,
            asked: before.evidence.asked as unknown as JsonValue,
          },
        },
});

// ---- reading -------------------------------------------------------------------------------------------------------

/** The fault is a clause that names the member. */
export const readQuestion = (value: JsonValue): EvidenceQuestion | { readonly fault: string } => {
  const fault = questionShape(value, "question");
  if (fault !== null) return { fault };
  // Each member has its shape: what follows only gives it its type.
  const { at, asked, ...others } = value as unknown as Written;
  const read = asked.kind === "one" ? oneIn(asked) : manyIn(asked);
  if ("fault" in read) return read;
  const { from, limits, renamed, removed } = others;
  return { asked: read, at: timeIn(at), from, limits, renamed, removed };
};

type Written = Pick<EvidenceQuestion, "from" | "limits" | "renamed" | "removed"> & {
  readonly at: string;
  readonly asked: WrittenOne | WrittenMany;
};

interface WrittenJudging {
  readonly claims: readonly string[] | null;
  readonly only: readonly string[] | null;
  readonly secrets: boolean | null;
  readonly rules: Question["rules"] | null;
}

interface WrittenOne extends WrittenJudging {
  readonly kind: "one";
  readonly target: Pick<Question, "kind" | "namespace" | "name">;
  readonly expected: WrittenExpectation;
}

interface WrittenMany extends WrittenJudging {
  readonly kind: "sweep";
  readonly selection: Pick<SweepQuestion, "kinds" | "namespace"> & { readonly selector: string | null };
  readonly nameless: readonly string[];
  readonly pins: readonly Pinned[];
}

interface WrittenExpectation
  extends Pick<Expected, "uid" | "replicas" | "injected" | "commit" | "application"> {
  readonly images: readonly { readonly container: string; readonly digest: string }[];
  readonly config: readonly {
    readonly name: string;
    readonly sha256: string;
    readonly version: string | null;
  }[];
  readonly response: WrittenResponse | null;
  readonly release: (Omit<ExpectedRelease, "removed"> & { readonly removed: readonly string[] }) | null;
  readonly bystanders: {
    readonly named: readonly Bystander[] | null;
    readonly before: WrittenBefore | null;
    readonly replies:
      | readonly (Omit<BystanderReply, "response"> & { readonly response: WrittenResponse })[]
      | null;
  } | null;
  readonly replaced: {
    readonly uids: readonly string[];
    readonly beside: readonly string[] | null;
    readonly by: string | null;
    readonly reply: string | null;
  } | null;
  readonly since: { readonly generation: number } | { readonly at: string } | null;
}

type WrittenResponse = Omit<ResponseExpectation, "expect"> & {
  readonly expect: Omit<ResponseExpectation["expect"], "headers"> & {
    readonly headers: readonly { readonly name: string; readonly value: string }[];
  };
};

interface WrittenBefore {
  readonly named: string;
  readonly server: string | null;
  readonly unsteady: readonly Unsteady[];
  readonly evidence: {
    readonly at: string;
    readonly limits: readonly string[];
    readonly objects: readonly Seen[];
    readonly asked: readonly Asked[];
  };
}

/** The shape says that it is a time. */
const timeIn = (text: string): Instant => parseTime(text) as Instant;

const judgingIn = ({ claims, only, secrets, rules }: WrittenJudging) => ({
  claims: claimsIn(claims),
  ...(only === null ? {} : { only: only.filter(isClaimName) }),
  ...(secrets === null ? {} : { secrets }),
  ...(rules === null || rules === undefined ? {} : { rules }),
});

const claimsIn = (claims: readonly string[] | null): readonly ClaimName[] | null =>
  claims === null ? null : claims.filter(isClaimName);

const oneIn = (asked: WrittenOne): WhatWasAsked => ({
  kind: "one",
  question: { ...asked.target, expected: expectedIn(asked.expected), ...judgingIn(asked) },
});

const manyIn = (asked: WrittenMany): WhatWasAsked | { readonly fault: string } => {
  const { kinds, namespace, selector: text } = asked.selection;
  const selector = text === null ? null : parseLabelSelector(text);
  if (selector !== null && "fault" in selector)
    return { fault: `question.asked.selection.selector ${selector.fault}` };
  const { nameless, pins } = asked;
  return { kind: "sweep", question: { kinds, namespace, selector, ...judgingIn(asked) }, nameless, pins };
};

const expectedIn = (written: WrittenExpectation): Expected => {
  const { uid, replicas, injected, commit, application } = written;
  const { replaced, since, response, bystanders, release } = written;
  return {
    ...{ uid, replicas, injected, commit, application },
    images: new Map(written.images.map(({ container, digest }) => [container, digest])),
    config: new Map(written.config.map(({ name, sha256, version }) => [name, { sha256, version }])),
    response: response === null ? null : responseIn(response),
    release: release === null ? null : { ...release, removed: new Set(release.removed) },
    bystanders: bystanders === null ? null : bystandersIn(bystanders),
    replaced:
      replaced === null ? null : { ...replaced, by: replaced.by === null ? null : timeIn(replaced.by) },
    since: since === null || "generation" in since ? since : { at: timeIn(since.at) },
  };
};

const bystandersIn = ({
  named,
  before,
  replies,
}: NonNullable<WrittenExpectation["bystanders"]>): Bystanders => ({
  named,
  before: before === null ? null : beforeIn(before),
  ...(replies === null
    ? {}
    : { replies: replies.map((its) => ({ ...its, response: responseIn(its.response) })) }),
});

const responseIn = (response: WrittenResponse): ResponseExpectation => ({
  ...response,
  expect: {
    ...response.expect,
    headers: new Map(response.expect.headers.map(({ name, value }) => [name, value])),
  },
});

const beforeIn = ({ named, server, unsteady, evidence }: WrittenBefore): Before => {
  const { at, limits, objects, asked } = evidence;
  const kept: Evidence = { objects, asked, at: timeIn(at), limits };
  return { named, server, unsteady, evidence: kept };
};
