/** Imports a stack written in TypeScript or JavaScript: Node strips the types itself. What the file throws is a fault. */
import { writeSync } from "node:fs";
import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Fault } from "../../wire/manifest/fault.ts";
import { printable } from "../../wire/redact/printable.ts";

const TIMEOUT_MS = 30_000;

type Imported = { readonly object: unknown } | { readonly faults: readonly Fault[] };

/** The default export, or `export const stack`. */
export const importStack = async (path: string, timeoutMs: number = TIMEOUT_MS): Promise<Imported> => {
  const url = pathToFileURL(path);
  const endGuard = guardExit(path);
  try {
    // A long-lived process must see the file as it is now; the module cache goes by the whole URL.
    const { mtimeMs, size } = await stat(path);
    url.search = `?at=${mtimeMs}-${size}`;
    const module = await within(import(url.href) as Promise<Record<string, unknown>>, timeoutMs);
    if (module === undefined)
      return fault(path, `the file did not finish loading within ${timeoutMs / 1000} s`);
    return exported(path, module);
  } catch (error) {
    return thrown(path, url, error);
  } finally {
    endGuard();
  }
};

/** A file that ends the process while it is loaded ends asfound with it: then at least not as a success. */
const guardExit = (path: string): (() => void) => {
  const onExit = (): void => {
    process.exitCode = 2;
    try {
      writeSync(
        2,
        `${printable(path)}: the file ended the process while it was loaded; nothing was called\n`,
      );
    } catch {
      // Nobody reads it; the exit code says it.
    }
  };
  process.on("exit", onExit);
  return () => process.off("exit", onExit);
};

const within = async <T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
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
  return { object };
};

const fault = (
  file: string,
  message: string,
  line: number | null = null,
  column: number | null = null,
): Imported => ({
  faults: [{ file, line, column, field: "", message: printable(message) }],
});

/** One sentence, at the place in the file that the stack trace names, if it names one. */
const thrown = (path: string, url: URL, error: unknown): Imported => {
  const said = textOf(() => (error instanceof Error ? error.message : `it threw ${String(error)}`));
  const [firstLine] = (said ?? "it threw a value that cannot be shown").split("\n");
  const trace = textOf(() => (error instanceof Error ? error.stack : "")) ?? "";
  const place =
    placeIn(trace, url.href) ?? placeIn(trace, url.href.slice(0, -url.search.length)) ?? placeIn(trace, path);
  const message = `loading the file failed: ${String(firstLine).replaceAll(url.search, "").slice(0, 300)}`;
  return fault(path, message, place?.line ?? null, place?.column ?? null);
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

const placeIn = (trace: string, name: string): { line: number; column: number | null } | undefined => {
  const start = trace.indexOf(`${name}:`);
  if (start < 0) return undefined;
  const numbers = /^:(\d+)(?::(\d+))?/.exec(trace.slice(start + name.length));
  if (numbers === null) return undefined;
  return { line: Number(numbers[1]), column: numbers[2] === undefined ? null : Number(numbers[2]) };
};
