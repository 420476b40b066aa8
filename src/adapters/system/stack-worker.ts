/**
 * The thread in which a stack file runs as a program: imports it, and answers with what it exports as plain JSON, or with
 * what is wrong with it. Node strips the types itself. What the file throws, whenever it does, is a fault.
 */
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { Fault } from "../../wire/manifest/fault.ts";
import { plainJson } from "../../wire/manifest/plain.ts";
import { printable } from "../../wire/redact/printable.ts";
import type { Imported } from "./stack-module.ts";

const load = async (path: string): Promise<Imported> => {
  const { href } = pathToFileURL(path);
  try {
    return exported(path, await import(href));
  } catch (error) {
    return thrown(path, error);
  }
};

const exported = (path: string, module: Record<string, unknown>): Imported => {
  const byDefault = Object.hasOwn(module, "default") ? module["default"] : undefined;
  const byName = Object.hasOwn(module, "stack") ? module["stack"] : undefined;
  if (byDefault !== undefined && byName !== undefined && byDefault !== byName)
    return fault(path, "the file exports two stacks, by default and as stack; export one");
  const object = byDefault ?? byName;
  if (object === undefined)
    return fault(path, "the file exports no stack; write export const stack = defineStack({ … })");
  const plain = plainJson(object);
  return "faults" in plain ? { faults: plain.faults.placed(path, () => null) } : { object: plain.value };
};

const fault = (file: string, message: string, place: Partial<Place> = {}): Imported => {
  const { line = null, column = null } = place;
  const found: Fault = { file, line, column, field: "", message: printable(message) };
  return { faults: [found] };
};

/** One sentence, at the place in the file that the stack trace names, if it names one. */
const thrown = (path: string, error: unknown): Imported => {
  const said = textOf(() => (error instanceof Error ? error.message : `it threw ${String(error)}`));
  const [firstLine] = (said ?? "it threw a value that cannot be shown").split("\n");
  const trace = textOf(() => (error instanceof Error ? error.stack : "")) ?? "";
  const place = placeIn(trace, pathToFileURL(path).href) ?? placeIn(trace, path);
  return fault(path, `loading the file failed: ${String(firstLine).slice(0, 300)}`, place);
};

/** What the file threw may run code of its own when it is looked at, and need not be what it says. */
const textOf = (look: () => unknown): string | undefined => {
  try {
    const text = look();
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
};

interface Place {
  readonly line: number;
  readonly column: number | null;
}

const placeIn = (trace: string, name: string): Place | undefined => {
  const start = trace.indexOf(`${name}:`);
  if (start < 0) return undefined;
  const numbers = /^:(\d+)(?::(\d+))?/.exec(trace.slice(start + name.length));
  if (numbers === null) return undefined;
  return { line: Number(numbers[1]), column: numbers[2] === undefined ? null : Number(numbers[2]) };
};

const path = String(workerData);
/** After all that it logged, which is lost when the thread is ended. */
const answer = (imported: Imported): void => {
  process.stdout.write("", () => process.stderr.write("", () => parentPort?.postMessage(imported)));
};
process.on("uncaughtException", (error) => answer(thrown(path, error)));
void load(path).then(answer);
