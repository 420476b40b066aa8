/**
 * Answers, drawn: who sent each is known here from how it was made, and the judge is told only what an app, a path or
 * nobody tells. O5: an old Pod's answer never supports a claim about the new release.
 */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Answer,
  type GrpcAnswer,
  type LogTie,
  type PodBefore,
  type PortTie,
  seenAnswer,
} from "../../src/domain/answer.ts";
import type { Evidence, Seen } from "../../src/domain/evidence.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import {
  expectedReply,
  parseExpectation,
  parsePodTeller,
  type ResponseExpectation,
} from "../../src/domain/response.ts";
import { judge } from "../../src/judge/judge.ts";
import { READ_AT, type World, worldFiles } from "../support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import * as laws from "./judge-laws.ts";

const WORLDS: Readonly<Record<"done" | "under way" | "old terminates", World>> = {
  done: {
    replicas: 2,
    fresh: { version: "v2", pods: ["ready", "ready"] },
    old: [{ version: "v1", pods: [] }],
  },
  "under way": {
    replicas: 2,
    fresh: { version: "v2", pods: ["ready"] },
    old: [{ version: "v1", pods: ["ready"] }],
  },
  "old terminates": {
    replicas: 2,
    fresh: { version: "v2", pods: ["ready", "ready"] },
    old: [{ version: "v1", pods: ["terminating"] }],
  },
};

type Sender = "new" | "old" | "stranger" | "nobody";

interface Drawn {
  readonly world: keyof typeof WORLDS;
  readonly senders: readonly Sender[];
  readonly status: number;
  /** How the app names its Pod; untold: not at all. */
  readonly teller: "uid" | "name" | "header" | "log" | "port" | "untold";
  /** Whether one of the logs, or of the ports, could not be read. */
  readonly isUnread: boolean;
  /** Whether all requests had one id. */
  readonly isIdReused: boolean;
  /** Whether the address was shown to be this cluster's. */
  readonly isShown: boolean;
  /** Asked of the health service, where there is no JSON to tell a Pod in. */
  readonly isGrpc: boolean;
  /** Whether the name was borne by the same UID before. */
  readonly isSameBefore: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    world: fc.constantFrom("done", "done", "under way", "old terminates"),
    senders: fc.array(fc.constantFrom<Sender>("new", "new", "new", "old", "stranger", "nobody"), {
      minLength: 1,
      maxLength: 4,
    }),
    status: fc.constantFrom(200, 200, 200, 503),
    teller: fc.constantFrom("uid", "name", "header", "log", "log", "port", "port", "untold"),
    isUnread: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
    isIdReused: fc.boolean(),
    isShown: fc.boolean(),
    isGrpc: fc.boolean(),
    isSameBefore: fc.boolean(),
  })
  .map((made) =>
    made.isGrpc && (made.teller === "uid" || made.teller === "name") ? { ...made, teller: "header" } : made,
  );

const isById = ({ teller }: Drawn): boolean => teller === "log" || teller === "port";

const WRITTEN: Readonly<Record<Drawn["teller"], string>> = {
  uid: "$.pod",
  name: "$.pod",
  header: "header:X-Pod",
  log: "log",
  port: "port:9901/requests",
  untold: "$.pod",
};

const isOld = ({ raw }: Seen): boolean => JSON.stringify(raw).includes("web:v1");

const grpcOf = (sender: Sender, { status }: Drawn): GrpcAnswer => ({
  service: "shop.Cart",
  code: sender === "nobody" ? null : 0,
  health: sender === "nobody" ? null : status === 200 ? "SERVING" : "NOT_SERVING",
});

const madeOf = (made: Drawn): { readonly evidence: Evidence; readonly question: Question } => {
  const base = evidenceOf(worldFiles(WORLDS[made.world]), READ_AT);
  const pods = base.objects.filter(({ kind }) => kind === "Pod");
  const of = (sender: Sender, at: number): { readonly name: string; readonly uid: string } => {
    if (sender === "stranger") return { name: "somebody", uid: "99999999-0000-4000-8000-000000000000" };
    const its = pods.filter((pod) => isOld(pod) === (sender === "old"));
    const pod = its[at % its.length];
    return { name: String(pod?.name), uid: String(pod?.uid) };
  };
  const before = pods.map(({ name, uid }) => ({
    name,
    uid: made.isSameBefore ? String(uid) : "88888888-0000-4000-8000-000000000000",
  }));
  const answers = senderOf(made).map((sender, at): Seen => {
    const { name, uid } = of(sender, at);
    const word = made.teller === "uid" || made.teller === "header" ? uid : name;
    const body = JSON.stringify(made.teller === "untold" || isById(made) ? { version: "v2" } : { pod: word });
    // Whose UID it was is known from the list before.
    const found = before.filter((one) => one.name === name);
    const unread = made.isUnread ? ["one of them: it is away"] : [];
    const isTied = sender !== "nobody";
    const raw: Answer = {
      at: "2026-11-30T03:00:00Z",
      via: "service/web",
      url: "http://10.0.0.1/",
      service: "web",
      through: "direct",
      unshown: made.isShown ? null : "nobody showed it",
      grpc: made.isGrpc ? grpcOf(sender, made) : null,
      status: sender === "nobody" ? null : made.isGrpc ? 200 : made.status,
      headers: sender === "nobody" ? null : made.teller === "header" ? { "x-pod": word } : {},
      body: sender === "nobody" ? null : body,
      bodySha256: sender === "nobody" ? null : createHash("sha256").update(body).digest("hex"),
      pod: null,
      requestId: isById(made) ? `id-${made.isIdReused ? 0 : at}` : null,
      log:
        made.teller === "log" && isTied
          ? { found: found.map((one) => ({ ...one, container: "web" })), unread }
          : null,
      port: made.teller === "port" && isTied ? { found, unread } : null,
      podsBefore: before,
      endpointsBefore: pods.filter((pod) => !isOld(pod)).map(({ uid: its }) => String(its)),
      failure: sender === "nobody" ? "connection refused" : null,
    };
    return seenAnswer(raw as unknown as JsonObject, `number ${at}`, {
      evidence: "answers.json",
      pointer: `/${at}`,
    });
  });
  const pod = parsePodTeller(WRITTEN[made.teller]);
  const expectation = parseExpectation(made.isGrpc ? "grpc:shop.Cart=SERVING" : "status=200");
  if ("fault" in pod || "fault" in expectation) throw new Error("written wrong here");
  const response: ResponseExpectation = {
    via: { kind: "service", name: "web" },
    path: "/",
    host: null,
    port: null,
    ca: null,
    expect: expectedReply([expectation]),
    pod: made.teller === "untold" ? null : pod.pod,
    samples: 3,
  };
  return {
    evidence: { ...base, objects: [...base.objects, ...answers] },
    question: about("deployment/web", {
      expected: { response },
      claims: ["rollout-complete", "old-gone", "response", "answered-by-new-pod"],
    }),
  };
};

/** Where nobody old is left, none can have answered. */
const senderOf = ({ world, senders }: Drawn): readonly Sender[] =>
  world === "done" ? senders.map((sender) => (sender === "old" ? "stranger" : sender)) : senders;

const truths = (law: laws.Law, judgeIt: laws.Judge, made: Drawn): void => {
  const { evidence, question } = madeOf(made);
  const { findings } = judgeIt(evidence, question);
  const of = (claim: string) => findings.find((one) => one.claim === claim)?.finding;
  const senders = senderOf(made);
  const heard = senders.filter((sender) => sender !== "nobody");
  /** By an address that is this cluster's, by a UID that no other has, or by an id that a Pod of it knows. */
  const isTied = (sender: Sender) =>
    made.isShown || (sender !== "stranger" && made.teller !== "untold" && made.teller !== "name");
  const isOpen = !heard.every(isTied);
  const response = isOpen
    ? "undetermined"
    : heard.length > 0 && made.status !== 200
      ? made.world === "under way"
        ? "progressing"
        : "refuted"
      : heard.length < senders.length
        ? "undetermined"
        : "proven";
  law("O3", of("response") === response, `response is ${of("response")}, and has to be ${response}`);
  const by = of("answered-by-new-pod");
  if (!made.isShown && (made.teller === "untold" || made.teller === "name"))
    law("V3", by !== "proven", "a reply from whoever has that address is taken for one of this cluster");
  const isOneId = !isById(made) || !made.isIdReused || senders.length < 2;
  const isWhole = !isById(made) || !made.isUnread;
  const isBound = ((made.teller !== "name" && !isById(made)) || made.isSameBefore) && isOneId && isWhole;
  if (heard.includes("old"))
    law("O5", by !== "proven", `an old Pod answered, and ${by} is said of the new ones`);
  if (heard.includes("stranger") && made.teller !== "untold")
    law("V3", by !== "proven", `somebody unknown answered, and ${by} is said of the new ones`);
  if (!isBound)
    law(
      "V3",
      by !== "proven",
      "a name that another Pod bore before, an id that was sent twice, or one of which not all was read, is taken for this one",
    );
  const isOnlyNew = heard.length > 0 && heard.every((sender) => sender === "new") && isBound && !isOpen;
  const isEliminated = made.teller === "untold" && made.world === "done" && heard.length > 0 && made.isShown;
  const provable = made.teller === "untold" ? isEliminated : isOnlyNew;
  law(
    "V5",
    (by === "proven") === provable,
    `answered-by-new-pod is ${by}, and ${provable ? "is" : "is not"} so`,
  );
};

const CHECKS: Readonly<Record<string, (law: laws.Law, judgeIt: laws.Judge, made: Drawn) => void>> = {
  "O3, O5, V3, V5: what is judged is what is so": truths,
  V1: (law, judgeIt, made) => {
    const { evidence, question } = madeOf(made);
    laws.removingAnyCitedField(law, judgeIt, evidence, question);
  },
  V7: (law, judgeIt, made) => {
    const { evidence, question } = madeOf(made);
    laws.wrongTypes(law, judgeIt, evidence, question);
  },
  V2: (law, judgeIt, made) => {
    const { evidence, question } = madeOf(made);
    laws.anyOrder(law, judgeIt, evidence, question, laws.shuffled([5, 3, 8, 1]));
  },
  V9: (law, judgeIt, made) => {
    const { evidence, question } = madeOf(made);
    laws.limitsTold(law, judgeIt, evidence, question);
    for (const { claim, finding, limits } of judgeIt(evidence, question).findings)
      if (finding === "proven" && (claim === "response" || claim === "answered-by-new-pod"))
        law(
          "V9",
          limits.some((limit) => /what an Ingress or Gateway answers/.test(limit)),
          `${claim} does not say what its path leaves open`,
        );
  },
};

it("an id that was sent with a request that had no reply, too, ties nothing", () => {
  const made: Drawn = {
    world: "done",
    senders: ["nobody", "new"],
    status: 200,
    teller: "log",
    isIdReused: true,
    isShown: true,
    isGrpc: false,
    isUnread: false,
    isSameBefore: true,
  };
  expect(laws.brokenBy((law) => truths(law, judge, made))).toEqual([]);
});

describe("answers", () => {
  for (const [name, check] of Object.entries(CHECKS))
    it(name, () => {
      fc.assert(
        fc.property(drawn, (made) => {
          expect(laws.brokenBy((law) => check(law, judge, made))).toEqual([]);
        }),
        { numRuns: 300 },
      );
    });
});

interface Tie<Where extends PodBefore> {
  readonly found: readonly Where[];
  readonly unread: readonly string[];
}

const changing =
  (change: (raw: Record<string, unknown>) => Record<string, unknown> | null): laws.Judge =>
  (evidence, question) =>
    judge(
      {
        ...evidence,
        objects: evidence.objects.flatMap((seen) => {
          if (seen.kind !== "Answer") return [seen];
          const raw = change({ ...seen.raw });
          return raw === null ? [] : [{ ...seen, raw: raw as JsonObject }];
        }),
      },
      question,
    );

const MUTANTS: Readonly<Record<string, laws.Judge>> = {
  "a request without a reply is left out": changing((raw) => (raw["failure"] === null ? raw : null)),
  "every 503 is taken for a 200": changing((raw) => ({
    ...raw,
    status: raw["status"] === null ? null : 200,
  })),
  "every health is taken for SERVING": changing((raw) => {
    const { grpc } = raw as { readonly grpc: GrpcAnswer | null };
    return grpc === null || grpc.health === null ? raw : { ...raw, grpc: { ...grpc, health: "SERVING" } };
  }),
  "a name is a Pod, whoever bore it before": (evidence, question) => {
    const pods = evidence.objects.filter(({ kind }) => kind === "Pod");
    return changing((raw) => ({ ...raw, podsBefore: pods.map(({ name, uid }) => ({ name, uid })) }))(
      evidence,
      question,
    );
  },
  "an id is tied without looking at the UID": (evidence, question) => {
    const pods = evidence.objects.filter(({ kind }) => kind === "Pod");
    const current = pods.map(({ name, uid }) => ({ name, uid }));
    return changing((raw) => {
      const named = <Where extends PodBefore>(tie: Tie<Where> | null): Tie<Where> | null =>
        tie === null
          ? null
          : {
              ...tie,
              found: tie.found.map((one) => ({
                ...one,
                uid: String(current.find(({ name }) => name === one.name)?.uid ?? one.uid),
              })),
            };
      const { log, port } = raw as { readonly log: LogTie | null; readonly port: PortTie | null };
      return log === null && port === null
        ? raw
        : { ...raw, podsBefore: current, log: named(log), port: named(port) };
    })(evidence, question);
  },
  "what could not be read is not looked at": changing((raw) => {
    const { log, port } = raw as { readonly log: LogTie | null; readonly port: PortTie | null };
    return { ...raw, log: log && { ...log, unread: [] }, port: port && { ...port, unread: [] } };
  }),
  "an id that was sent twice is taken for one request's": (evidence, question) => {
    let sent = 0;
    return changing((raw) => {
      sent += 1;
      return raw["requestId"] === null ? raw : { ...raw, requestId: `own-${sent}` };
    })(evidence, question);
  },
  "an address is this cluster's, wherever it is asked from": changing((raw) => ({ ...raw, unshown: null })),
  "old Pods are taken for new ones": (evidence, question) => {
    const judged = judge(evidence, question);
    return {
      ...judged,
      findings: judged.findings.map((one) =>
        one.claim === "answered-by-new-pod" && one.finding === "progressing"
          ? { ...one, finding: "proven" }
          : one,
      ),
    };
  },
  "what a path leaves open is not said": (evidence, question) => {
    const judged = judge(evidence, question);
    return { ...judged, findings: judged.findings.map((one) => ({ ...one, limits: one.limits.slice(-1) })) };
  },
};

describe("mutant", () => {
  for (const [name, broken] of Object.entries(MUTANTS))
    it(`${name}: caught`, () => {
      const caught = Object.values(CHECKS).some(
        (check) =>
          fc.check(
            fc.property(drawn, (made) => laws.brokenBy((law) => check(law, broken, made)).length === 0),
            { numRuns: 500, endOnFailure: true, seed: 7 },
          ).failed,
      );
      expect(caught).toBe(true);
    });
});
