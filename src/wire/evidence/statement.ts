/**
 * `statement.json`: an in-toto Statement v1 (https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md) about the
 * files of one run. Its bytes are what is signed, and what the next run names; so they are kept, never written again from what
 * was read.
 */
import type { EvidenceRun, RunKind, RunLink } from "../../domain/evidence-run.ts";
import { isRunId } from "../../domain/evidence-run.ts";
import { instant, iso } from "../../domain/ids.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { parseStrictJson } from "../objects/strict-json.ts";
import {
  anyObject,
  flag,
  is,
  listOf,
  name,
  objectOf,
  oneOf,
  orNull,
  type Shape,
  sha256,
  text,
} from "../shape.ts";
import { digestOfHex, hexOf, isRunPath } from "./sums.ts";

export const SUMS = "SHA256SUMS";
const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
const TYPE_OF: Readonly<Record<RunKind, string>> = {
  verdict: "https://asfound.dev/verdict/v1alpha1",
  approval: "https://asfound.dev/approval/v1alpha1",
  key: "https://asfound.dev/key/v1alpha1",
  retention: "https://asfound.dev/retention/v1alpha1",
};
const KINDS = Object.keys(TYPE_OF) as readonly RunKind[];

// ---- writing -------------------------------------------------------------------------------------------------------

export const statementText = (run: EvidenceRun): string =>
  `${JSON.stringify(
    {
      _type: STATEMENT_TYPE,
      subject: [...run.subjects].map(([path, digest]) => ({
        name: path,
        digest: { sha256: hexOf(digest) },
      })),
      predicateType: TYPE_OF[run.kind],
      predicate: predicateOf(run),
    },
    null,
    2,
  )}\n`;

const predicateOf = (run: EvidenceRun): JsonObject => ({
  run: run.run,
  sequence: run.sequence,
  verb: run.verb,
  actor: run.actor,
  recordedAt: iso(run.recordedAt),
  target: run.target === null ? null : { ...run.target },
  verdict: run.verdict,
  findings: run.findings.map((one) => ({ ...one })),
  previous: linkOf(run.previous),
  incomplete: run.incomplete.map((one) => ({ ...one })),
  replays: linkOf(run.replays),
  tool: run.tool,
  rules: run.rules,
  signer: run.signer === null ? null : hexOf(run.signer),
  trust: { ...run.trust },
  details: run.details,
});

const linkOf = (link: RunLink | null): JsonValue =>
  link === null ? null : { run: link.run, sha256: hexOf(link.sha256) };

// ---- reading -------------------------------------------------------------------------------------------------------

const runId = is("a run's id", (value) => typeof value === "string" && isRunId(value));
const sequence = is("a number from 1", (value) => Number.isSafeInteger(value) && Number(value) >= 1);
const time = is(
  "a time in UTC with milliseconds",
  (value) => typeof value === "string" && /^\d{4}-.{18}Z$/.test(value) && isoTime(value),
);
const isoTime = (value: string): boolean => {
  const at = Date.parse(value);
  return !Number.isNaN(at) && new Date(at).toISOString() === value;
};
const path = is(
  "a path of a run",
  (value) => typeof value === "string" && (value === SUMS || isRunPath(value)),
);
const judgement = oneOf("proven", "refuted", "progressing", "undetermined");
const link = orNull(objectOf<{ run: string; sha256: string }>({ run: runId, sha256 }));

const target: Shape = (value, at) =>
  objectOf<{ namespace: unknown; name: unknown; uid: unknown }>({
    namespace: orNull(text),
    name: text,
    uid: orNull(text),
  })(value, at) ?? text((value as JsonObject)["kind"], `${at}.kind`);

/** As it stands in the file: digests as hex, times as text. */
interface Predicate {
  readonly run: EvidenceRun["run"];
  readonly sequence: number;
  readonly verb: string;
  readonly actor: string;
  readonly recordedAt: string;
  readonly target: EvidenceRun["target"];
  readonly verdict: EvidenceRun["verdict"];
  readonly findings: EvidenceRun["findings"];
  readonly previous: WrittenLink | null;
  readonly incomplete: EvidenceRun["incomplete"];
  readonly replays: WrittenLink | null;
  readonly tool: string;
  readonly rules: string;
  readonly signer: string | null;
  readonly trust: EvidenceRun["trust"];
  readonly details: JsonObject | null;
}

interface WrittenLink {
  readonly run: EvidenceRun["run"];
  readonly sha256: string;
}

interface Statement {
  readonly _type: string;
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: string;
  readonly predicate: Predicate;
}

const SHAPE = objectOf<Statement>({
  _type: oneOf(STATEMENT_TYPE),
  subject: listOf(
    objectOf<Statement["subject"][number]>({ name: path, digest: objectOf<{ sha256: string }>({ sha256 }) }),
  ),
  predicateType: oneOf(...Object.values(TYPE_OF)),
  predicate: objectOf<Predicate>({
    run: runId,
    sequence,
    verb: name,
    actor: text,
    recordedAt: time,
    target: orNull(target),
    verdict: orNull(judgement),
    findings: listOf(
      objectOf<EvidenceRun["findings"][number]>({
        claim: text,
        finding: judgement,
        reason: text,
        required: flag,
      }),
    ),
    previous: link,
    incomplete: listOf(objectOf<EvidenceRun["incomplete"][number]>({ sequence, run: orNull(runId) })),
    replays: link,
    tool: text,
    rules: text,
    signer: orNull(sha256),
    trust: objectOf<EvidenceRun["trust"]>({ tier: oneOf("T0", "T1", "T2", "T3"), limit: text }),
    details: orNull(anyObject),
  }),
});

/** The fault is a clause without the file's name. What is in it beyond these fields is left to those who know it. */
export const readStatement = (bytes: Uint8Array): EvidenceRun | { readonly fault: string } => {
  const json = parseStrictJson(textOf(bytes));
  if ("fault" in json) return { fault: `is not JSON: ${json.fault}` };
  const fault = SHAPE(json.value, "statement");
  if (fault !== null) return { fault: `is no statement of this version: ${fault}` };
  const { subject, predicateType, predicate } = json.value as unknown as Statement;
  const kind = KINDS.find((one) => TYPE_OF[one] === predicateType);
  const subjects = new Map(subject.map((one) => [one.name, digestOfHex(one.digest.sha256)]));
  if (kind === undefined || subjects.size !== subject.length || !subjects.has(SUMS))
    return { fault: "does not name each file once, with SHA256SUMS" };
  return {
    ...predicate,
    kind,
    recordedAt: instant(Date.parse(predicate.recordedAt)),
    previous: readLink(predicate.previous),
    replays: readLink(predicate.replays),
    signer: predicate.signer === null ? null : digestOfHex(predicate.signer),
    subjects,
  };
};

const readLink = (link: WrittenLink | null): RunLink | null =>
  link === null ? null : { run: link.run, sha256: digestOfHex(link.sha256) };

/** Bytes that are no UTF-8 become a text that no reader takes for the same. */
const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
