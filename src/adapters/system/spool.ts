/**
 * W6: where a result goes that the ledger cannot take after the call. A slot's blocks are written and synced before the
 * call, so keeping the result later needs no new room on the disk.
 *
 * One file a slot, in one folder of this host. A slot's name names the process that has it; what a dead process left in
 * its slots is pending. Files are 0600, the folder 0700. Reading changes nothing, and makes no folder.
 *
 * Limit: a file system that copies on write (btrfs, ZFS) or compresses does not write in place, so there a disk that
 * fills up between the two may still refuse the result; `keep` then throws.
 */
import { randomBytes } from "node:crypto";
import { unlinkSync, writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Host } from "../../ports/host.ts";
import type { Spool, Spooled, SpoolSlot } from "../../ports/spool.ts";
import { codeOf, SpoolFault } from "./spool-fault.ts";
import { frameOf, HEADER_BYTES, roomFor, SLOT_BYTES } from "./spool-frame.ts";
import { leftBehind, ownerName, removeEmptyOfTheDead, syncFolders } from "./spool-left.ts";

export interface SpoolOptions {
  readonly directory: string;
  readonly host: Host;
  /** One sentence for the person: what was dropped, or torn. */
  readonly note: (text: string) => void;
}

/** More calls at once than any stack makes; a bound on the disk that a fault can take. */
const MAX_SLOTS = 256;

interface OwnSlot {
  readonly path: string;
  readonly file: FileHandle;
  /** The spool was closed, and `file` with it; the blocks are there for a call that is not answered yet. */
  isShut: boolean;
  /** What is being kept right now. */
  keeping: Promise<void>;
  /** Where the next frame goes; 0: empty. */
  offset: number;
  /** Drawn at each take. */
  use: Buffer;
}

export const openSpool = ({ directory, host, note }: SpoolOptions): Spool => {
  const owned = new Map<string, OwnSlot>();
  const free: OwnSlot[] = [];
  const lent = new Set<OwnSlot>();
  // Apart from the process, so that two spools of one process never meet.
  const mine = `${ownerName(host.self("spool"))}_${randomBytes(4).toString("hex")}`;
  let made = 0;
  let closed = false;

  const lend = (slot: OwnSlot): SpoolSlot => {
    slot.use = randomBytes(8);
    lent.add(slot);
    let isLent = true;
    return {
      keep: async (spooled) => {
        if (!isLent) throw new SpoolFault("spool-not-kept", "a spool slot was used after it was given back");
        const keeping = keepIn(slot, spooled, note);
        slot.keeping = keeping.catch(() => {});
        await keeping;
      },
      release: () => {
        if (!isLent) return;
        isLent = false;
        lent.delete(slot);
        if (slot.isShut) removeNow(slot.path);
        else if (empty(slot)) free.push(slot);
      },
    };
  };

  return {
    take: async () => {
      if (closed) throw new SpoolFault("spool-unavailable", "the spool is closed");
      const reused = free.pop();
      if (reused !== undefined) return lend(reused);
      if (owned.size >= MAX_SLOTS)
        throw new SpoolFault(
          "spool-unavailable",
          `all ${MAX_SLOTS} spool slots are in use; lower the parallelism`,
        );
      const path = join(directory, `${mine}_${made++}.slot`);
      const file = await allocate(directory, path);
      const slot: OwnSlot = {
        path,
        file,
        isShut: false,
        keeping: Promise.resolve(),
        offset: 0,
        use: Buffer.alloc(8),
      };
      owned.set(path, slot);
      return lend(slot);
    },
    pending: () => leftBehind(directory, host, (path) => owned.has(path), note),
    close: async () => {
      if (closed) return;
      closed = true;
      for (const slot of owned.values()) {
        await slot.keeping;
        slot.isShut = true;
        await slot.file.close();
        // What still holds a result stays for the next start, and so does what a call that is not answered may need.
        if (slot.offset === 0 && !lent.has(slot)) removeNow(slot.path);
      }
      owned.clear();
      await removeEmptyOfTheDead(directory, host);
    },
  };
};

/** Writes real blocks, not a hole, and syncs the file and every folder entry that leads to it. */
const allocate = async (directory: string, path: string): Promise<FileHandle> => {
  let file: FileHandle | undefined;
  try {
    const firstMade = await mkdir(directory, { recursive: true, mode: 0o700 });
    file = await open(path, "wx+", 0o600);
    // Random, since zeros may be stored as a hole.
    const blocks = randomBytes(SLOT_BYTES);
    blocks.fill(0, 0, HEADER_BYTES);
    await writeAll(file, blocks, 0);
    await file.sync();
    await syncFolders(directory, firstMade);
    return file;
  } catch (error) {
    await file?.close().catch(() => {});
    if (file !== undefined) await unlink(path).catch(() => {});
    throw new SpoolFault(
      "spool-unavailable",
      `no room could be made in ${directory} for a result that the ledger may not be able to take (${codeOf(error)}); free space there or make it writable, and run again`,
      error,
    );
  }
};

const keepIn = async (slot: OwnSlot, spooled: Spooled, note: (text: string) => void): Promise<void> => {
  const { record } = spooled;
  const room = roomFor(record, slot.offset);
  const frame = frameOf(spooled, slot.use, room);
  if (frame === null) {
    if (record.kind === "outcome")
      throw new SpoolFault(
        "spool-not-kept",
        `the outcome of step ${record.step} does not fit into its spool slot`,
      );
    return note(`the spool has no room left for the id of step ${record.step}; it goes with the outcome`);
  }
  try {
    if (slot.isShut) {
      const file = await open(slot.path, "r+");
      await writeSynced(file, frame.bytes, slot.offset).finally(() => file.close());
    } else await writeSynced(slot.file, frame.bytes, slot.offset);
  } catch (error) {
    throw new SpoolFault(
      "spool-not-kept",
      `the result of step ${record.step} could be kept neither in the ledger nor in ${slot.path} (${codeOf(error)}); its step is unresolved, reconcile it`,
      error,
    );
  }
  slot.offset += frame.bytes.length;
  if (frame.dropped > 0)
    note(
      `${frame.dropped} outputs of step ${record.step} did not fit into the spool and were dropped; its id and outcome are kept`,
    );
};

/** Not synced: a result that comes back after a power cut is in the ledger already, and replaying it changes nothing. */
const empty = (slot: OwnSlot): boolean => {
  try {
    if (slot.offset > 0) writeSync(slot.file.fd, Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    slot.offset = 0;
    return true;
  } catch {
    // Then it is not used again.
    return false;
  }
};

const writeSynced = async (file: FileHandle, bytes: Buffer, at: number): Promise<void> => {
  if ((await file.stat()).nlink === 0) throw new Error("the slot's file was deleted");
  await writeAll(file, bytes, at);
  await file.datasync();
};

/** One that cannot be removed is empty, and removed by a later run. */
const removeNow = (path: string): void => {
  try {
    unlinkSync(path);
  } catch {
    // As above.
  }
};

const writeAll = async (file: FileHandle, bytes: Buffer, at: number): Promise<void> => {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
};
