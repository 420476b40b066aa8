/** What /proc tells of one process, read with bounds. Nothing here throws: what cannot be read is null. */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";

export interface ProcessStat {
  readonly pid: number;
  /** `Z` zombie and `X` dead cannot act any more. */
  readonly state: string;
  readonly group: number;
  /** Field 22: clock ticks since boot. With the pid it names one process of this boot. */
  readonly startTicks: string;
}

export const canAct = (stat: ProcessStat): boolean => stat.state !== "Z" && stat.state !== "X";

/** `/proc/PID/stat`. The command's name may hold spaces and parentheses: fields are counted after the last `)`. */
export const parseStat = (text: string): ProcessStat | null => {
  const pid = Number.parseInt(text, 10);
  const close = text.lastIndexOf(")");
  const fields = text.slice(close + 2).split(" ");
  const [state, , group] = fields;
  const startTicks = fields[19];
  if (close === -1 || !Number.isInteger(pid) || state === undefined || group === undefined) return null;
  if (startTicks === undefined || !/^\d+$/.test(startTicks)) return null;
  return { pid, state, group: Number(group), startTicks };
};

export const readStat = (pid: number | "self"): ProcessStat | null => {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return null;
  }
};

/** The pids that /proc lists; empty where there is no /proc. */
export const pids = (): readonly number[] => {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
};

/** The most that Linux gives a process for arguments and environment together, and then some. */
const ENVIRON_BYTES = 8 * 1024 * 1024;
const COMMAND_BYTES = 4096;

/** The environment a process was started with, as its `NAME=value` entries; null if it may not be read. */
export const readEnviron = (pid: number): readonly string[] | null => {
  const bytes = readBounded(`/proc/${pid}/environ`, ENVIRON_BYTES);
  return bytes === null ? null : bytes.toString("utf8").split("\0");
};

/** The command line for a person: arguments joined by spaces, control characters escaped, at most 200 characters. */
export const readCommand = (pid: number): string => {
  const bytes = readBounded(`/proc/${pid}/cmdline`, COMMAND_BYTES);
  if (bytes === null) return "(command line unreadable)";
  const escaped = bytes
    .toString("utf8")
    .replace(/\0+$/, "")
    .replaceAll("\0", " ")
    // Bidirectional and invisible characters too: a name must not look like another on a terminal.
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return escaped.length <= 200 ? escaped : `${escaped.slice(0, 199).toWellFormed()}…`;
};

/** Sizes in /proc say 0, so it is read until its end or the bound. */
const readBounded = (path: string, limitBytes: number): Buffer | null => {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    const parts: Buffer[] = [];
    let size = 0;
    while (size < limitBytes) {
      const part = Buffer.allocUnsafe(Math.min(65_536, limitBytes - size));
      const got = readSync(fd, part, 0, part.length, null);
      if (got === 0) break;
      parts.push(part.subarray(0, got));
      size += got;
    }
    return Buffer.concat(parts);
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
};
