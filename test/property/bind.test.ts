/**
 * Binding over drawn manifests. B1: names depend on bytes only. B2: each reference is rewritten or listed. B3: binding again
 * changes nothing. B4: what was not to change is there byte for byte. B5: a template's checksum is over all it takes.
 */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { type BindOptions, bind } from "../../src/wire/bind/bind.ts";
import { checkConfig } from "../../src/wire/bind/check.ts";
import { type BoundFiles, bindFiles } from "../../src/wire/bind/files.ts";
import { edited } from "../../src/wire/bind/manifest.ts";
import { NONE_DECLARED } from "../../src/wire/bind/references.ts";
import type { GivenConfig } from "../../src/wire/bind/sources.ts";
import { openStream, type Stream } from "../../src/wire/bind/stream.ts";
import { type BindWorld, bindWorld } from "./bind-worlds.ts";

const optionsOf = (given: readonly GivenConfig[]): BindOptions => ({
  given,
  namespace: null,
  // Drawn texts may look like anything.
  allowed: new Proxy(new Set<string>(), {
    get: (set, key) => (key === "has" ? () => true : Reflect.get(set, key)),
  }),
  declared: NONE_DECLARED,
});

const opened = async (text: string): Promise<Stream> => {
  const stream = await openStream(text, "in.yaml");
  if ("faults" in stream) throw new Error(JSON.stringify(stream.faults));
  return stream;
};

const boundOf = async (
  text: string,
  given: readonly GivenConfig[],
): Promise<BoundFiles & { text: string }> => {
  const bound = await bindFiles([await opened(text)], optionsOf(given));
  if (!("binding" in bound)) throw new Error(JSON.stringify(bound));
  return { ...bound, text: String(bound.files[0]?.text) };
};

/** What other readers make of a text: the library alone, without ours. */
const objectsIn = (text: string): readonly JsonObject[] =>
  parseAllDocuments(text)
    .flatMap((document) => ("toJS" in document ? [document.toJS() as JsonObject | null] : []))
    .flatMap((value) =>
      value === null ? [] : value["kind"] === "List" ? (value["items"] as readonly JsonObject[]) : [value],
    );

/** Every text under a key that names a ConfigMap, by its path: written down here apart from the code. */
const namesIn = (value: JsonValue, within = ""): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((one: JsonValue) => namesIn(one, within));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const holds = key === "configMapKeyRef" || key === "configMapRef" || key === "configMap";
    return [...(holds ? [String((inner as JsonObject)["name"])] : []), ...namesIn(inner as JsonValue, key)];
  });
};

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");

/** As `sha256sum` over a folder with a file for each key would have it. */
const digestOf = (data: Readonly<Record<string, string>>): string =>
  sha(
    Object.keys(data)
      .sort((a, b) => (a < b ? -1 : 1))
      .map((key) => `${sha(String(data[key]))}  ${key}\n`)
      .join(""),
  );

type Binder = typeof boundOf;

/** What does not hold of one world; empty: all does. */
const untrue = async (binder: Binder, { text, given }: BindWorld): Promise<readonly string[]> => {
  const once = await binder(text, given);
  const again = await binder(once.text, given).catch((error: Error) => ({ text: error.message }));
  const objects = objectsIn(once.text);
  const wrong: string[] = [];
  if (again.text !== once.text) wrong.push("B3: binding again changed something");
  const configs = objects.filter(({ kind }) => kind === "ConfigMap");
  const bases = new Map<string, string>();
  for (const { metadata, immutable, data } of configs) {
    const { name, namespace, annotations } = metadata as JsonObject;
    const base = (annotations as JsonObject | undefined)?.["asfound.dev/config"];
    if (base === undefined) continue;
    const digest = digestOf((data ?? {}) as Record<string, string>);
    if (name !== `${String(base)}-${digest.slice(0, 10)}`)
      wrong.push(`B1: ${String(name)} is not of its bytes`);
    if (immutable !== true) wrong.push(`${String(name)} is mutable`);
    bases.set(`${String(namespace)}/${String(name)}`, digest);
  }
  const listed = once.binding.places.map(({ name }) => name);
  const before = objectsIn(text).flatMap((one) => namesIn(one));
  for (const name of before)
    if (!listed.includes(name)) wrong.push(`B2: a reference to ${name} is neither rewritten nor listed`);
  for (const object of objects) {
    const { namespace } = object["metadata"] as JsonObject;
    const taken = new Map<string, string>();
    for (const name of namesIn(object)) {
      const digest = bases.get(`${String(namespace)}/${name}`);
      if (digest !== undefined) taken.set(name, digest);
      else if (configs.some(({ metadata }) => isPlace(metadata as JsonObject, namespace, name)))
        wrong.push(`B2: ${name} is there, and a reference to it was left`);
    }
    if (taken.size === 0) continue;
    const lines = [...taken]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, digest]) => `${digest}  ${name}\n`);
    const checksum = taken.size === 1 ? [...taken.values()][0] : sha(lines.join(""));
    if (!JSON.stringify(templateOf(object)).includes(`"checksum/config":"${checksum}"`))
      wrong.push(`B5: a template of ${String(object["kind"])} has another checksum`);
  }
  if (!survives(text, once.text, once)) wrong.push("B4: something that was not to change was lost");
  return wrong;
};

const isPlace = ({ name, namespace }: JsonObject, of: JsonValue | undefined, named: string): boolean =>
  name === named && namespace === of;

const templateOf = (object: JsonObject): JsonValue => {
  if (object["kind"] === "Pod") return object["metadata"] as JsonValue;
  const spec = object["spec"] as JsonObject;
  const holder =
    object["kind"] === "CronJob" ? ((spec["jobTemplate"] as JsonObject)["spec"] as JsonObject) : spec;
  return (holder["template"] as JsonObject)["metadata"] as JsonValue;
};

/** Each line of the text, less the words that binding replaces, stands in the result, in its order. */
const survives = (before: string, after: string, { binding }: BoundFiles): boolean => {
  const replaced = new Set([
    ...binding.places.flatMap(({ name, to }) => (to !== null && to !== name ? [String(name)] : [])),
    "old",
    "false",
    "{}",
    "null",
  ]);
  const words = before
    .split(/([\s{}[\],"':]+)/)
    .filter((word) => word.trim() !== "" && /\w/.test(word) && !replaced.has(word));
  let at = 0;
  for (const word of words) {
    const found = after.indexOf(word, at);
    if (found < 0) return false;
    at = found + word.length;
  }
  return true;
};

describe("binding", () => {
  it("B1 to B5 hold over drawn manifests", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(bindWorld, async (world) => {
        expect(await untrue(boundOf, world)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it("B1: order, other objects and other files change no name", async () => {
    await fc.assert(
      fc.asyncProperty(bindWorld, fc.nat(), async ({ objects, given }, seed) => {
        const turned = objects.toSorted((a, b) =>
          sha(`${seed}${JSON.stringify(a)}`).localeCompare(sha(`${seed}${JSON.stringify(b)}`)),
        );
        const namesOf = async (all: readonly JsonObject[]) =>
          (await boundOf(all.map((one) => `${JSON.stringify(one)}\n`).join("---\n"), given)).binding.bound
            .map(({ namespace, name, boundAs }) => `${namespace}/${name}=${boundAs}`)
            .sort();
        expect(await namesOf(turned)).toEqual(await namesOf(objects));
      }),
      { numRuns: 50 },
    );
  });

  it("objects and their text are bound alike", async () => {
    await fc.assert(
      fc.asyncProperty(bindWorld, async ({ text, given }) => {
        const stream = await opened(text);
        const binding = bind(stream.manifests, optionsOf(given));
        if (!("edits" in binding)) throw new Error(JSON.stringify(binding));
        const objects = edited(
          stream.manifests.map(({ object }) => object),
          binding.edits,
        );
        const added = binding.added.map(({ object }) => object);
        expect(objectsIn((await boundOf(text, given)).text)).toEqual([...added, ...objects]);
      }),
      { numRuns: 50 },
    );
  });
});

/** Letters taken out, doubled or put in: what people and merges leave behind. */
const damaged = fc
  .tuple(
    bindWorld,
    fc.array(
      fc.record({
        at: fc.nat(),
        cut: fc.nat(3),
        put: fc.constantFrom("", " ", "\n", ":", "- ", "&a ", "*a", "{", "]", "#", '"', "|\n", "\t", "---\n"),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([{ text, given }, changes]) => ({
    given,
    text: changes.reduce((so, { at, cut, put }) => {
      const place = at % (so.length + 1);
      return so.slice(0, place) + put + so.slice(place + cut);
    }, text),
  }));

describe("any text", () => {
  it("is refused, or says afterwards exactly what was meant", { timeout: 120_000 }, async () => {
    const came = { bound: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(damaged, async ({ text, given }) => {
        const stream = await openStream(text, "in.yaml");
        if ("faults" in stream) {
          came.refused += 1;
          expect(stream.faults.every(({ message }) => message !== "")).toBe(true);
          return;
        }
        const made = await bindFiles([stream], optionsOf(given));
        if (!("binding" in made)) {
          came.refused += 1;
          return;
        }
        came.bound += 1;
        const { edits, added } = made.binding;
        const meant = [
          ...added.map(({ object }) => object),
          ...edited(
            stream.manifests.map(({ object }) => object),
            edits,
          ),
        ];
        expect((await opened(String(made.files[0]?.text))).manifests.map(({ object }) => object)).toEqual(
          meant,
        );
      }),
      { numRuns: 300 },
    );
    // Control: both happen.
    expect(Math.min(came.bound, came.refused)).toBeGreaterThan(20);
  });
});

describe("the check of others' manifests", () => {
  it("finds nothing in what binding made", async () => {
    await fc.assert(
      fc.asyncProperty(bindWorld, async ({ text, given }) => {
        const bound = await boundOf(text, given);
        const { findings } = checkConfig((await opened(bound.text)).manifests, NONE_DECLARED, null);
        // A template that takes nothing bound keeps the text that stood there.
        const isNew = new Set(bound.binding.checksums.map(({ of }) => of));
        const wrong = findings.filter(({ rule, of }) => rule !== "checksum-opaque" || isNew.has(of));
        expect(wrong.map(({ sentence }) => sentence)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("control: finds what an edit of bound config leaves behind", async () => {
    const rules = new Set<string>();
    await fc.assert(
      fc.asyncProperty(bindWorld, async ({ text, given }) => {
        const bound = await boundOf(text, given);
        const stream = await opened(bound.text);
        const objects = stream.manifests.map((manifest) =>
          manifest.object["kind"] === "ConfigMap"
            ? { ...manifest, object: { ...manifest.object, data: { edited: "yes" } } }
            : manifest,
        );
        for (const { rule } of checkConfig(objects, NONE_DECLARED, null).findings) rules.add(rule);
      }),
      { numRuns: 60, seed: 5 },
    );
    expect(rules).toContain("name-out-of-date");
    expect(rules).toContain("checksum-out-of-date");
  });
});

describe("control: a binder that breaks a law is found", () => {
  const found = async (mutant: Binder): Promise<string> => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(bindWorld, async (world) => {
        for (const what of await untrue(mutant, world)) seen.add(what.slice(0, 2));
      }),
      { numRuns: 40, seed: 5 },
    );
    return [...seen].sort().join(" ");
  };
  const changing =
    (change: (text: string) => string): Binder =>
    async (text, given) => {
      const bound = await boundOf(text, given);
      return { ...bound, text: change(bound.text) };
    };

  it("by a name that is not of the bytes", async () => {
    expect(await found(changing((text) => text.replaceAll(/-[0-9a-f]{10}\b/g, "-0000000000")))).toContain(
      "B1",
    );
  });
  it("by a reference that is passed over", async () => {
    expect(
      await found(async (text, given) => {
        const bound = await boundOf(text, given);
        return { ...bound, binding: { ...bound.binding, places: bound.binding.places.slice(1) } };
      }),
    ).toContain("B2");
  });
  it("by a second binding that changes something", async () => {
    expect(await found(changing((text) => `${text}\n`))).toContain("B3");
  });
  it("by a lost comment", async () => {
    expect(await found(changing((text) => text.replace(/ # note \d+/, "")))).toContain("B4");
  });
  it("by a checksum of another file", async () => {
    expect(
      await found(changing((text) => text.replaceAll(/("?checksum\/config"?: "?)[0-9a-f]{4}/g, "$1ffff"))),
    ).toContain("B5");
  });
});
