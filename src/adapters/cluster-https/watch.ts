/** A watch, for the one thing it is good for: to say when to look again (V6). Nothing of an event leaves this file. */

import { isJsonObject } from "../../domain/json.ts";
import type { CollectionRef, WatchHint } from "../../ports/cluster.ts";
import { ask, type Caller } from "./ask.ts";
import { isJson } from "./body.ts";
import { failure } from "./failure.ts";
import { collectionPath, nameOfCollection } from "./name.ts";

/** What changed is not looked at: of each object its metadata is enough, where the server knows that form. */
const ACCEPTED = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
/** After this the server ends it by itself, and the caller looks again anyway. */
const LONGEST_S = 300;
/** Of one event that has not ended yet. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads events, one JSON object a line, however the pieces are cut. A bookmark is no change; anything that cannot be read,
 * and the ERROR of a watch that began too long ago, is a reason to look.
 */
const isChange = (line: Buffer): boolean => {
  if (line.length === 0) return false;
  try {
    const event: unknown = JSON.parse(line.toString("utf8"));
    return !isJsonObject(event) || event["type"] !== "BOOKMARK";
  } catch {
    return true;
  }
};

const reader = (onChange: () => void) => {
  let rest: Buffer[] = [];
  let bytes = 0;
  /** false: enough was read. */
  return (piece: Buffer): boolean => {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...rest, piece.subarray(from, end)]);
      [rest, bytes, from] = [[], 0, end + 1];
      if (!isChange(line)) continue;
      onChange();
      return false;
    }
    rest.push(piece.subarray(from));
    bytes += piece.length - from;
    if (bytes <= MAX_LINE_BYTES) return true;
    onChange();
    return false;
  };
};

export const untilChanged = async (
  caller: Caller,
  ref: CollectionRef,
  resourceVersion: string,
): Promise<WatchHint> => {
  const what = nameOfCollection(ref);
  const { group, resource } = ref.resource;
  const seconds = Math.max(1, Math.min(LONGEST_S, Math.floor(caller.allowance.leftMs() / 1_000)));
  let isChanged = false;
  const read = reader(() => {
    isChanged = true;
  });
  const answer = await ask(caller, {
    what,
    path: collectionPath(ref, {
      watch: "1",
      resourceVersion,
      allowWatchBookmarks: "true",
      timeoutSeconds: String(seconds),
    }),
    accept: ACCEPTED,
    maxBytes: MAX_LINE_BYTES,
    right: { verb: "watch", group, resource, namespace: ref.namespace, name: null },
    onData: read,
  });
  const type = answer.exchanges.at(-1)?.contentType ?? null;
  if (isChanged && isJson(type)) return { kind: "changed", exchanges: answer.exchanges };
  if (answer.kind !== "replied") return answer;
  if (answer.last.status === 200 && !isJson(type))
    return failure(what, "not-json", "what came is no stream of events", answer.exchanges);
  if (answer.last.status === 200) return { kind: "ended", exchanges: answer.exchanges };
  // 410: it began too long ago, so it has changed since.
  if (answer.last.status === 410) return { kind: "changed", exchanges: answer.exchanges };
  return answer.refusal();
};
