/**
 * L2: what the recorder says was held, was held (ADR 0040), over drawn histories and replies that take their time, with the
 * network gone and the recorder begun anew in between.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HeldConfig } from "../../src/domain/held.ts";
import { instant } from "../../src/domain/ids.ts";
import { recordsOf } from "../../src/runtime/held-look.ts";
import { sha256Hex } from "../../src/wire/digest.ts";
import {
  historyOf,
  type Recorded,
  recorded,
  type True,
  type World,
  type Writes,
  worlds,
} from "./held-worlds.ts";

const RUNS = 1_500;

/** What a held record says that was not so; undefined: nothing. */
const lieIn = (
  history: readonly True[],
  { uid, resourceVersion, name, keys, from, to }: HeldConfig,
): string | undefined => {
  const one = history.find(
    (true_) => true_.uid === uid && true_.resourceVersion === resourceVersion && true_.name === name,
  );
  if (one === undefined) return `${name} ${uid} ${resourceVersion} never was`;
  if (keys?.["content"] !== sha256Hex(String(one.content))) return `${name} never held that`;
  if (Date.parse(from) < one.from) return `${name} ${resourceVersion} was not there yet at ${from}`;
  return Date.parse(to) < one.until
    ? undefined
    : `${name} ${resourceVersion} was not there any more at ${to}`;
};

const lies = (world: World, { held }: Recorded): readonly string[] =>
  held.flatMap((one) => lieIn(historyOf(world), one) ?? []);

describe("what is said to be held", () => {
  it("was held, from the first to the last moment of it", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        expect(lies(world, await recorded(world))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it("what two looks show with the same UID and resourceVersion is held throughout, whatever was in between", async () => {
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { held, seen } = await recorded(world);
        for (const [at, first] of seen.entries())
          for (const last of seen.slice(at + 1))
            for (const one of first.shows) {
              // Its content was read in the first of the two looks, or before it.
              const isRead = held.some(
                ({ resourceVersion, from }) =>
                  resourceVersion === one.resourceVersion && Date.parse(from) <= first.look.time.from,
              );
              if (!isRead || !last.shows.includes(one)) continue;
              if (last.look.time.to < first.look.time.from) continue;
              counted += 1;
              const covers = held.some(
                ({ uid, resourceVersion, from, to }) =>
                  uid === one.uid &&
                  resourceVersion === one.resourceVersion &&
                  Date.parse(from) <= first.look.time.from &&
                  Date.parse(to) >= last.look.time.to,
              );
              expect(covers).toBe(true);
            }
      }),
      { numRuns: RUNS },
    );
    expect(counted).toBeGreaterThan(RUNS / 10);
  });

  const later = (at: number, ms: number) => instant(at + ms);
  const MUTANTS: Readonly<Record<string, Writes>> = {
    "what changed is not said to have ended": ({ reread, versions }) => [reread, ...versions],
    "what ended is said after the reading": ({ gone, reread, versions }) => [reread, ...gone, ...versions],
    "a reading is taken for as late as its Date": (look) =>
      recordsOf({ ...look, reread: { ...look.reread, to: later(look.time.from, -1_000) } }),
    "a content is taken for as early as its Date": (look) =>
      recordsOf({
        ...look,
        versions: look.versions.map((version) => ({ ...version, from: later(version.from, -1_000) })),
      }),
    "what is the same under another resourceVersion is taken for the same": (look) => {
      const again = new Set(look.versions.map(({ name }) => name));
      return recordsOf({ ...look, gone: look.gone.filter(({ name }) => !again.has(name)) });
    },
  };
  it.each(Object.entries(MUTANTS))("control: %s: found", async (_name, writes) => {
    const property = fc.asyncProperty(
      worlds,
      async (world) => lies(world, await recorded(world, writes)).length === 0,
    );
    const { failed } = await fc.check(property, { numRuns: RUNS, endOnFailure: true, seed: 5 });
    expect(failed).toBe(true);
  });
});
