/** A command in any language as a subject of the checks, as `uses: exec` runs it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execProvider } from "../../adapters/provider-exec/provider.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Subject } from "./check.ts";
import type { Switches } from "./switches.ts";

export interface ExecSubjectOptions {
  /** The argument array of observe, create, update and destroy alike. */
  readonly command: readonly string[];
  /** What the step's `with` holds beside its commands (`inputs`, `environment`, …). `place`: a fresh folder, this check's own. */
  readonly with: (place: string) => JsonObject;
  /** The same with other inputs, for an update; left out where there is none. */
  readonly changed?: (place: string) => JsonObject;
  /** Counts what really exists. */
  readonly count: (place: string) => number | Promise<number>;
  readonly switches?: (place: string) => Switches;
  readonly step?: Subject["step"];
  /** Where the command runs; default: the working directory. */
  readonly directory?: string;
  /** What the command's few variables come from (PATH, HOME, …; docs/guide/exec-provider.md); usually `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Gives a fresh subject with a folder of its own, which is removed when its check is over. */
export const execSubject = (options: ExecSubjectOptions) => async (): Promise<Subject> => {
  const { command, changed, switches, step, directory, environment } = options;
  const place = await mkdtemp(join(tmpdir(), "asfound-subject-"));
  const commands = { observe: command, create: command, destroy: command };
  const inputs = (more: JsonObject): JsonObject =>
    changed === undefined ? { ...commands, ...more } : { ...commands, update: command, ...more };
  return {
    provider: execProvider({ environment }),
    with: inputs(options.with(place)),
    count: async () => options.count(place),
    end: () => rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
    ...(changed === undefined ? {} : { changed: inputs(changed(place)) }),
    ...(switches === undefined ? {} : { switches: switches(place) }),
    ...(step === undefined ? {} : { step }),
    ...(directory === undefined ? {} : { directory }),
  };
};
