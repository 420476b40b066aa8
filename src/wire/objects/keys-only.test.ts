import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keysOnly } from "./keys-only.ts";

describe("a Secret", () => {
  it("C6: keeps its keys, and nothing of what they hold, wherever it stands", () => {
    const secret = {
      metadata: {
        name: "keys",
        uid: "1",
        annotations: {
          "kubectl.kubernetes.io/last-applied-configuration": '{"data":{"TOKEN":"Y2FuYXJ5"}}',
          team: "shop",
        },
      },
      data: { TOKEN: "Y2FuYXJ5", ["__proto__"]: "Y2FuYXJ5" },
      stringData: { PLAIN: "canary" },
      immutable: true,
    };
    const kept = keysOnly(secret);
    expect(JSON.stringify(kept)).not.toMatch(/canary|Y2FuYXJ5/);
    expect(Object.keys(kept["data"] as object)).toEqual(Object.keys(secret.data));
    expect(kept).toMatchObject({
      metadata: { name: "keys", uid: "1", annotations: { team: "shop" } },
      stringData: { PLAIN: "" },
      immutable: true,
    });
  });

  it("C6: whatever `data` is, none of its text is left", () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), (data) => {
        const text = JSON.stringify(keysOnly({ data: { a: data as never } }));
        expect(text).toBe('{"data":{"a":""}}');
        expect(JSON.stringify(keysOnly({ data: ["canary"] }))).toBe('{"data":""}');
      }),
    ));
});
