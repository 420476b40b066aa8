/** The shape of a gate's file. What a shape cannot say is said in `parse.ts`. */
import * as z from "zod";
import { CLAIM_NAMES } from "../../domain/claim.ts";
import { parseDuration } from "../../domain/duration.ts";
import { GATE_TIERS, MOST_CASES, MOST_VERIFICATIONS } from "../../domain/gate.ts";
import { REFUSAL_NAMES } from "../../domain/gate-refusal.ts";
import { verificationFields } from "../verification/schema.ts";

const text = z.string().min(1);
const claim = z.enum(CLAIM_NAMES as readonly [string, ...string[]]);

/** Either a file, or what one has: told apart in `parse.ts`, so that a fault is said at its field. */
const verification = z.strictObject({
  file: text.optional().describe("A Verification file, from where this file stands; nothing else beside it."),
  ...verificationFields,
  target: verificationFields.target.optional(),
});

const duration = z.string().refine((value) => {
  const parsed = parseDuration(value);
  return "ms" in parsed && parsed.ms > 0;
}, "must be a duration above zero, as 30m or 1h30m");

export const gateSchema = z
  .strictObject({
    apiVersion: z.literal("asfound.dev/v1alpha1"),
    kind: z.literal("Gate"),
    verifications: z
      .array(verification)
      .min(1)
      .max(MOST_VERIFICATIONS)
      .describe("What is judged: each as a Verification file has it, or the file itself."),
    claims: z
      .array(claim)
      .min(1)
      .optional()
      .describe("Each has to be proven; where none is named, what the verifications name, else their kinds."),
    evidence: z
      .strictObject({
        maxAge: duration.optional().describe("Of evidence since it was read. 1h where it is not told."),
        keys: z
          .array(text)
          .min(1)
          .max(20)
          .optional()
          .describe("Public keys (PEM files) whose signatures count, from where this file stands."),
        trust: z.enum(GATE_TIERS).optional().describe("At least this tier. T0 where it is not told."),
      })
      .optional(),
    approvals: z
      .strictObject({
        by: z.array(text.max(200)).min(1).max(200).describe("Who may approve, as --actor names them."),
        maxAge: duration.optional().describe("Of an approval; as evidence.maxAge where it is not told."),
        count: z
          .int()
          .min(1)
          .max(200)
          .optional()
          .describe("How many of them have to. 1 where it is not told."),
      })
      .optional(),
    accepts: z
      .partialRecord(z.enum(REFUSAL_NAMES as readonly [string, ...string[]]), text)
      .optional()
      .describe("Refusals of gate test that this gate knowingly does without, each with the reason."),
    cases: z
      .array(
        z.strictObject({
          name: text.max(200),
          from: text.describe("A saved state (asfound snapshot), from where this file stands."),
          of: z
            .int()
            .min(0)
            .optional()
            .describe("Of which verification, counted from 0; the first where it is not told."),
          expect: z.enum(["refuse", "promote"]),
          claims: z
            .array(claim)
            .min(1)
            .optional()
            .describe("Claims that have to be among what it is refused for."),
        }),
      )
      .min(1)
      .max(MOST_CASES)
      .optional()
      .describe("Saved states of your own, which gate test shows to the gate."),
  })
  .describe("What asfound gate check -f FILE asks before a release goes on.");

export type GateFile = z.infer<typeof gateSchema>;

/** JSON Schema (2020-12), as it is published. */
export const gateJsonSchema = (): string =>
  `${JSON.stringify(z.toJSONSchema(gateSchema, { io: "input" }), null, 2)}\n`;
