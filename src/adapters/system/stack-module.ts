/**
 * Imports a stack written in TypeScript or JavaScript. It is a program, so it runs in a thread of its own that can be
 * ended: one that loops for ever, waits for ever or ends the process is a fault like any other (`stack-worker.ts`).
 */
import { extname } from "node:path";
import type { JsonValue } from "../../domain/json.ts";
import type { Fault } from "../../wire/manifest/fault.ts";
import { printable } from "../../wire/redact/printable.ts";

const TIMEOUT_MS = 30_000;

/** The default export, or `export const stack`, as plain JSON. */
export type Imported = { readonly object: JsonValue } | { readonly faults: readonly Fault[] };

export const importStack = async (path: string, timeoutMs: number = TIMEOUT_MS): Promise<Imported> => {
  const threads = await import("node:worker_threads");
  // As text, since a thread has the options of this process, and `--input-type` suits no file.
  const worker = new threads.Worker(`import(${JSON.stringify(WORKER.href)})`, {
    eval: true,
    workerData: path,
    argv: process.argv.slice(2),
    env: threads.SHARE_ENV,
    stdout: true,
  });
  // stdout holds the result alone (DESIGN §7).
  worker.stdout.pipe(process.stderr, { end: false });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Imported>((resolve) => {
      const failed = (message: string) => resolve(notLoaded(path, message));
      worker.once("message", resolve);
      worker.once("error", (error: Error) => failed(`loading the file failed: ${error.message}`));
      worker.once("exit", () =>
        failed("the file did not load: it calls process.exit, or waits for what never comes"),
      );
      const why = `the file did not finish loading within ${timeoutMs / 1000} s, so it was stopped; it loops, or waits for something`;
      timer = setTimeout(() => failed(why), timeoutMs);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
};

/** Beside this file, of the same kind: as source, as the library, or in the bundle. */
const WORKER = new URL(`./stack-worker${extname(import.meta.url)}`, import.meta.url);

const notLoaded = (file: string, message: string): Imported => ({
  faults: [{ file, line: null, column: null, field: "", message: printable(message) }],
});
