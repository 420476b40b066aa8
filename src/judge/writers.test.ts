/** Who owns a field, by `managedFields` as structured-merge-diff writes them. */
import { expect, it } from "vitest";
import type { JsonObject } from "../domain/json.ts";
import type { Step } from "./differences.ts";
import { writersOf } from "./writers.ts";

const member = (name: string): Step => ({ kind: "member", name });
const entry = (manager: string, fieldsV1: JsonObject): JsonObject => ({
  manager,
  operation: "Update",
  time: "2026-11-30T03:10:20Z",
  fieldsV1,
});
const object = (...entries: readonly JsonObject[]): JsonObject => ({
  metadata: { managedFields: [...entries] },
});
const owners = (one: JsonObject, ...steps: readonly Step[]) =>
  writersOf(one, steps)?.map(({ manager }) => manager);

const web: Step = { kind: "keyed", key: { name: "web" } };
const containers = (fields: JsonObject): JsonObject => ({
  "f:spec": { "f:containers": { 'k:{"name":"web"}': fields } },
});

it("an item of a list is told by its key, whatever the order of the key's members", () => {
  const one = object(
    entry("a", containers({ ".": {}, "f:image": {} })),
    entry("b", containers({ "f:args": {} })),
  );
  expect(owners(one, member("spec"), member("containers"), web, member("image"))).toEqual(["a"]);
  const port: Step = { kind: "keyed", key: { containerPort: 80, protocol: "TCP" } };
  const ports = (key: string) => object(entry("a", { "f:ports": { [`k:${key}`]: { "f:name": {} } } }));
  expect(
    owners(ports('{"protocol":"TCP","containerPort":80}'), member("ports"), port, member("name")),
  ).toEqual(["a"]);
  // Control: another item of the list is not this one.
  expect(
    owners(ports('{"protocol":"UDP","containerPort":80}'), member("ports"), port, member("name")),
  ).toEqual([]);
});

it("what is owned whole (an atomic list) owns all that is in it, and nothing beside it", () => {
  const one = object(entry("a", containers({ "f:args": {} })));
  const args = [member("spec"), member("containers"), web, member("args")];
  expect(owners(one, ...args, { kind: "item", at: 2 })).toEqual(["a"]);
  expect(owners(one, member("spec"), member("containers"), web, member("command"))).toEqual([]);
});

it("several owners are all told, and at most five; no entry is nobody, and none at all is not known", () => {
  const field = { "f:spec": { "f:replicas": {} } };
  const many = object(...[..."abcdefg"].map((name) => entry(name, field)));
  expect(owners(many, member("spec"), member("replicas"))).toEqual(["a", "b", "c", "d", "e"]);
  expect(owners(object(), member("spec"), member("replicas"))).toEqual([]);
  expect(writersOf({ metadata: {} }, [member("spec")])).toBe(undefined);
});

it("whatever a server writes there breaks nothing", () => {
  const odd = object(
    entry("a", { "f:spec": 7 }),
    entry("b", { "f:ports": { "k:{": {}, "k:": {}, k: {} } }),
    { manager: 7, fieldsV1: { "f:spec": {} }, time: "soon" },
    { fieldsV1: [] } as unknown as JsonObject,
  );
  const port: Step = { kind: "keyed", key: { containerPort: 80, protocol: "TCP" } };
  expect(owners(odd, member("ports"), port)).toEqual([]);
  expect(writersOf(odd, [member("spec"), member("x")])).toEqual([
    { manager: "", operation: "", subresource: null, at: null },
  ]);
  expect(owners(odd, member("__proto__"), member("constructor"))).toEqual([]);
});
