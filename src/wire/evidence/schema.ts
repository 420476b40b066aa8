/** The shapes of what the evidence verbs and key print. */
import * as z from "zod";

const apiVersion = z.literal("asfound.dev/v1alpha1");
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/, "must be sha256: and 64 hex digits");
const runId = z.string().regex(/^run_[0-9a-f-]{36}$/, "must be a run's id");
const link = z.strictObject({ run: runId, sha256: digest });
const trust = z.strictObject({ tier: z.enum(["T0", "T1", "T2", "T3"]), limit: z.string() });
const finding = z.enum(["proven", "refuted", "undetermined"]);

export const evidenceCheckSchema = z.strictObject({
  apiVersion,
  kind: z.literal("EvidenceCheck"),
  place: z.string(),
  finding,
  statement: z.string(),
  runs: z.int().min(0),
  incomplete: z.int().min(0),
  newest: link.nullable(),
  trust,
  notes: z.array(z.string()),
  items: z.array(
    z.strictObject({
      run: runId.nullable(),
      sequence: z.int().min(1).nullable(),
      finding,
      sha256: digest.nullable(),
      trust,
      problems: z.array(
        z.strictObject({
          file: z.string(),
          reason: z.string(),
          sentence: z.string(),
          finding: z.enum(["refuted", "undetermined"]),
        }),
      ),
      notes: z.array(z.string()),
    }),
  ),
  exit: z.int(),
});

export const signingKeySchema = z.strictObject({
  apiVersion,
  kind: z.literal("SigningKey"),
  keyId: digest,
  publicKey: z.string(),
  file: z.string(),
  publicFile: z.string(),
  besideEvidence: z.boolean(),
});

export const keyRotationSchema = z.strictObject({
  apiVersion,
  kind: z.literal("KeyRotation"),
  replaces: digest,
  keyId: digest,
  publicKey: z.string(),
  run: link,
  sequence: z.int().min(1),
  place: z.string(),
  notes: z.array(z.string()),
});

const deleted = z.strictObject({
  run: runId,
  sequence: z.int().min(1),
  files: z.array(z.strictObject({ path: z.string(), sha256: digest, bytes: z.int().min(0) })),
});

export const evidencePruneSchema = z.strictObject({
  apiVersion,
  kind: z.literal("EvidencePrune"),
  place: z.string(),
  before: z.iso.datetime(),
  dryRun: z.boolean(),
  record: link.nullable(),
  runs: z.array(deleted),
  begunBefore: z.array(deleted),
  left: z.array(z.string()),
  notes: z.array(z.string()),
});
