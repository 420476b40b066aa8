/**
 * `asfound/provider`: everything to write a provider, which reaches one kind of tool.
 *
 * The contract, in five sentences. `observe` changes nothing and never throws: what went wrong is a reading. A changing
 * method gets a `CommittedIntent`, calls `open()` once, right before it sends, and answers with what it knows, not with
 * what it hopes: `done` is believed only as far as `observe` agrees. `refused` means that it surely did nothing; when in
 * doubt it is `unknown`. An id goes to `io.identity` the moment it is known. `asfound/testing` has the checks that a
 * provider has to pass.
 */
import type { CommittedIntent } from "./domain/committed-intent.ts";
import type { JsonObject } from "./domain/json.ts";
import { known, notAsked, unreadable } from "./domain/known.ts";
import { type Brought, nothingBrought, type Outcome, type Reading } from "./domain/outcome.ts";
import type { RetryClass } from "./domain/step.ts";
import type { CallIo, InputFault, Provider, Question } from "./ports/provider.ts";

export type { Call, CommittedIntent } from "./domain/committed-intent.ts";
export type { Capabilities } from "./domain/journal.ts";
export type { JsonObject, JsonValue } from "./domain/json.ts";
export type { Known } from "./domain/known.ts";
export type { Brought, Outcome, Reading } from "./domain/outcome.ts";
export type { Action, RetryClass } from "./domain/step.ts";
export type { CallIo, InputFault, Provider, ProviderFacts, Question } from "./ports/provider.ts";

// ---- what came back from a call ----------------------------------------------------------------------------------

const brought = (some: Partial<Brought>): Brought => ({ ...nothingBrought, ...some });

/** It did it, by its own word. */
export const done = (some: Partial<Brought> = {}): Outcome => ({ kind: "done", ...brought(some) });
/** It surely did nothing; one sentence says why, and how that is known. */
export const refused = (reason: string): Outcome => ({ kind: "refused", reason });
/** It answered that it failed; an effect is possible, so an id or outputs that came are kept. */
export const failed = (reason: string, some: Partial<Brought> = {}): Outcome => ({
  kind: "failed",
  reason,
  ...brought(some),
});
/** Nobody knows: no answer, half an answer, two answers. */
export const unknown = (reason: string, some: Partial<Brought> = {}): Outcome => ({
  kind: "unknown",
  reason,
  ...brought(some),
});

// ---- what a reading showed ---------------------------------------------------------------------------------------

export interface Seen {
  readonly id?: string | null;
  readonly outputs?: JsonObject;
  /** Whether it is as the inputs say; left out where the provider does not tell. */
  readonly asDeclared?: boolean | { readonly unreadable: string };
  /** What differs, as one clause. */
  readonly reason?: string;
}

/** It is there. */
export const present = ({ id = null, outputs = {}, asDeclared, reason }: Seen = {}): Reading => ({
  kind: "observed",
  id,
  outputs,
  asDeclared:
    asDeclared === undefined
      ? notAsked
      : typeof asDeclared === "boolean"
        ? known(asDeclared)
        : unreadable(asDeclared.unreadable),
  reason: reason ?? null,
});
/** An answer that shows that it is not there. An empty or failed reading is `notRead`, never this. */
export const absent: Reading = { kind: "absent" };
/** Several could be it. */
export const ambiguous = (ids: readonly string[]): Reading => ({ kind: "ambiguous", ids });
/** We may not look. */
export const denied = (reason: string): Reading => ({ kind: "denied", reason });
/** The question failed, so it has no answer. */
export const notRead = (reason: string): Reading => ({ kind: "failed", reason });
/** The question had no answer in time. */
export const timedOut = (reason: string): Reading => ({ kind: "timed-out", reason });

// ---- a provider of what is there ---------------------------------------------------------------------------------

/** A provider by the methods that it has; what is left out it cannot do, and `plan` says so. */
export interface ProviderDefinition {
  readonly name: string;
  /** The class it keeps by itself; left out where only the person can know. */
  readonly retry?: RetryClass;
  /** Pure: what is wrong with a `with` as written, references unresolved. */
  readonly check?: (inputs: JsonObject) => readonly InputFault[];
  /** Globs of files that it reads, relative to the stack's folder. */
  readonly inputFiles?: (inputs: JsonObject) => readonly string[];
  /** What it cannot know, each one sentence for `plan`. */
  readonly cannotKnow?: readonly string[];
  readonly observe?: (question: Question, io: CallIo) => Promise<Reading>;
  readonly create: (intent: CommittedIntent<"create">, io: CallIo) => Promise<Outcome>;
  readonly update?: (intent: CommittedIntent<"update">, io: CallIo) => Promise<Outcome>;
  readonly destroy?: (intent: CommittedIntent<"destroy">, io: CallIo) => Promise<Outcome>;
  readonly compensate?: (intent: CommittedIntent<"compensate">, io: CallIo) => Promise<Outcome>;
  readonly owed?: (intent: CommittedIntent<"owed">, io: CallIo) => Promise<Outcome>;
}

const BLIND = "it cannot be observed, so it is complete by its own word only";
const STUCK = "it cannot be destroyed, so nothing is removed, and it is destroyed by its own word only";

/** The provider that the definition describes. */
export const defineProvider = (definition: ProviderDefinition): Provider => {
  const { name, observe, create, update, destroy, compensate, owed } = definition;
  const lacks = async (what: string): Promise<Outcome> => refused(`${name} has no ${what}`);
  const limits = [...(observe === undefined ? [BLIND] : []), ...(destroy === undefined ? [STUCK] : [])];
  return {
    name,
    describe: (inputs) => {
      const faults = definition.check?.(inputs) ?? [];
      if (faults.length > 0) return faults;
      return {
        can: {
          observe: observe !== undefined,
          create: true,
          update: update !== undefined,
          destroy: destroy !== undefined,
          compensate: compensate !== undefined,
          owed: owed !== undefined,
        },
        retry: definition.retry ?? null,
        inputFiles: definition.inputFiles?.(inputs) ?? [],
        cannotKnow: [...limits, ...(definition.cannotKnow ?? [])],
      };
    },
    observe:
      observe ?? (async () => ({ kind: "not-asked", reason: `${name} has no observe` }) satisfies Reading),
    create,
    update: update ?? (() => lacks("update")),
    destroy: destroy ?? (() => lacks("destroy")),
    compensate: compensate ?? (() => lacks("compensate")),
    owed: owed ?? (() => lacks("owed")),
  };
};
