/** The flags of the release verbs. */
import { releaseNameFault } from "../../domain/release-name.ts";
import {
  type Asking,
  askingFlags,
  duration,
  everywhereAliases,
  type Flag,
  FlagFault,
  type Flags,
  text,
  toggle,
} from "./flags.ts";
import { type TracingFlags, tracing } from "./flags-config.ts";
import { FLAG } from "./texts/flags.ts";

const pattern = (
  brief: string,
  placeholder: string,
  form: RegExp,
  must: string,
): Flag<string | undefined> => ({
  kind: "parsed",
  parse: (input) => {
    if (!form.test(input)) throw new FlagFault(must);
    return input;
  },
  brief,
  placeholder,
  optional: true,
});

const SHA = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

export interface RecordFlags extends Asking, Pick<TracingFlags, "from" | "at"> {
  readonly releases?: string;
  readonly name?: string;
  /** A SHA, or HEAD. */
  readonly commit?: string;
  readonly tree?: string;
  readonly irreversible?: readonly string[];
  readonly secrets: boolean;
  readonly window?: number;
}

export const recording: Flags<RecordFlags> = {
  ...askingFlags,
  from: tracing.from,
  at: tracing.at,
  releases: text(FLAG.releases, "DIR"),
  name: {
    kind: "parsed",
    parse: (input) => {
      const fault = releaseNameFault(input);
      if (fault !== undefined) throw new FlagFault(fault);
      return input;
    },
    brief: FLAG.releaseName,
    placeholder: "NAME",
    optional: true,
  },
  commit: pattern(
    FLAG.commit,
    "SHA",
    /^(HEAD|[0-9a-f]{40}|[0-9a-f]{64})$/,
    "must be HEAD, or a whole SHA of 40 or 64 hex digits",
  ),
  tree: pattern(FLAG.tree, "SHA", SHA, "must be a whole SHA of 40 or 64 hex digits"),
  irreversible: {
    kind: "parsed",
    parse: (input) => {
      if (input.trim() === "") throw new FlagFault("must not be empty");
      return input;
    },
    brief: FLAG.irreversible,
    placeholder: "TEXT",
    optional: true,
    variadic: true,
  },
  secrets: toggle(FLAG.secrets),
  window: duration(FLAG.recordWindow),
};

export const aliases = { ...everywhereAliases, n: "namespace", o: "output" } as const;

export type RetentionFlags = Asking & Pick<RecordFlags, "from" | "at" | "releases" | "secrets">;

export const retention: Flags<RetentionFlags> = {
  ...askingFlags,
  from: recording.from,
  at: recording.at,
  releases: recording.releases,
  secrets: toggle(FLAG.retainedSecrets),
};

export const store: Flags<Pick<RecordFlags, "releases">> = { releases: recording.releases };

export const storeAliases = { ...everywhereAliases, o: "output" } as const;

export interface ReleaseFlags extends Pick<Asking, "namespace"> {
  readonly releases?: string;
}

export const reading: Flags<ReleaseFlags> = {
  releases: text(FLAG.releases, "DIR"),
  namespace: askingFlags.namespace,
};
