/** One check: what it is called, of which classes it is a condition, which switches it needs, and how it is made. */
import type { JsonObject } from "../../domain/json.ts";
import type { RetryClass } from "../../domain/step.ts";
import type { Provider } from "../../ports/provider.ts";
import { type After, type Harness, type HarnessOptions, harness } from "./harness.ts";
import type { Switches } from "./switches.ts";

/** A provider with something to make, in a place of its own. */
export interface Subject {
  readonly provider: Provider;
  readonly with: JsonObject;
  /** Inputs that an update turns into; left out where the provider has no update. */
  readonly changed?: JsonObject;
  readonly step?: HarnessOptions["step"];
  readonly directory?: string;
  readonly environment?: HarnessOptions["environment"];
  /** Counts what really exists, by asking the tool and not the provider. */
  readonly count: () => Promise<number>;
  /** What the tool can be told to do wrong. */
  readonly switches?: Switches;
  /** Called when the check is over, however it ended: removes what `make` made. */
  readonly end?: () => Promise<void>;
}

/** What a check works with. */
export interface At {
  readonly subject: Subject;
  readonly harness: Harness;
  /** A harness with a ledger of its own over the same tool: to the tool, somebody else. */
  another(step?: HarnessOptions["step"]): Harness;
}

/** A check before it has a subject. `body` answers with what was seen, as one sentence; it throws what must not be. */
export interface CheckBody {
  readonly name: string;
  /** The classes that it is a condition of; null: of every class. */
  readonly of: readonly RetryClass[] | null;
  readonly needs: readonly (keyof Switches)[];
  /** Other fields of the step than the subject's. */
  readonly step?: HarnessOptions["step"];
  readonly body: (at: At) => Promise<string>;
}

export class CheckFailed extends Error {
  readonly code = "ASFOUND_CHECK_FAILED";
}

export const must = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new CheckFailed(otherwise);
};

export const complete = (after: After, what: string): void =>
  must(
    after.exit === 0 && after.step.status === "complete",
    `${what} left the step ${after.step.status}: ${after.why}`,
  );

/** A switch that the check says it needs. */
export const switchOf = <Name extends keyof Switches>(at: At, name: Name): NonNullable<Switches[Name]> => {
  const found = at.subject.switches?.[name];
  if (found === undefined) throw new Error(`the subject has no switch ${name}`);
  return found;
};

const atOf = (subject: Subject, check: CheckBody): At => {
  const { provider, with: inputs, step, directory, environment } = subject;
  const fresh = (more: HarnessOptions["step"] = {}): Harness => {
    const given = { step: { ...step, ...check.step, ...more }, directory, environment };
    const kept = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return harness({ provider, with: inputs, ...kept });
  };
  return { subject, harness: fresh(), another: fresh };
};

export type Ran = { readonly saw: string } | { readonly missing: readonly string[] };

/** Runs the check on a fresh subject, and ends that: what was seen, or the switches that are missing. */
export const runCheck = async (check: CheckBody, make: () => Promise<Subject>): Promise<Ran> => {
  const subject = await make();
  try {
    const missing = check.needs.filter((name) => subject.switches?.[name] === undefined);
    return missing.length > 0 ? { missing } : { saw: await check.body(atOf(subject, check)) };
  } finally {
    await subject.end?.();
  }
};

/** What the last call of that action answered; "nothing" when it threw. */
export const answered = (at: At, action: string): string => {
  const call = at.harness.calls.findLast((seen) => seen.action === action);
  if (call === undefined) return "was not called";
  return call.outcome?.kind ?? "threw";
};
