/** The shapes of what evidence ls and evidence show print. */
import * as z from "zod";

const apiVersion = z.literal("asfound.dev/v1alpha1");
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/, "must be sha256: and 64 hex digits");
const link = z.strictObject({ run: z.string(), sha256: digest });
const trust = z.strictObject({ tier: z.enum(["T0", "T1", "T2", "T3"]), limit: z.string() });
const judgement = z.enum(["proven", "refuted", "progressing", "undetermined"]);
const textOrNull = z.string().nullable();
const target = z.strictObject({
  kind: z.string(),
  namespace: textOrNull,
  name: z.string(),
  uid: textOrNull,
});

export const evidenceListSchema = z.strictObject({
  apiVersion,
  kind: z.literal("EvidenceList"),
  place: z.string(),
  more: z.boolean(),
  items: z.array(
    z.strictObject({
      state: z.enum(["whole", "incomplete", "altered"]),
      sequence: z.int().min(1),
      run: textOrNull,
      sha256: digest.nullable(),
      verb: textOrNull,
      actor: textOrNull,
      recordedAt: z.iso.datetime().nullable(),
      target: target.nullable(),
      verdict: judgement.nullable(),
      trust: trust.nullable(),
      replays: link.nullable(),
      observationsDeleted: z.boolean(),
      fault: textOrNull,
    }),
  ),
});

export const evidenceRunSchema = z.strictObject({
  apiVersion,
  kind: z.literal("EvidenceRun"),
  place: z.string(),
  run: z.string(),
  sequence: z.int().min(1),
  of: z.enum(["verdict", "approval", "key", "retention"]),
  sha256: digest,
  verb: z.string(),
  actor: z.string(),
  recordedAt: z.iso.datetime(),
  target: target.nullable(),
  verdict: judgement.nullable(),
  trust,
  signer: digest.nullable(),
  tool: z.string(),
  rules: z.string(),
  previous: link.nullable(),
  next: link.nullable(),
  replays: link.nullable(),
  files: z.array(z.strictObject({ path: z.string(), sha256: digest })),
  removed: z.array(z.strictObject({ file: z.string(), pointer: z.string() })),
  deleted: z.strictObject({ by: link, at: z.string() }).nullable(),
  details: z.record(z.string(), z.json()).nullable(),
  report: z.record(z.string(), z.json()),
});
