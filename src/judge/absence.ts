/** `absent`: an object is not there, by a complete LIST or a GET answered with 404; by its UID where one is expected. */
import type { Expected } from "../domain/expected.ts";
import type { Resource } from "../domain/resource.ts";
import type { Collection } from "./collection.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import { TEXT } from "./read.ts";
import { nameOf, quoted } from "./words.ts";

interface Named {
  readonly resource: Resource;
  readonly namespace: string | null;
  readonly name: string;
  readonly expected: Pick<Expected, "uid">;
}

export const absentRule = ({ resource, namespace, name, expected }: Named, collection: Collection): Found => {
  const inquiry = new Inquiry("absent");
  const named = nameOf({ kind: resource.kind, namespace, name });
  const there = collection.object(resource, namespace, name);
  if (there.kind === "absent") {
    inquiry.citeAbsence(collection, resource, namespace, name);
    return inquiry.proven("not-there", `there is no ${named}`);
  }
  if (there.kind !== "known") {
    inquiry.lack(resource.plural, namespace, there);
    return inquiry.unknown();
  }
  const uid = inquiry.need(there.value, ["metadata", "uid"], TEXT);
  if (uid === undefined) return inquiry.unknown();
  if (expected.uid === null || expected.uid === uid)
    return inquiry.refuted("there", `${named} is there (UID ${quoted(uid)})`);
  return inquiry.proven(
    "replaced",
    `the object with UID ${expected.uid} is gone; another ${named} is there (UID ${quoted(uid)})`,
  );
};
