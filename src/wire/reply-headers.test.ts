import { expect, it } from "vitest";
import { joinedHeaders } from "./reply-headers.ts";

const entries = (...raw: readonly string[]) => Object.entries(joinedHeaders(raw));

it("names are in lower case, and what is sent twice is joined in its order", () => {
  expect(entries("X-A", "1", "x-b", "2", "x-a", "3")).toEqual([
    ["x-a", "1, 3"],
    ["x-b", "2"],
  ]);
});

it("a header called __proto__ is a header, and changes nothing else", () => {
  expect(entries("__proto__", "x")).toEqual([["__proto__", "x"]]);
  expect(Object.getPrototypeOf(joinedHeaders(["__proto__", "x"]))).toBe(Object.prototype);
});

it("neither is left out where Node keeps only the first", () => {
  expect(entries("Content-Type", "a", "content-type", "b")).toEqual([["content-type", "a, b"]]);
});
