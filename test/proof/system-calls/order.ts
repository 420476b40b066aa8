/**
 * W1 in system calls: the sync that makes an intent durable has returned before the provider's process is spawned, or its
 * connection is opened. Which sync it is, and which call, is told by the key: it is in the bytes that go into the log,
 * in the process's environment, and in the request's header.
 */
import { type Call, succeeded } from "./trace.ts";

export interface Sent {
  readonly key: string;
  /** The call that began it: clone or connect. */
  readonly by: Call;
}

const KEY = /asf-[0-9a-f-]{36}/;
const MUTATES = /"ASFOUND_ACTION=(create|update|destroy|owed|compensate)"/;

/** Mutating calls that were spawned by asfound itself, whose main thread is the trace's first. */
export const spawned = (calls: readonly Call[]): readonly Sent[] => {
  const main = calls[0]?.thread;
  const forks = calls.filter(({ thread, name }) => thread === main && /^(clone3?|v?fork)$/.test(name));
  return calls
    .filter((call) => call.name === "execve" && succeeded(call) && MUTATES.test(call.args))
    .flatMap((execve): readonly Sent[] => {
      const [, key] = /"ASFOUND_KEY=(asf-[^"]*)"/.exec(execve.args) ?? [];
      const by = forks.find(({ result }) => result.split(" ")[0] === String(execve.thread));
      return key === undefined || by === undefined ? [] : [{ key, by }];
    });
};

const REQUEST = /\b(POST|PUT|PATCH|DELETE) \//;

/** Mutating requests: the first write that names the key, and the connect of its socket. */
export const connected = (calls: readonly Call[]): readonly Sent[] =>
  calls
    .filter(({ name, args }) => /^(write|writev|sendto|sendmsg)$/.test(name) && REQUEST.test(args))
    .flatMap((request): readonly Sent[] => {
      const [key] = KEY.exec(request.args) ?? [];
      const [descriptor] = /^\d+/.exec(request.args) ?? [];
      const opened = calls.findLast(
        ({ name, args, enteredAt }) =>
          name === "connect" && enteredAt < request.enteredAt && args.startsWith(`${descriptor}<`),
      );
      return key === undefined || opened === undefined ? [] : [{ key, by: opened }];
    });

const isOfLog = (call: Call): boolean => call.path?.endsWith("/ledger.db-wal") ?? false;

/** The first sync of the log after the intent's bytes were in it; undefined when none returned before the call began. */
export const syncBefore = (calls: readonly Call[], { key, by }: Sent): Call | undefined => {
  const written = calls.find((call) => call.name === "pwrite64" && isOfLog(call) && call.args.includes(key));
  if (written === undefined) return undefined;
  return calls.find(
    (call) =>
      /^(fsync|fdatasync)$/.test(call.name) &&
      isOfLog(call) &&
      succeeded(call) &&
      call.enteredAt > written.returnedAt &&
      call.returnedAt < by.enteredAt,
  );
};

/** One sentence for each mutating call that began before its intent was durable. */
export const orderFaults = (calls: readonly Call[], sent: readonly Sent[]): readonly string[] =>
  sent
    .filter((one) => syncBefore(calls, one) === undefined)
    .map(({ key, by }) => `${by.name} for ${key} began before a sync of its intent had returned`);
