/**
 * W1: what asks a cluster cannot change it. Every request of `adapters/cluster-https` is a GET, or the CONNECT that opens a
 * way through a proxy, and its method is written out where it is sent. What writes is one folder, `write/`, whose writer is
 * handed out by one function, which `compose/kubernetes.ts` alone may name; providers that change a cluster are given it.
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
    .filter((file) => !file.endsWith(".test.ts") && !file.startsWith("write/"))
    .flatMap((file) => methodsIn(withoutComments(readFileSync(`${FOLDER}/${file}`, "utf8"))));
  expect(found.toSorted()).toEqual(['"CONNECT"', '"GET"']);
});

it("what writes sends PATCH, DELETE and an eviction's POST, each from one place", () => {
  const found = globSync("write/*.ts", { cwd: FOLDER })
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => methodsIn(withoutComments(readFileSync(`${FOLDER}/${file}`, "utf8"))));
  expect(found.toSorted()).toEqual(['"DELETE" });', '"PATCH" });', '"POST" });']);
});

/** Files of production code that name one of the ways to a writer. */
const namingTheWriter = (texts: ReadonlyMap<string, string>): readonly string[] =>
  [...texts]
    .filter(([, text]) =>
      /\b(openWritableCluster|clusterWriterOf|cluster-writer)\b/.test(withoutComments(text)),
    )
    .map(([file]) => file)
    .toSorted();

it("only the adapter, its port, the providers for a cluster and where they meet name the writer", () => {
  const files = globSync("src/**/*.ts", { cwd: HOUSE }).filter((file) => !file.endsWith(".test.ts"));
  const texts = new Map(files.map((file) => [file, readFileSync(`${HOUSE}/${file}`, "utf8")]));
  const strangers = namingTheWriter(texts).filter(
    (file) =>
      !/^src\/(adapters\/(cluster-https\/write\/|provider-kubernetes(-[a-z]+)?\/)|ports\/cluster-writer\.ts|compose\/kubernetes\.ts)/.test(
        file,
      ),
  );
  expect(strangers).toEqual([]);
});

it("control: a file that opens the writer is told", () => {
  const text = 'import { openWritableCluster } from "../adapters/cluster-https/write/open.ts";';
  expect(namingTheWriter(new Map([["src/runtime/collect.ts", text]]))).toEqual(["src/runtime/collect.ts"]);
});

it.each([
  ['request({ method: "DELETE", path })', '"DELETE"'],
  ["request({ path, method })", "})"],
  ["request({ method: how })", "how })"],
  ["await fetch(url)", "fetch"],
])("control: %s is told", (text, told) => {
  expect(methodsIn(text)).toContain(told);
});
