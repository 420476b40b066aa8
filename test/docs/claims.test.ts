/** docs/reference/claims.md is what `verify --explain -o markdown` prints. */
import { expect, it } from "vitest";
import { CLAIM_NAMES } from "../../src/domain/claim.ts";
import { explanationMarkdown } from "../../src/faces/cli/output/explanation-markdown.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { readPage } from "./literate.ts";

it("is made from the texts (bin/asfound verify --explain -o markdown > docs/reference/claims.md)", async () => {
  const { code, out } = await asfound({ cwd: folder() }, "verify", "--explain", "-o", "markdown");
  expect(code).toBe(0);
  expect(await readPage("docs/reference/claims.md")).toBe(out);
});

it("control: with a claim less it is another page", async () => {
  expect(explanationMarkdown(CLAIM_NAMES.slice(1))).not.toBe(await readPage("docs/reference/claims.md"));
});
