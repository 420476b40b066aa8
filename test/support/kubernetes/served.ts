/** Files of objects, as what a fake API server holds. */

import { instant } from "../../../src/domain/ids.ts";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { ApiServer, ApiServerOptions, ObjectPlace } from "../../../src/testing/api-server/api-server.ts";
import type { CloudClock } from "../../../src/testing/cloud/real-clock.ts";
import { realClock } from "../../../src/testing/cloud/real-clock.ts";
import { resourcesIn } from "../../../src/wire/objects/file-name.ts";
import { apiServerFor } from "../cluster.ts";
import { type Files, READ_AT } from "./deployment.ts";
import { at as time } from "./object.ts";

/** Stands still at this second of the fixtures; what waits, waits really. */
export const clockAt = (seconds: number): CloudClock => ({
  ...realClock,
  now: () => instant(Date.parse(time(seconds))),
});

const placesIn = (files: Files): readonly (readonly [ObjectPlace, JsonObject])[] =>
  Object.entries(files).flatMap(([file, list]) => {
    const [asked] = resourcesIn(file);
    if (asked === undefined) throw new Error(`${file} names no resource`);
    const resource = asked.group === "" ? asked.resource : `${asked.resource}.${asked.group}`;
    return (list["items"] as readonly JsonObject[]).map((object) => {
      const { namespace, name } = object["metadata"] as { namespace?: string; name: string };
      return [{ resource, name, ...(namespace === undefined ? {} : { namespace }) }, object] as const;
    });
  });

/** Makes the server hold these objects; of those that it was given before, what is not among them is removed. */
export const serve = (server: ApiServer, files: Files, before: Files = {}): void => {
  const places = placesIn(files);
  const kept = new Set(places.map(([place]) => JSON.stringify(place)));
  for (const [place] of placesIn(before)) if (!kept.has(JSON.stringify(place))) server.remove(place);
  for (const [place, object] of places) {
    const there = server.get(place);
    if (there === undefined || !sameBut(there, object)) server.put(place, object);
  }
};

/** A fake API server that holds these objects, at the second in which the fixtures are read; gone when the test ends. */
export const serverWith = async (files: Files, options: ApiServerOptions = {}): Promise<ApiServer> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT), ...options });
  serve(server, files);
  return server;
};

/** Whether they are equal but for the resourceVersion, which the server makes: writing it again would be a change. */
const sameBut = (there: JsonObject, object: JsonObject): boolean => {
  const plain = ({ metadata, ...rest }: JsonObject): string => {
    const { resourceVersion: _, ...meta } = metadata as JsonObject;
    return JSON.stringify([Object.entries(meta).sort(), Object.entries(rest).sort()]);
  };
  return plain(there) === plain(object);
};
