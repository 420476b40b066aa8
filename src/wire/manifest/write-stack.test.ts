import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../domain/json.ts";
import { parseStackText } from "./parse.ts";
import { writeStack } from "./write-stack.ts";

const place = { directory: "/srv/shop\u001b[2J", ledger: "/srv/shop/.asfound/ledger.db" };
const parse = async (text: string) => {
  const parsed = await parseStackText(text, { file: "x", vars: new Map() });
  if ("faults" in parsed) throw new Error(JSON.stringify(parsed.faults));
  return parsed.stack;
};

const HEAD = { apiVersion: "asfound.dev/v1alpha1", kind: "Stack", metadata: { name: "s" } };

describe("a stack written back", () => {
  it("is the same stack when it is parsed, whatever its fields hold", async () => {
    const full = {
      uses: "exec",
      with: { a: { b: ["x\ny", "\u007f\u2028: # - 'q' \"", null, 1.5, true] }, s: `$${"{secret.env.X}"}` },
      needs: ["10"],
      partOf: "10",
      confirm: ["rollout-complete"],
      retry: "keyed",
      keyLifetime: "1h",
      settle: "0s",
      deadline: "1m1.5s",
      window: "250ms",
      files: ["a/**"],
      onChange: "replace",
      retain: { owner: "o", reason: "line\nline", reviewBy: "2027-06-30" },
      approve: { before: "any", by: ["alice"] },
      compensate: { with: { x: 1 } },
      public: ["token"],
      keepSecrets: true,
      renamedFrom: "old",
    };
    const stack = await parse(
      JSON.stringify({ ...HEAD, steps: { "10": { uses: "http" }, größe: full, yes: { uses: "exec" } } }),
    );
    const text = writeStack(stack, place);
    expect(text).not.toContain("\u001b");
    expect(await parse(text)).toEqual({ ...stack, directory: place.directory, ledger: place.ledger });
    expect(await parse(writeStack({ ...stack, steps: new Map() }, place))).toMatchObject({ name: "s" });
  });

  it("whatever `with` holds", async () => {
    // Keys that a stack file refuses, at any depth.
    const value = fc
      .dictionary(
        fc.string({ maxLength: 20 }).filter((key) => !key.includes("${")),
        fc.jsonValue(),
      )
      .filter((inputs) => !/"(__proto__|<<)":/.test(JSON.stringify(inputs)));
    await fc.assert(
      fc.asyncProperty(value, async (inputs) => {
        const escaped = JSON.parse(JSON.stringify(inputs).replaceAll("$", "")) as JsonObject;
        const stack = await parse(JSON.stringify({ ...HEAD, steps: { a: { uses: "exec", with: escaped } } }));
        expect((await parse(writeStack(stack, place))).steps).toEqual(stack.steps);
      }),
    );
  });
});
