/** Gathers what a command tells while it runs. */
import { type Reached, unreached } from "../../domain/crash-point.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { CallIo } from "../../ports/provider.ts";
import type { PrintedLine } from "./lines.ts";
import type { Told } from "./outcome.ts";
import type { Printed } from "./printed.ts";
import { clip, readPrinted } from "./printed.ts";

/** Of one progress line that is passed on. */
const PROGRESS_CHARACTERS = 4096;

/** Passes one line on, unless it is blank. */
export const report = (io: CallIo, text: string): void => {
  if (!/\S/.test(text)) return;
  try {
    io.progress(clip(text, PROGRESS_CHARACTERS));
  } catch {
    // Presentation only: nothing is decided by it, and a command must not block on it.
  }
};

export interface Gathering {
  /** A promise where an id is being handed over: the next line waits for it. */
  take(line: PrintedLine): Promise<void> | void;
  told(): Told;
  /** A refusal has no place for outputs: those of the recorded thing are handed over on their own (W4). */
  keepOutputs(): Promise<void>;
}

/** Of all outputs that one call prints, in characters of JSON. */
const OUTPUTS_CHARACTERS = 4 * 1024 * 1024;
const MAX_IDS = 16;
const MAX_RESULTS = 4;

/** Gathers what a command tells, handing ids over the moment they are printed (W7). Bounded, whatever it prints. */
export const gather = (io: CallIo, recordedId: string | null, reached: Reached = unreached): Gathering => {
  const ids: string[] = [];
  const outputs = new Map<string, JsonValue>();
  let size = 0;
  const results: Told["results"][number][] = [];
  const faults: string[] = [];
  const fault = (why: string): void => {
    if (faults.length < MAX_RESULTS) faults.push(why);
  };

  const keep = (id: string | null, brought: JsonObject): void => {
    if (id !== null && !ids.includes(id)) {
      if (ids.length < MAX_IDS) ids.push(id);
      else fault(`it gave more than ${MAX_IDS} different ids`);
    }
    size += JSON.stringify(brought).length;
    if (size > OUTPUTS_CHARACTERS) {
      fault("its outputs come to more than 4 MiB, and the rest was not kept");
      return;
    }
    for (const [name, value] of Object.entries(brought)) outputs.set(name, value);
  };
  /** A result's outputs go with the outcome, but a command may linger, and a new id must not wait for its end. */
  const keepOfResult = async (id: string | null, brought: JsonObject): Promise<void> => {
    const isNew = id !== null && id !== recordedId && !ids.includes(id);
    keep(id, brought);
    if (isNew) await io.identity(id, brought);
  };

  const takeTold = async (printed: Exclude<Printed, { kind: "progress" }>): Promise<void> => {
    switch (printed.kind) {
      case "told": {
        if (printed.text !== null) report(io, printed.text);
        keep(printed.id, printed.outputs);
        const id = printed.id ?? ids.at(-1);
        if (id !== undefined) await io.identity(id, printed.outputs);
        return;
      }
      case "broken":
        fault(printed.why);
        return keepOfResult(printed.id, printed.outputs);
      case "result":
        if (results.length < MAX_RESULTS) results.push(printed.result);
        return keepOfResult(printed.result.id, printed.result.outputs);
    }
  };

  return {
    take: (line) => {
      const printed = readPrinted(line);
      if (printed.kind === "progress") return report(io, printed.text);
      reached("exec-line-read");
      // Thrown on, it would leave the command blocked on its pipe until the deadline.
      return takeTold(printed).catch((error) => fault(`asfound could not take a line: ${String(error)}`));
    },
    told: () => ({ ids, outputs: Object.fromEntries(outputs), results, faults }),
    keepOutputs: async () => {
      if (recordedId !== null && ids.every((id) => id === recordedId) && outputs.size > 0)
        await io.identity(recordedId, Object.fromEntries(outputs));
    },
  };
};
