/** verify -f: what a Verification file asks. What it says is said there alone: a flag beside it would be a second word. */
import type { StackFaults } from "../../../compose/place.ts";
import type { Cli } from "../context.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { selectingFlag, type Wanted, type Wanting } from "./verify-flags.ts";

interface Asked<Flags> {
  readonly wanted: Extract<Wanted, { kind: "one" }>;
  readonly flags: Flags;
  /** Rule files that it names. */
  readonly rules: readonly string[];
  /** A recorded release that it names, by id or name; null: none. */
  readonly release: string | null;
}

/** Throws `Usage` where flags and file do not go together. */
export const askedInFile = async <Flags extends Wanting>(
  cli: Cli,
  flags: Flags,
  file: string,
  typed: string | undefined,
): Promise<Asked<Flags> | StackFaults> => {
  if (typed !== undefined) throw new Usage(VERDICT.fileAndTarget(typed));
  const by = selectingFlag(flags);
  if (by !== undefined) throw new Usage(VERDICT.fileAndSelection(by));
  const twice = saidTwice(flags);
  if (twice !== undefined) throw new Usage(VERDICT.inFile(twice));
  const { verificationIn } = await import("../../../compose/verify.ts");
  const read = await verificationIn(file, cli.terminal.cwd);
  if ("faults" in read) return read;
  const { kind, name, expected, claims, rules, release } = read;
  const { bystanders, replies, ...others } = expected;
  const own = flags.namespace ?? null;
  if (own !== null && read.namespace !== null && own !== read.namespace)
    throw new Usage(VERDICT.otherNamespace(file, read.namespace, own));
  const namespace = read.namespace ?? own;
  return {
    wanted: {
      kind: "one",
      typed: `${kind}/${name}`,
      question: {
        kind,
        name,
        namespace: namespace ?? "default",
        expected: {
          ...others,
          release: null,
          bystanders: bystanders === null ? null : { named: bystanders, before: null, replies },
          since: flags.since ?? null,
        },
        claims,
        secrets: flags.secrets ?? false,
      },
    },
    flags: namespace === null ? flags : { ...flags, namespace },
    rules,
    release,
  };
};

const saidTwice = (flags: Wanting): string | undefined => {
  const names = [
    "uid",
    "commit",
    "application",
    "repository",
    "replicas",
    "image",
    "injected",
    "replaced",
    "config",
    "claims",
    "via",
    "bystander",
    "release",
  ] as const;
  const given = names.find((name) => flags[name] !== undefined);
  return given === undefined ? undefined : `--${given}`;
};
