/**
 * W1: what asks a cluster cannot change it. Every request of `adapters/cluster-https` is a GET, or the CONNECT that opens a
 * way through a proxy, and its method is written out where it is sent.
 */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { HOUSE } from "./tree.ts";

const FOLDER = `${HOUSE}/src/adapters/cluster-https`;

/** What each request's method is written as; ways to send that name no method there are told as themselves. */
const methodsIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/\bmethod\b\s*:?\s*([^,\n]*)/g)].map(([, written]) => String(written).trim()),
  ...[...text.matchAll(/\b(fetch|http2|undici|XMLHttpRequest|WebSocket)\b\s*\(/g)].map(([, way]) =>
    String(way),
  ),
];
const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/\/\/.*$/gm, "");

it("every request's method is GET, or CONNECT to a proxy", () => {
  const found = globSync("**/*.ts", { cwd: FOLDER })
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => methodsIn(withoutComments(readFileSync(`${FOLDER}/${file}`, "utf8"))));
  expect(found.toSorted()).toEqual(['"CONNECT"', '"GET"']);
});

it.each([
  ['request({ method: "DELETE", path })', '"DELETE"'],
  ["request({ path, method })", "})"],
  ["request({ method: how })", "how })"],
  ["await fetch(url)", "fetch"],
])("control: %s is told", (text, told) => {
  expect(methodsIn(text)).toContain(told);
});
