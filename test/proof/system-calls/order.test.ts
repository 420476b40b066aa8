/**
 * W1, in the order of the system calls themselves: the intent's sync has returned before the provider's process is
 * spawned or its socket connects, one call after another and in group commit.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, type TestContext } from "vitest";
import { cloudStep, makePlace, type Place, stackText } from "../../scenarios/place.ts";
import { cloudFor } from "../../support/cloud.ts";
import { notRunWithout } from "../../support/not-run.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import { connected, orderFaults, type Sent, spawned, syncBefore } from "./order.ts";
import { straceLacking, tracedWhole } from "./strace.ts";
import type { Call } from "./trace.ts";

ownTempFolder("system-calls-order");

const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;

const SERIAL = NAMES.slice(0, 3).map((name, at) =>
  cloudStep(name, ["settle: 100ms", ...(at === 0 ? [] : [`needs: [${NAMES[at - 1]}]`])]),
);
const PARALLEL = NAMES.map((name) => cloudStep(name, ["settle: 100ms"]));

/** What was sent, in an apply of these steps, and the trace of all of it. */
const apply = async (
  steps: readonly string[],
  broken: { readonly modules?: readonly string[]; readonly preload?: (place: Place) => string } = {},
  sentIn: (calls: readonly Call[]) => readonly Sent[] = spawned,
): Promise<{ readonly calls: readonly Call[]; readonly sent: readonly Sent[] }> => {
  const place = await makePlace();
  try {
    await place.writeStack(stackText(steps));
    const words = ["apply", "--yes", "--progress", "quiet", "--parallelism", String(NAMES.length)];
    const preload = broken.preload?.(place);
    const ran = await tracedWhole(place, words, {
      ...(broken.modules === undefined ? {} : { modules: broken.modules }),
      ...(preload === undefined ? {} : { preload }),
    });
    expect({ exit: ran.exit, err: ran.err }).toEqual({ exit: 0, err: "" });
    const sent = sentIn(ran.calls);
    // All of them were found in the trace: what is not looked at proves nothing.
    expect([sent.length, new Set(sent.map(({ key }) => key)).size]).toEqual([steps.length, steps.length]);
    return { calls: ran.calls, sent };
  } finally {
    await place.end();
  }
};

const httpStep = (url: string, name: string): string =>
  [
    `  ${name}:`,
    "    uses: http",
    "    settle: 100ms",
    "    with:",
    `      base: ${url}/v1`,
    "      key: { header: Idempotency-Key, body: /labels/asfound-key }",
    `      create: { path: /machines, body: { name: ${name}, labels: { team: shop } }, id: /id }`,
    '      observe: { get: { path: "/machines/{id}" }, declared: [/name] }',
    '      destroy: { path: "/machines/{id}" }',
  ].join("\n");

const traceable = (ctx: TestContext): void => notRunWithout(ctx, straceLacking());

describe("W1: the intent's sync returns before the call begins", () => {
  it("one after another, by process", async (ctx) => {
    traceable(ctx);
    const { calls, sent } = await apply(SERIAL);
    expect(orderFaults(calls, sent)).toEqual([]);
  });

  it("eight at once, by process: they share syncs, and each call waits for its own", async (ctx) => {
    traceable(ctx);
    const { calls, sent } = await apply(PARALLEL);
    expect(orderFaults(calls, sent)).toEqual([]);
    // It was a group commit: some intents went with the same sync.
    expect(new Set(sent.map((one) => syncBefore(calls, one))).size).toBeLessThan(sent.length);
  });

  it.for([1, NAMES.length])("by connection, %i at once", async (count, ctx) => {
    traceable(ctx);
    const cloud = await cloudFor();
    const steps = NAMES.slice(0, count).map((name) => httpStep(cloud.url, name));
    const { calls, sent } = await apply(steps, {}, connected);
    expect(orderFaults(calls, sent)).toEqual([]);
    expect(cloud.objects("machines")).toHaveLength(count);
  });
});

describe("control", () => {
  it.for([
    ["one after another", SERIAL],
    ["eight at once", PARALLEL],
  ] as const)("synchronous=OFF, %s: every call is told", async ([, steps], ctx) => {
    traceable(ctx);
    const modules = [new URL("lying-store.ts", import.meta.url).href];
    const { calls, sent } = await apply(steps, { modules });
    expect(orderFaults(calls, sent)).toHaveLength(steps.length);
  });

  it("a C library that drops fsync and fdatasync: every call is told", async (ctx) => {
    traceable(ctx);
    const isThere = spawnSync("cc", ["--version"]).status === 0;
    notRunWithout(ctx, isThere ? null : "there is no C compiler named cc");
    const preload = (place: Place): string => {
      const library = join(place.root, "drop-syncs.so");
      const source = fileURLToPath(new URL("fixtures/drop-syncs.c", import.meta.url));
      const built = spawnSync("cc", ["-shared", "-fPIC", "-o", library, source], { encoding: "utf8" });
      expect(built.stderr).toBe("");
      return library;
    };
    const { calls, sent } = await apply(SERIAL, { preload });
    expect(orderFaults(calls, sent)).toHaveLength(SERIAL.length);
  });

  it("a trace whose syncs returned after the call began is told as such", () => {
    const call = (name: string, enteredAt: number, more: Partial<Call>): Call => ({
      ...{ thread: 1, name, args: "", path: "/x/ledger.db-wal", result: "0", isStruck: false },
      ...{ enteredAt, returnedAt: enteredAt },
      ...more,
    });
    const key = "asf-00000000-0000-7000-8000-000000000000";
    const written = call("pwrite64", 1, { args: `"${key}"` });
    const by = call("clone", 4, { path: null });
    const sync = (enteredAt: number, returnedAt: number, result = "0") =>
      call("fsync", enteredAt, { returnedAt, result });
    const faults = (...syncs: Call[]) => orderFaults([written, ...syncs, by], [{ key, by }]);
    expect(faults(sync(2, 3))).toEqual([]);
    for (const wrong of [[], [sync(2, 5)], [sync(0, 0)], [sync(2, 3, "-1 EIO")]])
      expect(faults(...wrong)).toHaveLength(1);
  });
});
