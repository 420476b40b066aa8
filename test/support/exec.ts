/** Runs exec steps for tests: short shell programs, a recording CallIo, and few milliseconds where people wait seconds. */
import { tmpdir } from "node:os";
import { execProvider } from "../../src/adapters/provider-exec/provider.ts";
import { operationId, stackName, stepName } from "../../src/domain/ids.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Outcome, Reading } from "../../src/domain/outcome.ts";
import type { CallIo, Question } from "../../src/ports/provider.ts";
import { testIntent } from "./intents.ts";

export const exec = execProvider({ environment: process.env, waits: { termMs: 400, quietMs: 300 } });

export interface Recorded extends CallIo {
  readonly identities: { id: string; outputs: JsonObject | undefined }[];
  readonly lines: string[];
}

export const recordingIo = (partial: Partial<CallIo> = {}): Recorded => {
  const identities: Recorded["identities"] = [];
  const lines: string[] = [];
  return {
    deadlineMs: 30_000,
    stop: new AbortController().signal,
    identity: async (id, outputs) => {
      identities.push({ id, outputs });
    },
    progress: (text) => {
      lines.push(text);
    },
    baseDirectory: tmpdir(),
    ...partial,
    identities,
    lines,
  };
};

/** A shell program as an argument array; the text is the program. */
export const sh = (program: string): string[] => ["sh", "-c", program];

/** Prints each value as one JSON line (a string as it stands). */
export const printing = (...values: (JsonObject | string)[]): string =>
  values
    .map((value) => `printf '%s\\n' ${quote(typeof value === "string" ? value : JSON.stringify(value))}`)
    .join("\n");

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const create = (
  program: string,
  io: CallIo = recordingIo(),
  more: JsonObject = {},
): Promise<Outcome> => exec.create(testIntent("create", { inputs: { create: sh(program), ...more } }), io);

export const question = (partial: Partial<Question> = {}): Question => ({
  stack: stackName("shop"),
  step: stepName("web"),
  operation: operationId("op_0197a000-0000-7000-8000-000000000002"),
  attempt: 0,
  key: null,
  keys: [],
  epoch: 7,
  inputs: {},
  identity: null,
  outputs: {},
  previousInputs: null,
  ...partial,
});

export const observe = (
  program: string,
  io: CallIo = recordingIo(),
  more: JsonObject = {},
): Promise<Reading> =>
  exec.observe(question({ inputs: { create: ["true"], observe: sh(program), ...more } }), io);
