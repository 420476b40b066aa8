/**
 * What this machine tells of processes: who we are, whether a holder lives (N1), which provider processes outlived the
 * asfound that started them (N6). By /proc; on a system without it nothing is claimed to be dead.
 *
 * Limits: a process that replaced its environment, or that another user owns, is not seen as a survivor.
 */
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Key } from "../../domain/ids.ts";
import type { Known } from "../../domain/known.ts";
import { known, unreadable } from "../../domain/known.ts";
import type { Holder } from "../../domain/lease.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Host, Survivor } from "../../ports/host.ts";
import { bootId } from "./boot.ts";
import { ciRunOf } from "./ci-run.ts";
import { canAct, pids, readCommand, readEnviron, readStat } from "./proc.ts";

export interface HostOptions {
  readonly clock: Clock;
  /** Where the CI run is named; default: this process's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Between TERM and KILL. */
const TERM_MS = 5_000;
const POLL_MS = 50;

export const systemHost = ({ clock, environment = process.env }: HostOptions): Host => ({
  self: (actor) => ({ ...readSelf(), actor, ciRun: ciRunOf(environment) }),
  isAlive: (holder) => isAlive(holder, readSelf()),
  survivors: async (keys) => survivorsOf(keys),
  end: (survivor) => endGroup(survivor, clock),
});

type Self = Pick<Holder, "host" | "bootId" | "pidNamespace" | "pid" | "startTicks">;

const readSelf = (): Self => {
  const own = readStat("self");
  // A /proc of another PID namespace shows other pids than ours: it proves nothing about them.
  const isOurs = own !== null && own.pid === process.pid;
  return {
    host: hostname(),
    bootId: isOurs ? bootId() : "",
    pidNamespace: isOurs ? pidNamespace() : "",
    pid: process.pid,
    startTicks: isOurs ? own.startTicks : "",
  };
};

const pidNamespace = (): string => {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
};

/**
 * Host name, boot id and PID namespace must be ours: a virtual machine that was cloned while running shares the last
 * two with its twin.
 */
const isAlive = (holder: Holder, self: Self): Known<boolean> => {
  if (self.bootId === "" || self.pidNamespace === "" || self.startTicks === "")
    return unreadable("this system has no /proc that tells of processes");
  if (holder.bootId === "" || holder.startTicks === "")
    return unreadable("the holder's system told no boot id and start time");
  if (holder.host !== self.host || holder.bootId !== self.bootId)
    return unreadable(
      `the holder runs on ${holder.host}, or in an earlier boot, which cannot be seen from here`,
    );
  if (holder.pidNamespace !== self.pidNamespace)
    return unreadable("the holder runs in another PID namespace, such as another container");
  const stat = readStat(holder.pid);
  if (stat !== null) return known(stat.startTicks === holder.startTicks && canAct(stat));
  // /proc may hide the processes of other users (hidepid); a signal's check is not fooled by that.
  if (isGone(holder.pid)) return known(false);
  return unreadable(`/proc hides the process ${holder.pid}`);
};

/** True only if no process has that pid. */
const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
};

const KEY_VARIABLE = "ASFOUND_KEY=";
/** A reading changes nothing, so a left-over observe is no danger to what is believed. */
const READS_ONLY = "ASFOUND_ACTION=observe";

const survivorsOf = (keys: ReadonlySet<Key>): readonly Survivor[] => {
  if (keys.size === 0) return [];
  return pids().flatMap((pid) => {
    if (pid === process.pid) return [];
    const before = readStat(pid);
    if (before === null || !canAct(before)) return [];
    const environ = readEnviron(pid);
    const entry = environ?.find((variable) => variable.startsWith(KEY_VARIABLE));
    if (environ == null || entry === undefined || environ.includes(READS_ONLY)) return [];
    const key = entry.slice(KEY_VARIABLE.length) as Key;
    if (!keys.has(key)) return [];
    const command = readCommand(pid);
    // The same process before and after: else what was read may be of two.
    if (readStat(pid)?.startTicks !== before.startTicks) return [];
    return [{ pid, startTicks: before.startTicks, key, command }];
  });
};

/**
 * TERM to the survivor's group, after 5 s KILL. The group is signalled only while one of its processes is proven to be
 * the survivor or to carry its key, and never if it is ours.
 */
const endGroup = async (survivor: Survivor, clock: Clock): Promise<void> => {
  const stat = readStat(survivor.pid);
  if (stat === null || stat.startTicks !== survivor.startTicks) return;
  const { group } = stat;
  const own = readStat("self");
  const isAlone = group <= 1 || own === null || group === own.group;

  const isSame = (): boolean => {
    const now = readStat(survivor.pid);
    return now !== null && now.startTicks === survivor.startTicks && canAct(now);
  };
  const lives = (): boolean =>
    isSame() ||
    (!isAlone && survivorsOf(new Set([survivor.key])).some(({ pid }) => readStat(pid)?.group === group));
  const send = (signal: "SIGTERM" | "SIGKILL"): void => {
    if (survivor.pid <= 1 || survivor.pid === process.pid || !lives()) return;
    try {
      process.kill(isAlone ? survivor.pid : -group, signal);
    } catch (error) {
      // Gone between the look and the signal: what was wanted.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };

  send("SIGTERM");
  const until = clock.monotonicMs() + TERM_MS;
  while (lives() && clock.monotonicMs() < until) await clock.sleep(POLL_MS);
  send("SIGKILL");
  // KILL cannot be refused, but takes a moment to show.
  const seen = clock.monotonicMs() + TERM_MS;
  while (lives() && clock.monotonicMs() < seen) await clock.sleep(POLL_MS);
};
