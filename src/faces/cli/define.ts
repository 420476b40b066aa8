/** The names that verbs work on, and how a verb's texts become its help. */
import type { Cli } from "./context.ts";
import type { VerbText } from "./texts/verbs.ts";

export const docs = ({ brief, full }: VerbText) => ({ brief, fullDescription: full });

type Proposals = (this: Cli, partial: string) => Promise<readonly string[]>;

const proposing = (propose: Proposals | undefined) =>
  propose === undefined ? {} : { proposeCompletions: propose };

/** One name that a verb works on. */
export const named = (placeholder: string, brief: string, propose?: Proposals) =>
  ({ kind: "tuple", parameters: [{ brief, placeholder, parse: String, ...proposing(propose) }] }) as const;

/** Two names, each with what it is; the second may be left out. */
export const bothNamed = (first: readonly [string, string], second: readonly [string, string]) => {
  const one = ([placeholder, brief]: readonly [string, string]) => ({ brief, placeholder, parse: String });
  return { kind: "tuple", parameters: [one(first), { ...one(second), optional: true }] } as const;
};

/** Two names, both needed. */
export const eachNamed = (first: readonly [string, string], second: readonly [string, string]) => {
  const one = ([placeholder, brief]: readonly [string, string]) => ({ brief, placeholder, parse: String });
  return { kind: "tuple", parameters: [one(first), one(second)] } as const;
};

export const optionallyNamed = (placeholder: string, brief: string, propose?: Proposals) =>
  ({
    kind: "tuple",
    parameters: [{ brief, placeholder, parse: String, optional: true, ...proposing(propose) }],
  }) as const;

export const manyNamed = (placeholder: string, brief: string, minimum: number, propose?: Proposals) =>
  ({
    kind: "array",
    parameter: { brief, placeholder, parse: String, ...proposing(propose) },
    minimum,
  }) as const;

/** Step names that the ledger knows, for completion: whatever is in the way, nothing is proposed. */
export const knownSteps: Proposals = async function (partial) {
  const { stepNames } = await import("./step-names.ts");
  return (await stepNames(this)).filter((name) => name.startsWith(partial));
};
