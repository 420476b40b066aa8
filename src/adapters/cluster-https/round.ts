/** One round of questions: each is sent once, and asked again has the answer it had. */
import type { Found, ListKept, ListReading, ObjectReading, OwnNetwork, Round } from "../../ports/cluster.ts";
import { allowanceOf } from "./allowance.ts";
import type { Caller } from "./ask.ts";
import type { Credentials } from "./credentials.ts";
import type { Finder } from "./discovery/find.ts";
import { getObject } from "./get.ts";
import { listObjects, streamObjects } from "./list.ts";
import { readLog } from "./log.ts";
import { collectionPath, objectPath } from "./name.ts";
import { ownNetwork } from "./own-network.ts";
import { askThroughProxy } from "./proxied.ts";
import { readFile } from "./read-file.ts";
import type { Line } from "./send.ts";
import { untilChanged } from "./watch.ts";

export interface Shared {
  readonly line: Line;
  readonly credentials: Credentials;
  readonly finder: Finder;
}

const ALL: ListKept = { bytes: true, writers: true };

const remember = <T>(
  answers: Map<string, Promise<T>>,
  question: string,
  ask: () => Promise<T>,
): Promise<T> => {
  const before = answers.get(question);
  if (before !== undefined) return before;
  const answer = ask();
  answers.set(question, answer);
  return answer;
};

export const roundOf = (
  { line, credentials, finder }: Shared,
  limits: { readonly deadlineMs: number; readonly stop: AbortSignal },
): Round => {
  const allowance = allowanceOf(line.clock, limits.deadlineMs, limits.stop);
  const caller: Caller = { line, credentials, allowance };
  const objects = new Map<string, Promise<ObjectReading>>();
  const lists = new Map<string, Promise<ListReading>>();
  const words = new Map<string, Promise<Found>>();
  let network: Promise<OwnNetwork> | undefined;
  return {
    get: (ref) => remember(objects, `${ref.resource.kind} ${objectPath(ref)}`, () => getObject(caller, ref)),
    list: (ref, kept = ALL) =>
      remember(lists, `${ref.resource.kind} ${collectionPath(ref, {})} ${kept.bytes} ${kept.writers}`, () =>
        listObjects(caller, ref, kept),
      ),
    stream: (ref, sink, form = "whole") => streamObjects(caller, ref, sink, form),
    readFile: (ref) => readFile(caller, ref),
    log: (ref) => readLog(caller, ref),
    ownNetwork: () => {
      network ??= ownNetwork(caller);
      return network;
    },
    proxied: (ref) => askThroughProxy(caller, ref),
    find: (word) => remember(words, word, () => finder.find(caller, word)),
    untilChanged: (ref, resourceVersion) => untilChanged(caller, ref, resourceVersion),
    end: () => allowance.end(),
  };
};
