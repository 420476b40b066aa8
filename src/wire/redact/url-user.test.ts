import { expect, it } from "vitest";
import { withoutUser } from "./url-user.ts";

it.each([
  ['--via must be it, not "http://user:s3cret@x/"', '--via must be it, not "http://…@x/"'],
  ["postgres://user:s3c/r@et@db:5432/x", "postgres://…@db:5432/x"],
  ["http:user:s3cret@x", "http:…@x"],
  ["HTTPS://s3cret@x y http://z:s3cret@w", "HTTPS://…@x y http://…@w"],
])("%j is said as %j", (typed, said) => {
  expect(withoutUser(typed)).toBe(said);
  expect(withoutUser(typed)).not.toContain("s3c");
});

it.each(["alice@example.org", "http://x/a", "a: b@c", "web@sha256"])("%j has no user of a URL", (typed) => {
  expect(withoutUser(typed)).toBe(typed);
});
