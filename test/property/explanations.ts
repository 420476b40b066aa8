/**
 * States of every kind, judged, for holding what is explained of a claim to what its judge does: which findings it comes
 * to, and which fields these cite.
 */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { savedEvidence } from "../../src/adapters/system/saved-evidence.ts";
import { type Answer, seenAnswer } from "../../src/domain/answer.ts";
import type { ClaimName } from "../../src/domain/claim.ts";
import { configDigest } from "../../src/domain/config-digest.ts";
import type { Cited, Evidence, Seen } from "../../src/domain/evidence.ts";
import { BYSTANDER, type Explanation, TARGET } from "../../src/domain/explanation.ts";
import type { Finding, Judgement } from "../../src/domain/finding.ts";
import { seenHeld } from "../../src/domain/held.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import {
  expectedReply,
  type PodTeller,
  parseExpectation,
  parsePodTeller,
  type ResponseExpectation,
  type Via,
} from "../../src/domain/response.ts";
import { judge } from "../../src/judge/judge.ts";
import { CASES } from "../scenarios/kubernetes-cases.ts";
import { applicationFiles, COMMIT } from "../support/kubernetes/application.ts";
import { READ_AT, type World, worldFiles } from "../support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { list, uidOf } from "../support/kubernetes/object.ts";
import { digestOf } from "../support/kubernetes/pod.ts";
import { begun, crashing, done } from "../support/kubernetes/rollouts.ts";
import { made, worldOf as ranWorld } from "./artifact-worlds.ts";
import * as beside from "./bystander-worlds.ts";
import { summed, summedWorld } from "./config-checksum-worlds.ts";
import { evidenceFor, looked } from "./config-file-worlds.ts";
import { TARGETS, taken } from "./config-kinds.ts";
import { life, recordsOf, worldOf } from "./config-worlds.ts";
import { gitFile } from "./judge-applications.ts";
import { KINDS } from "./judge-kinds.ts";
import { filesOf, JUDGED_AT, shape } from "./judge-worlds.ts";

import { askedOf } from "./made.ts";
import { states as releasedStates } from "./released-worlds.ts";
import { drilled, drilledWorld } from "./replacement.ts";

type State = readonly [Evidence, Question];

export interface Cites {
  readonly claim: ClaimName;
  readonly finding: Judgement;
  /** As an explanation writes them, `KIND FIELD`; of the target itself also `the target FIELD`. */
  readonly fields: readonly (readonly string[])[];
  /** Resources that were listed, or the target's own (`the target`). */
  readonly lists: readonly (readonly string[])[];
}

/** Everything that the states below are judged to. */
export const citations = async (): Promise<readonly Cites[]> =>
  [
    ...cases(),
    ...kinds(),
    ...rollouts(),
    ...configs(),
    ...TARGETS.map((target) => taken(target)),
    ...expectedConfigs(),
    ...heldConfigs(),
    ...readConfigs(),
    ...tiedConfigs(),
    ...absences(),
    ...replacements(),
    ...answers(),
    ...bystanders(),
    ...releasedStates(),
    ...equalPaths(),
    ...fc.sample(made, { numRuns: 40, seed: 3 }).map(ranWorld),
    ...(await recorded()),
  ].flatMap(([evidence, question]) => {
    const { findings, target } = judge(evidence, question);
    const { bystanders: others } = question.expected;
    const before = others === null || others.before === null ? null : others.before.evidence;
    const all =
      before === null
        ? evidence
        : {
            ...evidence,
            objects: [...evidence.objects, ...before.objects],
            asked: [...evidence.asked, ...before.asked],
          };
    return findings.map((one) => citesOf(one, all, target));
  });

const bystanders = (): readonly State[] => [
  ...fc.sample(beside.askedOther, { numRuns: 100, seed: 5 }).map((one): State => beside.askedWorld(one)),
  ...fc
    .sample(beside.others, { numRuns: 200, seed: 5 })
    .map((all): State => [beside.nowOf(all), beside.asking({ named: null, before: beside.beforeOf(all) })]),
  ...[{ generation: 1 }, { generation: null }].map(({ generation }): State => {
    const others = [{ kind: "Deployment", pods: 2, deed: "nothing", by: "ci" }] as const;
    const named = [
      {
        kind: "deploy",
        namespace: null,
        name: "other-0",
        uid: uidOf("Deployment", "other-0"),
        generation,
        ready: 2,
      },
    ];
    return [beside.nowOf(others), beside.asking({ named, before: null })];
  }),
];

const citesOf = (
  { claim, finding, evidence: cited }: Finding,
  evidence: Evidence,
  target: Seen | null,
): Cites => ({
  claim,
  finding,
  fields: cited
    .filter((one) => !isAnswer(one, evidence))
    .map((one) => namesOf(one, evidence, target).flatMap((name) => [name, ...ofBystander(claim, name)])),
  lists: cited
    .filter((one) => isAnswer(one, evidence))
    .map(({ evidence: id, pointer }) => {
      const asked = evidence.asked
        .filter(({ source }) => source.evidence === id && (pointer === "" || source.pointer === pointer))
        .map(({ resource }) => resource);
      return claim === "absent" ? [...asked, TARGET] : asked;
    }),
});

/** A whole list, or what a snapshot says of one object that was asked for by its name. */
const isAnswer = ({ evidence: id, pointer }: Cited, { asked }: Evidence): boolean =>
  pointer === "" || asked.some(({ source }) => source.evidence === id && source.pointer === pointer);

/** Its kind may be any. */
const ofBystander = (claim: ClaimName, name: string): readonly string[] =>
  claim === "bystanders-unchanged" ? [name.replace(/^\S+/, BYSTANDER)] : [];

const namesOf = (
  { evidence: id, pointer }: Cited,
  evidence: Evidence,
  target: Seen | null,
): readonly string[] => {
  const object = evidence.objects.find(
    ({ source }) => source.evidence === id && `${pointer}/`.startsWith(`${source.pointer}/`),
  );
  if (object === undefined) throw new Error(`${id}#${pointer} is in no object`);
  const field = dotted(pointer.slice(object.source.pointer.length));
  return [`${object.kind} ${field}`, ...(object === target ? [`${TARGET} ${field}`] : [])];
};

/** `/status/conditions/0/status` as `status.conditions[].status`; whichever header it is, `headers.*`. */
const dotted = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll(/\/\d+(?=\/|$)/g, "[]")
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".")
    .replace(/^headers\..*/, "headers.*")
    .replace(/^(keys|data)\.(?!spec\.).*/, "$1.*");

/** What a file declares to be needed, only that file can explain. */
const cases = (): readonly State[] =>
  Object.values(CASES).flatMap(({ states, twin }) =>
    [...Object.values(states), twin]
      .filter(({ question }) => question.rules === undefined)
      .map(({ files, question, readAt }): State => [evidenceOf(files, readAt), question]),
  );

const kinds = (): readonly State[] =>
  Object.values(KINDS).flatMap(({ target, made }) =>
    fc
      .sample(made, { numRuns: 200, seed: 5 })
      .map((one): State => [evidenceOf(one.files, READ_AT), askedOf(target, one)]),
  );

/** Another commit, in which the same stands at the one path that counts: of an only source, and of one among several. */
const equalPaths = (): readonly State[] =>
  [false, true].map((several): State => {
    const files = {
      ...applicationFiles({ aims: "main", compared: COMMIT.v1, several }),
      ...gitFile("path"),
    };
    const commit = { sha: COMMIT.v2, tree: null, repository: "https://git.example/shop", source: null };
    return [evidenceOf(files, READ_AT), about("application/shop", { expected: { commit } })];
  });

const rollouts = (): readonly State[] =>
  fc
    .sample(shape, { numRuns: 1_000, seed: 5 })
    .map(
      (made): State => [
        evidenceOf(filesOf(made), JUDGED_AT),
        about("deployment/web", { expected: { images: new Map([["web", digestOf("web:v2")]]) } }),
      ],
    );

const configs = (): readonly State[] =>
  fc
    .sample(life, { numRuns: 1_000, seed: 5 })
    .map(
      (drawn): State => [
        worldOf(drawn),
        about("deployment/web", { claims: ["rollout-complete", "config-loaded", "config-bound"] }),
      ],
    );

/** As above, with what each holds now expected, or something else. */
const expectedConfigs = (): readonly State[] =>
  configs().flatMap(([evidence]) => {
    const held = evidence.objects.find(({ kind }) => kind === "ConfigMap");
    return [held?.raw ?? {}, { data: { KEY: "other" } }].map((raw): State => {
      const config = new Map([["settings", { sha256: String(configDigest(raw)), version: null }]]);
      return [evidence, about("deployment/web", { expected: { config } })];
    });
  });

/** Of whatever stands there, in place of one that is gone. */
export const replacing = ([evidence, question]: State): State => {
  const uid =
    evidence.objects.find(({ name, kind }) => name === question.name && kind !== "Service")?.uid ?? null;
  const replaced = { uids: ["gone"], beside: null, by: null, reply: null };
  const expected = { ...question.expected, uid, replaced };
  return [evidence, { ...question, claims: ["spec-observed", "pod-replaced"], expected }];
};

const replacements = (): readonly State[] => [
  ...kinds()
    .filter(([, { kind }]) => /^(stateful|daemon)/.test(kind))
    .map(replacing),
  replacing(asked(done, SERVICE, "$.pod")),
  replacing(asked(done, { kind: "pod" }, null)),
  ...fc.sample(drilled, { numRuns: 1_000, seed: 5 }).map(drilledWorld),
  ...fc.sample(life, { numRuns: 300, seed: 5 }).map((drawn): State => {
    const evidence = worldOf(drawn);
    const uid = evidence.objects.find(({ kind }) => kind === "Deployment")?.uid ?? null;
    const replaced = { uids: ["gone"], beside: [], by: null, reply: null };
    return [evidence, about("deployment/web", { claims: ["pod-replaced"], expected: { uid, replaced } })];
  }),
];

/** As above, beside a recorder that is never blind. */
const heldConfigs = (): readonly State[] =>
  fc.sample(life, { numRuns: 1_000, seed: 6 }).map((drawn): State => {
    const world = worldOf(drawn);
    const records = recordsOf(drawn, () => true).map((raw, at) =>
      seenHeld(raw, `number ${String(at)}`, { evidence: "held.json", pointer: `/${at}` }),
    );
    return [
      { ...world, objects: [...world.objects, ...records] },
      about("deployment/web", { claims: ["rollout-complete", "config-loaded", "config-bound"] }),
    ];
  });

/** As above, beside files that were read in the container. */
const readConfigs = (): readonly State[] =>
  fc
    .sample(looked, { numRuns: 500, seed: 6 })
    .map(
      (one): State => [
        evidenceFor(one),
        about("deployment/web", { claims: ["rollout-complete", "config-loaded", "config-bound"] }),
      ],
    );

/** As above, with the digest of what the object holds on the Pod template. */
const tiedConfigs = (): readonly State[] =>
  fc
    .sample(summed, { numRuns: 300, seed: 6 })
    .map(
      (one): State => [
        summedWorld(one),
        about("deployment/web", { claims: ["rollout-complete", "config-loaded", "config-bound"] }),
      ],
    );

const absences = (): readonly State[] => {
  const there = evidenceOf(worldFiles(done), READ_AT);
  const claims = ["absent"] as const;
  return [
    [evidenceOf({ "deployments.json": list([]) }, READ_AT), about("deployment/web", { claims })],
    [evidenceOf({ "deployments.json": list([]) }, READ_AT), about("deployment/web")],
    [evidenceOf({ "pods.json": list([]) }, READ_AT), about("deployment/web", { claims })],
    [there, about("deployment/web", { claims })],
    [there, about("deployment/web", { claims, expected: { uid: uidOf("Deployment", "web", 2) } })],
  ];
};

/** Replies that are expected in every way that can be, of every sender. */
const answers = (): readonly State[] => [
  asked(done, SERVICE, "$.pod"),
  asked(done, SERVICE, "header:x-pod"),
  asked(done, SERVICE, "log"),
  asked(done, SERVICE, "port:9901/requests"),
  asked(done, SERVICE, null),
  asked(done, { kind: "pod" }, null),
  asked(begun, SERVICE, "$.pod", { status: 503 }),
  asked(crashing, SERVICE, "$.pod", { status: 503 }),
  asked(crashing, SERVICE, "$.pod", { failure: "connection refused" }),
  asked(done, SERVICE, "header:x-pod", { health: "SERVING" }),
  asked(crashing, SERVICE, "header:x-pod", { health: "NOT_SERVING" }),
];

const SERVICE = { kind: "service", name: "web" } as const;

/** Each Pod replies once; `teller`: how it says who it is. */
export const asked = (
  world: World,
  via: Via,
  teller: "$.pod" | "header:x-pod" | "log" | "port:9901/requests" | null,
  reply: { readonly status?: number; readonly failure?: string; readonly health?: string } = {},
): State => {
  const base = evidenceOf(worldFiles(world), READ_AT);
  const pods = base.objects.filter(({ kind }) => kind === "Pod");
  const bodyOf = ({ name }: Seen) =>
    JSON.stringify({ version: "v2", ...(teller === "$.pod" ? { pod: name } : {}) });
  const isSilent = reply.failure !== undefined;
  const seen = pods.map((pod, at) => {
    const its = { name: pod.name, uid: String(pod.uid) };
    const raw: Answer = {
      at: "2026-11-30T03:00:00Z",
      via: via.kind === "pod" ? "pod" : "service/web",
      url: "http://10.0.0.1/",
      service: via.kind === "pod" ? null : "web",
      through: "direct",
      unshown: null,
      requestId: teller === "log" || teller === "port:9901/requests" ? `id-${at}` : null,
      port: teller === "port:9901/requests" ? { found: [its], unread: [] } : null,
      log: teller === "log" ? { found: [{ ...its, container: "web" }], unread: [] } : null,
      grpc: reply.health === undefined ? null : { service: "shop", code: 0, health: reply.health },
      status: isSilent ? null : (reply.status ?? 200),
      headers: isSilent ? null : { "x-pod": its.uid, "x-version": "v2" },
      body: isSilent ? null : bodyOf(pod),
      bodySha256: isSilent ? null : sha256(bodyOf(pod)),
      pod: via.kind === "pod" ? { ...its, ip: podIp(pod) } : null,
      podsBefore: pods.map(({ name, uid }) => ({ name, uid: String(uid) })),
      endpointsBefore: pods.map(({ uid }) => String(uid)),
      failure: reply.failure ?? null,
    };
    return seenAnswer(raw as unknown as JsonObject, `number ${at}`, {
      evidence: "answers.json",
      pointer: `/${at}`,
    });
  });
  // Where all say the same, its digest can be expected.
  const alike = teller === "$.pod" ? [] : [`body-sha256=${sha256(JSON.stringify({ version: "v2" }))}`];
  const texts =
    reply.health === undefined
      ? ["status=200", "header:x-version=v2", "json:$.version=v2", ...alike]
      : ["grpc:shop=SERVING"];
  const expected = texts.map((text) => {
    const parsed = parseExpectation(text);
    if ("fault" in parsed) throw new Error(parsed.fault);
    return parsed;
  });
  const response: ResponseExpectation = {
    via,
    path: "/",
    host: null,
    port: null,
    ca: null,
    expect: expectedReply(expected),
    pod: teller === null ? null : tellerOf(teller),
    samples: 1,
  };
  return [
    { ...base, objects: [...base.objects, ...seen] },
    about("deployment/web", {
      expected: { response },
      claims: ["rollout-complete", "old-gone", "response", "answered-by-new-pod"],
    }),
  ];
};

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const podIp = ({ raw }: Seen): string | null => {
  const ip = (raw["status"] as JsonObject)["podIP"];
  return typeof ip === "string" ? ip : null;
};

const tellerOf = (text: string): PodTeller => {
  const parsed = parsePodTeller(text);
  if ("fault" in parsed) throw new Error(parsed.fault);
  return parsed.pod;
};

/** What an explanation says that its judge does not do, or keeps silent about; empty: it is true. */
export const untrueOf = (
  claim: ClaimName,
  { rule, restsOn, lists }: Explanation,
  all: readonly Cites[],
): readonly string[] => {
  const own = all.filter((one) => one.claim === claim);
  const named = Object.entries(restsOn).flatMap(([kind, fields]) =>
    fields.map((field) => `${kind} ${field}`),
  );
  const cited = new Set(own.flatMap(({ fields }) => fields.flat()));
  const listed = new Set(own.flatMap((one) => one.lists.flat()));
  const proofs = own.filter(({ finding }) => finding === "proven");
  const JUDGEMENTS = ["proven", "refuted", "progressing", "undetermined"] as const;
  return [
    ...named.filter((field) => !cited.has(field)).map((field) => `${field} is named, and never cited`),
    ...lists.filter((one) => !listed.has(one)).map((one) => `the LIST of ${one} is named, and never cited`),
    ...silent(
      proofs.flatMap(({ fields }) => fields),
      named,
    ).map((field) => `a proof cites ${field}, which is not named`),
    ...silent(
      proofs.flatMap((one) => one.lists),
      lists,
    ).map((one) => `a proof cites the LIST of ${one}, which is not named`),
    ...JUDGEMENTS.filter(
      (judgement) => rule[judgement].length > 0 !== own.some(({ finding }) => finding === judgement),
    ).map((judgement) =>
      rule[judgement].length > 0 ? `it is never ${judgement}` : `it is ${judgement}, and no rule says when`,
    ),
  ];
};

/** What is cited under no name that is told. */
const silent = (cited: readonly (readonly string[])[], named: readonly string[]): readonly string[] => [
  ...new Set(
    cited.filter((names) => !names.some((name) => named.includes(name))).map(([first]) => String(first)),
  ),
];

const recorded = async (): Promise<readonly State[]> => {
  const folder = fileURLToPath(new URL("../fixtures/kubernetes/recorded/", import.meta.url));
  const states: State[] = [];
  for (const name of readdirSync(folder)) {
    const collected = await savedEvidence({ path: `${folder}${name}`, named: name, at: null }).collect();
    if ("faults" in collected) throw new Error(JSON.stringify(collected.faults));
    states.push([collected.evidence, about(name === "partition" ? "statefulset/db" : "deployment/web")]);
  }
  return states;
};
