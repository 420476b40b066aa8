/**
 * What strace wrote, as system calls in the order in which they were entered. An exit is printed before the thread may
 * go on, so of two calls of one thread, and of a call and what it caused, the order of the lines is the order in time.
 */

export interface Call {
  readonly thread: number;
  readonly name: string;
  /** As strace prints them, strings escaped. */
  readonly args: string;
  /** Of the file that the call is about, where it is about one. */
  readonly path: string | null;
  readonly result: string;
  /** Lines of the trace: a call that was under way while others came and went has two. */
  readonly enteredAt: number;
  /** Infinity: it never returned. */
  readonly returnedAt: number;
  /** strace made it fail, or held it up. */
  readonly isStruck: boolean;
}

/** Without `-f` no thread is named, since there is only one. */
const LINE = /^(?:(\d+) +)?(?:\d+\.\d+ )?([\w<].*)$/;
const WHOLE = /^(\w+)\((.*)\) += (.*)$/;
const BEGUN = /^(\w+)\((.*) <unfinished \.\.\.>$/;
const RESUMED = /^<\.\.\. (\w+) resumed>(.*)\) += (.*)$/;

export const readTrace = (text: string): readonly Call[] => {
  const calls: Call[] = [];
  const begun = new Map<number, { readonly index: number; readonly args: string }>();
  for (const [at, line] of text.split("\n").entries()) {
    const [, thread = "0", rest] = LINE.exec(line) ?? [];
    if (rest === undefined) continue;
    const whole = WHOLE.exec(rest);
    const half = BEGUN.exec(rest);
    const end = RESUMED.exec(rest);
    if (half !== null) {
      begun.set(Number(thread), { index: calls.length, args: half[2] ?? "" });
      calls.push(callOf(Number(thread), half[1] ?? "", half[2] ?? "", "", at, Number.POSITIVE_INFINITY));
    } else if (end !== null) {
      const from = begun.get(Number(thread));
      begun.delete(Number(thread));
      const entered = from === undefined ? undefined : calls[from.index];
      if (from === undefined || entered === undefined) continue;
      const args = from.args + (end[2] ?? "");
      calls[from.index] = callOf(entered.thread, entered.name, args, end[3] ?? "", entered.enteredAt, at);
    } else if (whole !== null)
      calls.push(callOf(Number(thread), whole[1] ?? "", whole[2] ?? "", whole[3] ?? "", at, at));
  }
  return calls;
};

const callOf = (
  thread: number,
  name: string,
  args: string,
  result: string,
  enteredAt: number,
  returnedAt: number,
): Call => ({
  thread,
  name,
  args,
  path: pathOf(name, args),
  result,
  enteredAt,
  returnedAt,
  isStruck: /\((INJECTED|DELAYED)\)/.test(result),
});

/** A descriptor with its path (`-y`), or the path that is to be opened. */
const pathOf = (name: string, args: string): string | null => {
  const found = name === "openat" ? /"([^"]*)"/.exec(args) : /^\d+<([^>]*)>/.exec(args);
  return found?.[1] ?? null;
};

export const succeeded = (call: Call): boolean =>
  call.returnedAt !== Number.POSITIVE_INFINITY && !call.result.startsWith("-1");
