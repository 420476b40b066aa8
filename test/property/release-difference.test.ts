/** In what two releases differ: nothing is the same that is not shown to be, and nothing differs for its object's UID alone. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Release } from "../../src/domain/release.ts";
import { releaseDifference } from "../../src/judge/release/difference.ts";
import { type Line, lineDifference } from "../../src/judge/release/lines.ts";
import { configMap, storedRelease } from "../support/made-release.ts";

const text = fc
  .array(fc.constantFrom("a", "b", "c", "", "long line"), { maxLength: 12 })
  .map((lines) => lines.join("\n"));
const linesIn = (all: string): readonly string[] => {
  const lines = all.split("\n");
  return lines.at(-1) === ""
    ? lines.slice(0, -1)
    : [...lines.slice(0, -1), `${lines.at(-1)} (no line break at the end)`];
};
const signed = (runs: readonly (readonly Line[])[], sign: string): readonly string[] =>
  runs.flat().flatMap((line) => (line.sign === sign ? [line.text] : []));
const without = (lines: readonly string[], gone: readonly string[]): readonly string[] => {
  const left = [...lines];
  for (const line of gone) left.splice(left.indexOf(line), left.includes(line) ? 1 : 0);
  return left.sort();
};

describe("lines", () => {
  it("equal texts differ in none; what is taken out and put in makes the one of the other", () => {
    fc.assert(
      fc.property(text, text, (was, is) => {
        const { runs, left } = lineDifference(was, is);
        expect(left).toBe(0);
        expect(runs.length === 0).toBe(was === is);
        const [out, into] = [signed(runs, "-"), signed(runs, "+")];
        expect(without(linesIn(was), out)).toEqual(without(linesIn(is), into));
        const back = lineDifference(is, was);
        expect([signed(back.runs, "+").length, signed(back.runs, "-").length]).toEqual([
          out.length,
          into.length,
        ]);
      }),
    );
  });

  it("many lines are counted, long ones cut, and a large text takes no table", () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `line ${at}`).join("\n");
    const { runs, left } = lineDifference(many, many.replaceAll("line", "other"));
    expect(runs.flat().filter(({ sign }) => sign !== " ")).toHaveLength(60);
    expect(left).toBe(9_940);
    expect(lineDifference("", "x".repeat(10_000)).runs[0]?.[0]?.text.length).toBeLessThan(340);
  });

  it("a line break at the end is a difference of bytes", () => {
    expect(lineDifference("a", "a\n").runs.flat()).toEqual([
      { sign: "-", text: "a (no line break at the end)" },
      { sign: "+", text: "a" },
    ]);
  });
});

const release = (more: Partial<Release> = {}): Release => storedRelease(more).release;
const secret = (digest: string, more = {}) => ({
  ...configMap("token", { password: "x" }),
  kind: "Secret" as const,
  content: null,
  digest: digest.repeat(64),
  keys: new Map([["password", digest.repeat(64)]]),
  ...more,
});
const IMAGE = (digit: string) => ({
  images: [{ container: "web", image: "web:v1", digests: [`sha256:${digit.repeat(64)}`] }],
});

describe("two releases", () => {
  it("of one content are the same in all of it", () => {
    const { images, template, config, statement } = releaseDifference(release(), release());
    expect(images.map(({ compared }) => compared)).toEqual(["same"]);
    expect(template).toEqual([]);
    expect(config.map(({ compared, keys }) => [compared, keys])).toEqual([["same", []]]);
    expect(statement).toBe("the same images, the same template and the same config.");
  });

  it("of the same images with other config are half the same release, with the lines that differ", () => {
    const other = release({ config: [configMap("settings", { "app.properties": "mode=v2\n" })] });
    const { config, statement } = releaseDifference(release(), other);
    expect(statement).toContain("other config in ConfigMap settings");
    expect(statement).toContain("the same images with other config are half the same release");
    expect(config[0]?.keys).toEqual([
      {
        key: "app.properties",
        compared: "differs",
        lines: {
          runs: [
            [
              { sign: "-", text: "mode=v1" },
              { sign: "+", text: "mode=v2" },
            ],
          ],
          left: 0,
        },
      },
    ]);
    // Control: with other images as well they are two releases.
    expect(releaseDifference(release(), { ...other, ...IMAGE("2") }).statement).not.toContain("half");
  });

  it("C4: an object that was made again is told apart from its content, in one cluster alone", () => {
    const again = { config: [configMap("settings", { "app.properties": "mode=v1\n" }, { uid: "again" })] };
    expect(releaseDifference(release(), release(again)).config[0]).toMatchObject({
      compared: "same",
      recreated: true,
    });
    const elsewhere = release({ ...again, cluster: { server: "https://10.9.9.9", uid: "other" } });
    const { config, around } = releaseDifference(release(), elsewhere);
    expect(config[0]).toMatchObject({ compared: "same", recreated: false });
    expect(around.join()).toContain("two clusters");
  });

  it("C6: keyed digests of one key tell; of two keys, or where one was not read, nothing is said", () => {
    const one = (digest: string, keyId: string) => release({ config: [secret(digest)], keyId });
    const compared = (was: Release, is: Release) =>
      releaseDifference(was, is).config.map((all) => all.compared);
    expect(compared(one("1", "k"), one("1", "k"))).toEqual(["same"]);
    expect(compared(one("1", "k"), one("2", "k"))).toEqual(["differs"]);
    expect(compared(one("1", "k"), one("1", "other"))).toEqual(["open"]);
    expect(compared(one("1", "k"), one("2", "other"))).toEqual(["open"]);
    const unread = release({ config: [], unheld: [{ kind: "Secret", name: "token", reason: "not-asked" }] });
    expect(compared(one("1", "k"), unread)).toEqual(["open"]);
    expect(compared(unread, unread)).toEqual(["open"]);
    expect(compared(release({ config: [] }), unread)).toEqual(["added"]);
  });

  it("a literal that is kept as a digest is compared by it, and never shown", () => {
    const literal = (value: string, keyId: string): Release => {
      const digest = `removed:hmac-sha256:${value.repeat(64)}`;
      return release({
        template: {
          spec: { containers: [{ name: "web", image: "i", env: [{ name: "A", value: digest }] }] },
        },
        removed: new Map([["/spec/containers/0/env/0/value", digest]]),
        keyId,
      });
    };
    const fields = (was: Release, is: Release) => releaseDifference(was, is).template;
    expect(fields(literal("1", "k"), literal("1", "k"))).toEqual([]);
    expect(fields(literal("1", "k"), literal("2", "k"))).toEqual([
      {
        path: "spec.containers[name=web].env[name=A].value",
        compared: "differs",
        was: "(not shown)",
        is: "(not shown)",
      },
    ]);
    expect(fields(literal("1", "k"), literal("2", "other"))[0]?.compared).toBe("open");
    const ofNobody = { ...literal("2", "k"), removed: new Map([["/x", "of another key"]]) };
    expect(fields(literal("1", "k"), ofNobody)[0]?.compared).toBe("open");
  });

  it("keys that came and went, content that is no text, an object that came and went", () => {
    const bytes = (data: Uint8Array) =>
      configMap(
        "settings",
        { "app.properties": "" },
        {
          keys: new Map([["app.properties", "b".repeat(64)]]),
          digest: "c".repeat(64),
          content: new Map([["app.properties", data]]),
        },
      );
    const binary = release({ config: [bytes(new Uint8Array([0xff, 0xfe]))] });
    expect(releaseDifference(release(), binary).config[0]?.keys).toEqual([
      { key: "app.properties", compared: "differs", lines: null },
    ]);
    const more = release({ config: [configMap("settings", { b: "1" }), configMap("new", { a: "1" })] });
    expect(releaseDifference(release(), more).config).toMatchObject([
      { name: "new", compared: "added" },
      {
        name: "settings",
        compared: "differs",
        keys: [
          { key: "app.properties", compared: "removed" },
          { key: "b", compared: "added" },
        ],
      },
    ]);
    expect(releaseDifference(more, release()).config[0]).toMatchObject({ name: "new", compared: "removed" });
  });
});
