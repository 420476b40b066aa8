/**
 * Names and ids as distinct types, so that one can never stand in for another.
 * A Ref says what a thing is called; an Identity says which incarnation it is. Equal Refs never prove sameness.
 */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** The stack's name in its file. */
export type StackName = Branded<"StackName">;
/** `st_` + UUIDv7: which stack, whatever it is called. Also in `asfound.lock`. */
export type StackId = Branded<"StackId">;
/** `lg_` + UUIDv7. */
export type LedgerId = Branded<"LedgerId">;
/** `op_` + UUIDv7. */
export type OperationId = Branded<"OperationId">;
/** `in_` + UUIDv7. */
export type IntentId = Branded<"IntentId">;
/** `ev_` + UUIDv7: one observation. */
export type EvidenceId = Branded<"EvidenceId">;
/** A step's name. The row of a compensation is `NAME~compensate`: `~` is not allowed in a name people write. */
export type StepName = Branded<"StepName">;
/** The idempotency key that marks one incarnation: `asf-` + UUIDv7. Sent to the provider, so it is never a secret. */
export type Key = Branded<"Key">;
/** `sha256:` + 64 hex digits. */
export type Digest = Branded<"Digest">;
/** Counts the leases ever granted for one stack; a larger one fences the smaller ones off (N2). */
export type Epoch = number & { readonly [brand]: "Epoch" };
/** Milliseconds since 1970-01-01T00:00:00Z by the wall clock. */
export type Instant = number & { readonly [brand]: "Instant" };

export const stackName = (text: string): StackName => text as StackName;
export const stackId = (text: string): StackId => text as StackId;
export const ledgerId = (text: string): LedgerId => text as LedgerId;
export const operationId = (text: string): OperationId => text as OperationId;
export const intentId = (text: string): IntentId => text as IntentId;
export const evidenceId = (text: string): EvidenceId => text as EvidenceId;
export const stepName = (text: string): StepName => text as StepName;
export const key = (text: string): Key => text as Key;
export const digest = (text: string): Digest => text as Digest;
export const epoch = (count: number): Epoch => count as Epoch;
export const instant = (ms: number): Instant => ms as Instant;

/** ISO 8601 in UTC with milliseconds, the one way asfound writes a time. */
export const iso = (at: Instant): string => new Date(at).toISOString();

const NAME = /^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}_-]{0,99}$/u;

/** Why `text` cannot be the name of a stack or step, as one sentence; undefined when it can. */
export const nameFault = (text: string): string | undefined => {
  if (text.length === 0) return "a name must not be empty";
  if (text !== text.normalize("NFC")) return "the name is not in Unicode NFC form; write it composed";
  if ([...text].length > 100) return `the name has ${[...text].length} characters; at most 100 are allowed`;
  if (!NAME.test(text))
    return "a name has letters, marks and digits of any script, '-' and '_', and begins with a letter or digit";
  return undefined;
};
