/**
 * Which stack this is, by the lock; the first apply of a stack writes it there, before anything is called.
 *
 * Several first applies at the same moment agree on one id: the lock is made exclusively, and who comes second takes
 * what stands in it. Else the lock of one and the ledger's row of the other would name two stacks.
 */
import { basename, dirname } from "node:path";
import type { StackId, StackName } from "../domain/ids.ts";
import { stackId } from "../domain/ids.ts";
import type { Store } from "../ports/store.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import type { Lock, LockedStack } from "../wire/lock.ts";
import { type FileRead, ids, type Locked } from "./place.ts";

interface Asked {
  readonly file: FileRead;
  readonly lock: Locked | null;
  readonly store: Store;
  readonly stack: StackName;
  readonly creates: boolean;
}

const TRIES = 20;

export const stackIdIn = async (asked: Asked): Promise<StackId | null | Refused> => {
  const { file, lock, store } = asked;
  if (lock !== null && lock.stack !== null) return lock.stack.id;
  const head = await store.head(asked.stack);
  if (!asked.creates || file.path === null) return head === null ? null : head.id;
  const mine: LockedStack = {
    name: asked.stack,
    id: head === null ? stackId(`st_${ids.uuid()}`) : head.id,
    file: dirname(file.path) === file.folder ? basename(file.path) : null,
  };
  return enter(file.folder, store, mine);
};

/** Until the lock on the disk names the stack: what another process writes in between is read again. */
const enter = async (folder: string, store: Store, mine: LockedStack): Promise<StackId | Refused> => {
  const { locationForLock, lockPath, makeLock, readLock, writeLock } = await import(
    "../adapters/system/lock-file.ts"
  );
  const path = lockPath(folder);
  const ledger = { id: store.ledgerId, location: locationForLock(store.location, folder) };
  for (let tried = 0; tried < TRIES; tried++) {
    const read = await readLock(path);
    if (read.kind === "faults") {
      const why = read.faults[0]?.message ?? "the lock cannot be read";
      return refused(22, `${path}: ${why}; nothing was called`);
    }
    if (read.kind === "absent") {
      const made = await makeLock(path, { stack: mine, ledger, others: [] });
      if (typeof made === "object") return refused(22, `${made.fault}; nothing was called`);
      if (made === "made") return mine.id;
      continue;
    }
    const { lock } = read;
    if (lock.ledger.id !== store.ledgerId)
      return refused(
        23,
        `asfound.lock has just been tied to another ledger, ${lock.ledger.id}; nothing was called`,
      );
    const named = inLock(lock, mine.name);
    if (named !== undefined) return named.id;
    const fault = await writeLock(path, { ...lock, others: [...lock.others, mine] });
    if (fault !== undefined) return refused(22, `${fault}; nothing was called`);
  }
  return refused(
    22,
    `${path} was changed by others at every try to enter ${mine.name} in it; nothing was called`,
  );
};

const inLock = (lock: Lock, name: StackName): LockedStack | undefined =>
  [lock.stack, ...lock.others].find((stack) => stack.name === name);
