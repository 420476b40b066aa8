/** A watch: one JSON object a line, from a moment on, until its time is over or the server closes. */
import type { ServerResponse } from "node:http";
import type { JsonObject } from "../../domain/json.ts";
import type { CloudClock } from "../cloud/real-clock.ts";
import type { Asked } from "./asked.ts";
import { type ApiFault, met } from "./fault.ts";
import { META, METADATA, type World } from "./list.ts";
import type { Change } from "./objects.ts";
import { groupVersionOf, type ServedResource } from "./resources.ts";
import { selectorOf } from "./selector.ts";
import { watchExpired } from "./status.ts";

interface Stream {
  readonly world: World;
  readonly clock: CloudClock;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}

/** Writes in pieces where a fault asks for it; a piece may end within an event, within a letter even. */
const writer = (response: ServerResponse, clock: CloudClock, faults: readonly ApiFault[]) => {
  const drip = met(faults, "drip");
  let before: Promise<void> = Promise.resolve();
  return (event: JsonObject): void => {
    const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
    if (drip === undefined) return void response.write(bytes);
    before = before.then(async () => {
      for (let at = 0; at < bytes.length && !response.destroyed; at += drip.bytes) {
        response.write(bytes.subarray(at, at + drip.bytes));
        await clock.sleep(drip.everyMs);
      }
    });
  };
};

export const watch = async (
  { world, clock, closing }: Stream,
  asked: Asked,
  served: ServedResource,
  response: ServerResponse,
  faults: readonly ApiFault[],
  accept = "",
): Promise<void> => {
  const { query, namespace } = asked;
  const shownAs = (object: JsonObject): JsonObject =>
    METADATA.test(accept)
      ? { ...META, metadata: object["metadata"] as JsonObject }
      : { ...object, apiVersion: groupVersionOf(served) };
  const from = Number(query.get("resourceVersion") ?? 0);
  response.writeHead(200, { "content-type": "application/json" });
  response.flushHeaders();
  const write = writer(response, clock, faults);
  if (from < world.compacted) {
    write({ type: "ERROR", object: watchExpired(from, world.compacted).body });
    response.end();
    return;
  }
  const selects = selectorOf(query.get("labelSelector"), query.get("fieldSelector"));
  const tell = ({ type, place, object }: Change): void => {
    const isOne =
      place.served.group === served.group &&
      place.served.resource === served.resource &&
      (namespace === null || place.namespace === namespace) &&
      selects(object);
    if (isOne) write({ type, object: shownAs(object) });
  };
  if (query.get("allowWatchBookmarks") === "true")
    write({
      type: "BOOKMARK",
      object: {
        kind: served.kind,
        apiVersion: groupVersionOf(served),
        metadata: { resourceVersion: String(world.objects.revision) },
      },
    });
  const forget = world.objects.onChange(tell);
  for (const change of world.objects.since(from)) tell(change);
  const ended = new AbortController();
  response.once("close", () => ended.abort());
  await clock.sleep(
    Number(query.get("timeoutSeconds") ?? 1_800) * 1_000,
    AbortSignal.any([closing, ended.signal]),
  );
  forget();
  if (!response.destroyed) response.end();
};
