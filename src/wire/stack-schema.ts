/**
 * The shape of a stack file (DESIGN §6), once: it checks what people write and is published as JSON Schema for editors.
 * Loaded lazily, as the only module that brings zod in. What a shape cannot say (names that must exist, circles,
 * variables) is checked in `manifest/check.ts`; what `uses` and `with` may hold, by the provider itself.
 */
import * as z from "zod";
import { parseDuration } from "../domain/duration.ts";

const API_VERSION = "asfound.dev/v1alpha1";

/** A timer beyond this many milliseconds (24 days) would fire at once. */
const MAX_TIMER_MS = 24 * 24 * 3_600_000;

const duration = (longestMs: number | null, about: string) =>
  z
    .string()
    .superRefine((text, context) => {
      const parsed = parseDuration(text);
      const message = "fault" in parsed ? parsed.fault : limitFault(parsed.ms, longestMs);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .meta({
      description: `${about} A duration as Go writes it: 500ms, 30s, 1h30m.`,
      pattern: "^\\+?(0|((\\d+(\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+)$",
      examples: ["30s", "10m", "1h30m"],
    });

const limitFault = (ms: number, longestMs: number | null): string | undefined =>
  longestMs !== null && ms > longestMs ? "at most 576h (24 days) are allowed here" : undefined;

const text = z
  .string()
  .refine((value) => value.trim() !== "", { error: "must not be empty" })
  .meta({ minLength: 1 });

/** No system takes a NUL in a path, and each says so in its own words. */
const path = text
  .refine((value) => !value.includes("\0"), { error: "a path cannot hold a NUL character" })
  .meta({ minLength: 1 });

const stepRef = z.string();

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a text is a day of the calendar, as `YYYY-MM-DD`. */
const isDay = (value: string): boolean => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
  return year > 0 && day >= 1 && day <= days;
};

const retain = z
  .strictObject({
    owner: text.describe("Who answers for the thing that is kept."),
    reason: text.describe("Why it is kept."),
    reviewBy: z
      .string()
      .refine(isDay, { error: "must be a day of the calendar, written YYYY-MM-DD" })
      .meta({
        description: "The day to look at it again, YYYY-MM-DD.",
        format: "date",
        examples: ["2027-06-30"],
      }),
  })
  .describe(
    "Keep what this step made: destroy lists it, with owner and review date, instead of removing it.",
  );

const approve = z
  .strictObject({
    before: z.enum(["create", "update", "destroy", "any"]).describe("Which call waits for the approval."),
    by: z
      .array(text)
      .min(1, { error: "must name at least one person" })
      .describe("Who may approve; any one of them is enough."),
  })
  .describe("Do not call the provider before somebody approved it (asfound approve).");

const inputs = z.record(z.string(), z.unknown());
const WITH =
  "The provider's inputs. References work in every value: " +
  `\${steps.NAME.outputs.KEY}, \${secret.env.NAME}, \${secret.file.PATH}, \${var.NAME}; $\${ is a literal \${.`;

const uses = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,99}$/, { error: "must be a provider's name, such as exec or http" })
  .meta({ examples: ["exec", "http", "opentofu", "ansible", "helm", "kubernetes", "argocd", "flux"] });

const compensate = z
  .strictObject({
    uses: uses.optional().describe("The provider that compensates; the step's own when left out."),
    with: inputs.describe("The compensation's inputs."),
  })
  .describe("How to make up for this step, when asked to (asfound compensate). Never run by itself.");

const claim = z.union([text, z.record(z.string(), z.unknown())], {
  error: "must be a claim's name, or an object",
});

export const stepSchema = z.strictObject({
  uses: uses.describe("The provider that carries this step out."),
  with: inputs.optional().describe(WITH),
  needs: z
    .array(stepRef)
    .optional()
    .describe(
      "Steps that must be complete before this one runs. A reference to a step's outputs implies it.",
    ),
  partOf: stepRef
    .optional()
    .describe(
      "The step that contains this one: it is gone only when that one is proven gone. Implies a need.",
    ),
  confirm: z
    .array(claim)
    .optional()
    .describe(
      "Claims that must be proven for the step to be complete: names, about the objects in the step's outputs; or { target: KIND/NAME, claims, response, namespace, kubeconfig, context }. A response is a reply that has to come, as in a Verification: { via: service/web, path, host, port, ca, samples, expect, pod }.",
    ),
  retry: z
    .enum(["once", "named", "keyed", "idempotent"])
    .optional()
    .describe(
      "What may be sent again while an earlier attempt is in doubt: idempotent (again), keyed (again with the same key), named (again, since the name is unique there), once (never). Default: what the provider knows, else once.",
    ),
  keyLifetime: duration(null, "How long the provider remembers an idempotency key. Default 24h.").optional(),
  settle: duration(
    MAX_TIMER_MS,
    "How long after a call ended the provider may still show the old picture. Default 30s.",
  ).optional(),
  deadline: duration(MAX_TIMER_MS, "How long one call may take. Default 10m.")
    .refine((value) => !isZero(value), { error: "a deadline of 0 would end every call before it began" })
    .optional(),
  window: duration(MAX_TIMER_MS, "How long confirm is observed. Default 5m.").optional(),
  files: z
    .array(text)
    .optional()
    .describe(
      "Globs of input files, relative to this file's folder: a change in any of them plans an update.",
    ),
  onChange: z
    .enum(["update", "replace"])
    .optional()
    .describe(
      "What a change of inputs plans. Default: update where the provider can, else a decision is asked for.",
    ),
  retain: retain.optional(),
  approve: approve.optional(),
  compensate: compensate.optional(),
  public: z.array(text).optional().describe("Input and output keys that look secret but are not."),
  keepSecrets: z
    .boolean()
    .optional()
    .describe(
      "Keep secret outputs encrypted with the ledger's key, instead of a digest only. Default false.",
    ),
  renamedFrom: stepRef
    .optional()
    .describe("The name this step had before: its history and what exists move along."),
});

const isZero = (text: string): boolean => {
  const parsed = parseDuration(text);
  return "ms" in parsed && parsed.ms === 0;
};

const NAME =
  "1 to 100 characters: letters, marks and digits of any script, - and _, beginning with a letter or digit.";

const top = {
  $schema: z.string().optional().describe("For editors; ignored."),
  apiVersion: z
    .literal(API_VERSION, { error: `must be ${API_VERSION}` })
    .describe("The version of this format."),
  kind: z.literal("Stack", { error: "must be Stack" }).describe("What this file is."),
  metadata: z
    .strictObject({
      name: z.string().describe(`The stack's name. ${NAME}`),
      directory: path
        .optional()
        .describe("Where relative paths start, relative to this file. Default: this file's folder."),
    })
    .describe("What identifies the stack."),
  ledger: path
    .optional()
    .describe(
      "Where the ledger is: a path relative to this file, or a postgres:// URL. Default .asfound/ledger.db.",
    ),
};

/** Everything but the steps' insides: those are checked one by one, so that one broken step hides no other. */
export const headSchema = z.strictObject({ ...top, steps: z.record(z.string(), z.unknown()) });

export const stackSchema = z.strictObject({
  ...top,
  steps: z
    .record(z.string().meta({ pattern: "^[\\p{L}\\p{Nd}][\\p{L}\\p{M}\\p{Nd}_-]{0,99}$" }), stepSchema)
    .describe(`The steps by name, in the order in which they are shown. ${NAME}`),
});

export type StepFile = z.output<typeof stepSchema>;
export type HeadFile = z.output<typeof headSchema>;

/** Field names of the object at a path inside one step, for suggestions. */
export const STEP_FIELDS = Object.keys(stepSchema.shape);
export const RETAIN_FIELDS = Object.keys(retain.shape);
export const APPROVE_FIELDS = Object.keys(approve.shape);
export const COMPENSATE_FIELDS = Object.keys(compensate.shape);
export const HEAD_FIELDS = Object.keys(headSchema.shape).filter((field) => field !== "$schema");

/** JSON Schema, draft 2020-12, of a whole stack file. */
export const stackJsonSchema = (): object => ({
  ...z.toJSONSchema(stackSchema, { io: "input", target: "draft-2020-12" }),
  title: "An asfound stack",
  description: "A named set of steps with dependencies, changed and observed by asfound.",
});
