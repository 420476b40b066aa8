import { expect, it } from "vitest";
import { readFiles, readHeld } from "./held.ts";

const DIGEST = "0".repeat(64);
const HELD = {
  kind: "ConfigMap",
  namespace: "shop",
  name: "settings",
  uid: "u1",
  resourceVersion: "7",
  immutable: false,
  sha256: DIGEST,
  keys: { MODE: DIGEST },
  from: "2026-11-30T03:00:00Z",
  to: "2026-11-30T03:10:00Z",
};
const FILE = {
  pod: { namespace: "shop", name: "web-1", uid: "p1" },
  container: "web",
  containerId: "containerd://c1",
  path: "/etc/app/MODE",
  sha256: DIGEST,
  at: "2026-11-30T03:10:00Z",
};

it("records are evidence, each at its place", () => {
  const read = readHeld([HELD, { ...HELD, kind: "Secret", sha256: null, keys: null }], "held.json");
  if ("fault" in read) throw new Error(read.fault);
  expect(read.records.map(({ kind, source }) => [kind, source.pointer])).toEqual([
    ["HeldConfig", "/0"],
    ["HeldConfig", "/1"],
  ]);
  const files = readFiles([FILE, { ...FILE, sha256: null }], "files.json");
  expect("records" in files && files.records.map(({ kind }) => kind)).toEqual(["ReadFile", "ReadFile"]);
});

it.each([
  [{}, "", /no list/],
  [[7], "/0", /a record is an object/],
  [[{ ...HELD, kind: "Pod" }], "/0/kind", /ConfigMap or Secret/],
  [[{ ...HELD, uid: "" }], "/0/uid", /a text/],
  [[{ ...HELD, immutable: null }], "/0/immutable", /true or false/],
  [[{ ...HELD, sha256: "ab" }], "/0/sha256", /64 hex digits/],
  [[{ ...HELD, keys: { MODE: null } }], "/0/keys", /64 hex digits by key/],
  [[HELD, { ...HELD, from: "yesterday" }], "/1/from", /a time/],
  [[{ ...HELD, to: "2026-11-30T02:00:00Z" }], "/0/to", /ends before it begins/],
])("what is no record is refused at its place: %j", (value, pointer, why) => {
  const read = readHeld(value, "held.json");
  if (!("fault" in read)) throw new Error("it was read");
  expect(read.pointer).toBe(pointer);
  expect(read.fault).toMatch(why);
});

it("a file says of which start it is, and that it was not there", () => {
  const { sha256: _, ...silent } = FILE;
  expect(readFiles([silent], "files.json")).toEqual({
    fault: "sha256 must be 64 hex digits, or null",
    pointer: "/0/sha256",
  });
  expect(readFiles([{ ...FILE, pod: { name: "web-1" } }], "files.json")).toMatchObject({ pointer: "/0/pod" });
});
