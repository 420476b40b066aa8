/** Broken judges, each in one law. What the properties do not catch in them, they would not catch in the real one. */
import type { Evidence, Seen } from "../../src/domain/evidence.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { type Judged, judge } from "../../src/judge/judge.ts";
import { setName } from "../support/kubernetes/deployment.ts";
import type { Judge, LawNumber } from "./judge-laws.ts";

/** A judge that sees other evidence than there is, asks another question, or says something else than it found. */
const seeing =
  (change: (evidence: Evidence) => Evidence): Judge =>
  (evidence, question) =>
    judge(change(evidence), question);
const asking =
  (change: (question: Question) => Question): Judge =>
  (evidence, question) =>
    judge(evidence, change(question));
const saying =
  (change: (judged: Judged, evidence: Evidence) => Judged): Judge =>
  (evidence, question) =>
    change(judge(evidence, question), evidence);

type Loose = { [key: string]: Loose & JsonValue };

const eachRaw = (kind: string, change: (raw: Loose) => void) =>
  seeing((evidence) => ({
    ...evidence,
    objects: evidence.objects.map((seen): Seen => {
      if (seen.kind !== kind) return seen;
      const raw = structuredClone(seen.raw) as unknown as Loose;
      change(raw);
      return { ...seen, raw: raw as unknown as JsonObject };
    }),
  }));

const findings = (
  change: (one: Judged["findings"][number], evidence: Evidence) => Partial<Judged["findings"][number]>,
) =>
  saying((judged, evidence) => ({
    ...judged,
    findings: judged.findings.map((one) => ({ ...one, ...change(one, evidence) })),
  }));

const put = (raw: Loose, field: string, value: unknown): void => {
  const status = raw["status"];
  if (status !== undefined) (status as Record<string, unknown>)[field] = value;
};

/** By what went wrong; then the law that has to catch it. */
export const MUTANTS: Readonly<Record<string, readonly [law: LawNumber, judge: Judge]>> = {
  "a missing generation is taken for the one that was observed": [
    "V1",
    eachRaw("Deployment", (raw) => {
      const metadata = raw["metadata"] as Record<string, unknown> | undefined;
      if (metadata !== undefined) metadata["generation"] ??= raw["status"]?.["observedGeneration"];
    }),
  ],
  "a missing count of available Pods is taken for all of them": [
    "V1",
    eachRaw("Deployment", (raw) => {
      if (raw["status"]?.["availableReplicas"] === undefined)
        put(raw, "availableReplicas", raw["spec"]?.["replicas"]);
    }),
  ],
  "an order decides": ["V2", seeing((evidence) => ({ ...evidence, objects: evidence.objects.slice(0, -1) }))],
  "the UID that is expected is overlooked": [
    "V3",
    asking((question) => ({ ...question, expected: { ...question.expected, uid: null } })),
  ],
  "owners are known by their name": [
    "V3",
    seeing((evidence) => {
      const uid = evidence.objects.find(({ kind }) => kind === "Deployment")?.uid;
      return {
        ...evidence,
        objects: evidence.objects.map((seen) => {
          if (seen.kind !== "ReplicaSet" || uid === null || uid === undefined) return seen;
          const raw = structuredClone(seen.raw) as unknown as Loose;
          const owners = (raw["metadata"]?.["ownerReferences"] ?? []) as unknown as Record<string, unknown>[];
          for (const owner of owners) owner["uid"] = uid;
          return { ...seen, raw: raw as unknown as JsonObject };
        }),
      };
    }),
  ],
  "waiting long is failing": [
    "V4",
    findings((one, { at }) =>
      one.finding === "progressing" && at > Date.parse("2026-12-01T00:00:00Z") ? { finding: "refuted" } : {},
    ),
  ],
  "what was not asked for is empty": [
    "V5",
    seeing((evidence) => ({
      ...evidence,
      asked: ["pods", "replicasets", "endpointslices"].map((resource) => ({
        group: { pods: "", replicasets: "apps" }[resource] ?? "discovery.k8s.io",
        resource,
        namespaces: "all",
        name: null,
        answer: { kind: "observed" },
        source: { evidence: `${resource}.json`, pointer: "" },
      })),
    })),
  ],
  "nothing of nothing is complete": [
    "V5",
    asking((question) => ({ ...question, expected: { ...question.expected, replicas: 0 } })),
  ],
  "texts are taken for numbers": [
    "V7",
    eachRaw("Deployment", (raw) => {
      for (const [field, value] of Object.entries(raw["status"] ?? {}))
        if (typeof value === "string" && /^\d+$/.test(value)) put(raw, field, Number(value));
    }),
  ],
  "a counter is zero, whatever generation status speaks of": [
    "V8",
    eachRaw("Deployment", (raw) => put(raw, "observedGeneration", raw["metadata"]?.["generation"])),
  ],
  "counters overrule what is missing in them": [
    "V8",
    eachRaw("Deployment", (raw) => {
      const wanted = raw["spec"]?.["replicas"];
      for (const field of ["replicas", "updatedReplicas", "availableReplicas"]) put(raw, field, wanted);
      put(raw, "conditions", []);
    }),
  ],
  "a proof keeps its limits to itself": ["V9", findings(() => ({ limits: [] }))],
  "status of an earlier generation counts": [
    "O1",
    eachRaw("Deployment", (raw) => put(raw, "observedGeneration", 5)),
  ],
  "terminating Pods are gone": [
    "O2",
    seeing((evidence) => ({
      ...evidence,
      objects: evidence.objects.filter(
        ({ raw }) => (raw["metadata"] as JsonObject)["deletionTimestamp"] === undefined,
      ),
    })),
  ],
  "a broken old Pod fails the rollout": [
    "O3",
    findings((one, { objects }) =>
      one.claim === "rollout-complete" &&
      one.finding === "progressing" &&
      objects.some(({ raw }) => JSON.stringify(raw).includes("CrashLoopBackOff"))
        ? { finding: "refuted" }
        : {},
    ),
  ],
  "a broken new Pod only takes its time": [
    "O3",
    findings((one) =>
      one.claim === "rollout-complete" && one.finding === "refuted" ? { finding: "progressing" } : {},
    ),
  ],
  "a reason counts whichever rollout it is of": [
    "O4",
    eachRaw("Deployment", (raw) => {
      for (const one of (raw["status"]?.["conditions"] ?? []) as unknown as Record<string, unknown>[])
        if (typeof one["message"] === "string")
          one["message"] = one["message"].replace(/"web-[^"]+"/, `"${setName("v2")}"`);
    }),
  ],
  "every ready endpoint is of the new release": [
    "O5",
    findings((one) => ({ sentence: one.sentence.replace("of another template", "of the new template") })),
  ],
  "the statement is a word": ["O6", saying((judged) => ({ ...judged, statement: judged.verdict }))],
  "everyone is said to serve": [
    "O6",
    saying((judged) => ({ ...judged, statement: `${judged.statement} They serve.` })),
  ],
  "a rollout that completed is forgotten with the first Pod": [
    "O7",
    eachRaw("Deployment", (raw) => put(raw, "conditions", [])),
  ],
};
