/**
 * What dead processes left in the spool's folder (W6): whose a slot is, by its name; what it holds; clearing it.
 * A slot of a live process is never read or removed.
 */
import { open, readdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Holder } from "../../domain/lease.ts";
import type { Host } from "../../ports/host.ts";
import type { Spooled } from "../../ports/spool.ts";
import { codeOf, SpoolFault } from "./spool-fault.ts";
import { readFrames, SLOT_BYTES } from "./spool-frame.ts";

interface Left {
  readonly spooled: Spooled;
  clear(): Promise<void>;
}

const slotNames = async (directory: string): Promise<readonly string[]> => {
  try {
    return (await readdir(directory)).filter((name) => name.endsWith(".slot"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw new SpoolFault(
      "spool-unreadable",
      `the spool ${directory} cannot be read (${codeOf(error)}), and it may hold results; make it readable, and run again`,
      error,
    );
  }
};

/** Oldest first. `isMine` tells the slots of this very spool, which are not left behind. */
export const leftBehind = async (
  directory: string,
  host: Host,
  isMine: (path: string) => boolean,
  note: (text: string) => void,
): Promise<readonly Left[]> => {
  const found: Left[] = [];
  for (const name of await slotNames(directory)) {
    const path = join(directory, name);
    if (isMine(path) || isInUse(name, host)) continue;
    found.push(...(await leftIn(path, directory, note)));
  }
  return found.sort((a, b) => timeOf(a.spooled) - timeOf(b.spooled));
};

const leftIn = async (
  path: string,
  directory: string,
  note: (text: string) => void,
): Promise<readonly Left[]> => {
  let content: Buffer;
  try {
    content = await readSlot(path);
  } catch (error) {
    // Cleared by another process meanwhile.
    if (codeOf(error) === "ENOENT") return [];
    throw new SpoolFault(
      "spool-unreadable",
      `the spool slot ${path} cannot be read (${codeOf(error)}), and it may hold a result`,
      error,
    );
  }
  const { spooled, torn } = readFrames(content);
  if (torn)
    note(
      `the spool slot ${path} holds a result that was not written whole and is ignored; reconcile settles its step, then delete the file`,
    );
  let left = spooled.length;
  const clear = async (): Promise<void> => {
    left--;
    // A torn one stays for a person to look at.
    if (left > 0 || torn) return;
    await unlink(path).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });
    await syncFolders(directory, undefined);
  };
  return spooled.map((each) => ({ spooled: each, clear }));
};

const readSlot = async (path: string): Promise<Buffer> => {
  const file = await open(path, "r");
  try {
    const bytes = Buffer.alloc(SLOT_BYTES);
    let size = 0;
    while (size < SLOT_BYTES) {
      const { bytesRead } = await file.read(bytes, size, SLOT_BYTES - size, size);
      if (bytesRead === 0) break;
      size += bytesRead;
    }
    return bytes.subarray(0, size);
  } finally {
    await file.close();
  }
};

/** Slots of dead processes that hold nothing. What cannot be read or removed is left. */
export const removeEmptyOfTheDead = async (directory: string, host: Host): Promise<void> => {
  for (const name of await slotNames(directory).catch((): readonly string[] => [])) {
    if (isInUse(name, host)) continue;
    try {
      const { spooled, torn } = readFrames(await readSlot(join(directory, name)));
      if (spooled.length === 0 && !torn) await unlink(join(directory, name));
    } catch {
      // Somebody else's to clear.
    }
  }
};

/** `BOOTID_PIDNAMESPACE_PID_STARTTICKS`, of characters that every file system takes. */
export const ownerName = (holder: Holder): string =>
  [holder.bootId || "none", digits(holder.pidNamespace), holder.pid, holder.startTicks || "none"].join("_");

const digits = (namespace: string): string => /\d+/.exec(namespace)?.[0] ?? "none";

/**
 * Whether a live process has this slot. Where that cannot be told because it is of an earlier boot or another container,
 * it counts as left behind: replaying a result twice changes nothing, and one that is never replayed is lost.
 */
const isInUse = (name: string, host: Host): boolean => {
  const [bootId, namespace, pid, startTicks] = name.split("_");
  const self = host.self("spool");
  const isOfHere = bootId === (self.bootId || "none") && namespace === digits(self.pidNamespace);
  if (!isOfHere) return false;
  const alive = host.isAlive({ ...self, pid: Number(pid), startTicks: startTicks ?? "" });
  if (alive.kind === "known") return alive.value;
  // Same machine, and no way to tell: a pid that is taken counts as its owner.
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
};

const timeOf = ({ record }: Spooled): number => (record.kind === "outcome" ? record.endedAt : record.at);

/** The folder itself, and up to the parent of the first one that was made. */
export const syncFolders = async (directory: string, firstMade: string | undefined): Promise<void> => {
  const last = firstMade === undefined ? directory : dirname(firstMade);
  for (let folder = directory; ; folder = dirname(folder)) {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
    if (folder === last || folder === dirname(folder)) return;
  }
};
