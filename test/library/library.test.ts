/** asfound from code: a stack in TypeScript over a provider in this process, and the ends that are values. */
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { defineStack, EXIT, openStack, type StackDefinition, type StackOptions } from "../../src/index.ts";
import { done, type Provider, type ProviderDefinition } from "../../src/provider.ts";
import { shelf } from "./shelf.ts";

const folderFor = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "asfound-library-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const two = defineStack({
  apiVersion: "asfound.dev/v1alpha1",
  kind: "Stack",
  metadata: { name: "shelves" },
  steps: {
    first: { uses: "shelf", settle: "100ms", with: { label: "one" } },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the stack's own, replaced by asfound.
    second: { uses: "shelf", settle: "100ms", with: { label: "after ${steps.first.outputs.label}" } },
  },
});

const opened = async (provider: Provider, stack: StackDefinition = two, more: Partial<StackOptions> = {}) =>
  openStack({ stack, directory: await folderFor(), providers: [provider], environment: {}, ...more });

describe("a stack in TypeScript, over a provider in code", () => {
  it("is planned, applied, seen and destroyed", async () => {
    const { provider, things } = shelf();
    const stack = await opened(provider);
    expect(await stack.plan()).toMatchObject({ kind: "report", changes: 2 });
    const applied = await stack.apply({ reason: "first" });
    expect(applied).toMatchObject({ kind: "done", exit: EXIT.proven, summary: "2 of 2 steps are complete" });
    expect([...things.values()].map((thing) => thing.label)).toEqual(["one", "after one"]);
    const status = await stack.status();
    expect(status).toMatchObject({
      kind: "report",
      exit: 0,
      steps: [{ status: "complete" }, { status: "complete" }],
    });
    expect(await stack.apply()).toMatchObject({ kind: "done", exit: 0 });
    expect(await stack.planDestroy()).toMatchObject({ kind: "report", changes: 2 });
    expect(await stack.destroy()).toMatchObject({ kind: "done", exit: 0, summary: "2 of 2 steps are gone" });
    expect(things.size).toBe(0);
  });

  it("plan leaves no file in a fresh folder, apply leaves the ledger beside the stack", async () => {
    const directory = await folderFor();
    const stack = await opened(shelf().provider, two, { directory });
    await stack.plan();
    expect(existsSync(join(directory, ".asfound"))).toBe(false);
    await stack.apply();
    expect(existsSync(join(directory, ".asfound", "ledger.db"))).toBe(true);
  });

  it("W3: a reply that was lost is in doubt, reconcile finds the thing by its key, resume does the rest", async () => {
    let calls = 0;
    const { provider, things } = shelf((whole: ProviderDefinition) => ({
      ...whole,
      create: async (intent, io) => {
        calls += 1;
        const outcome = await whole.create(intent, { ...io, identity: async () => undefined });
        if (calls > 1) return outcome;
        return { kind: "unknown", reason: "the connection was cut", id: null, outputs: {}, owes: [] };
      },
    }));
    const stack = await opened(provider);
    const red = await stack.apply();
    expect(red).toMatchObject({ kind: "done", exit: EXIT.unresolved });
    if (red.kind === "done")
      expect(red.status.steps.map((step) => step.status)).toEqual(["unresolved", "pending"]);
    expect(await stack.reconcile()).toMatchObject({ kind: "done", exit: 0 });
    expect(await stack.resume()).toMatchObject({
      kind: "done",
      exit: 0,
      summary: "2 of 2 steps are complete",
    });
    expect([calls, things.size]).toEqual([2, 2]);
  });

  it("N4: an aborted stop starts nothing more, and the exit says that it was interrupted", async () => {
    const stop = new AbortController();
    const { provider, things } = shelf((whole) => ({
      ...whole,
      create: async (intent, io) => {
        stop.abort();
        return whole.create(intent, io);
      },
    }));
    const stack = await opened(provider, two, { stop: stop.signal });
    expect(await stack.apply()).toMatchObject({ kind: "done", exit: EXIT.interrupted });
    expect(things.size).toBe(1);
  });

  it("arms no signal handler", async () => {
    const seen: number[] = [];
    const before = process.listenerCount("SIGINT") + process.listenerCount("SIGTERM");
    const { provider } = shelf((whole) => ({
      ...whole,
      create: async (intent, io) => {
        seen.push(process.listenerCount("SIGINT") + process.listenerCount("SIGTERM"));
        return whole.create(intent, io);
      },
    }));
    await (await opened(provider)).apply();
    expect(seen).toEqual([before, before]);
  });
});

describe("what is wrong is a value", () => {
  it("every fault of a definition, with its field, and nothing is called", async () => {
    const { provider, things } = shelf();
    const broken = { ...two, steps: { first: { uses: "shelf", needs: ["nowhere"], with: { label: "x" } } } };
    const answer = await (await opened(provider, broken)).apply();
    expect(answer).toMatchObject({ kind: "invalid", exit: 2, faults: [{ field: "steps.first.needs.0" }] });
    expect(things.size).toBe(0);
  });

  it("a provider's own fault, at the step's with", async () => {
    const broken = { ...two, steps: { first: { uses: "shelf", with: { label: 7 } } } };
    const answer = await (await opened(shelf().provider, broken)).plan();
    expect(answer).toMatchObject({ kind: "invalid", faults: [{ field: "steps.first.with.label" }] });
  });

  it("CI without a named ledger is refused before anything is called (23), and with one it is not", async () => {
    const { provider, things } = shelf();
    const stack = await opened(provider, two, { environment: { CI: "true" } });
    expect(await stack.apply()).toMatchObject({ kind: "refused", exit: EXIT.refused });
    expect(things.size).toBe(0);
    const named = await opened(provider, two, { environment: { CI: "true" }, ledger: "state/ledger.db" });
    expect(await named.apply()).toMatchObject({ kind: "done", exit: 0 });
  });

  it("nothing to destroy, to resume or to tell", async () => {
    const stack = await opened(shelf().provider);
    expect(await stack.destroy()).toMatchObject({ kind: "refused", exit: 0 });
    expect(await stack.status()).toMatchObject({ kind: "refused", exit: 0 });
    expect(await stack.resume()).toMatchObject({ kind: "refused" });
  });

  it("what a provider throws is an outcome, not an exception", async () => {
    const { provider } = shelf((whole) => ({
      ...whole,
      create: async (intent) => {
        await intent.open();
        throw new Error("a bug of the provider");
      },
    }));
    const answer = await (await opened(provider)).apply();
    expect(answer).toMatchObject({ kind: "done", exit: EXIT.unresolved });
  });
});

describe("a stack file from code", () => {
  it("works with providers in code, and the lock is written beside it", async () => {
    const directory = await folderFor();
    const file = join(directory, "asfound.yaml");
    await writeFile(
      file,
      "apiVersion: asfound.dev/v1alpha1\nkind: Stack\nmetadata: { name: filed }\nsteps:\n  one: { uses: shelf, settle: 100ms, with: { label: x } }\n",
    );
    const { provider, things } = shelf();
    const stack = openStack({ stack: { file }, providers: [provider], environment: {} });
    expect(await stack.apply()).toMatchObject({ kind: "done", exit: 0 });
    expect(things.size).toBe(1);
    expect(existsSync(join(directory, "asfound.lock"))).toBe(true);
    const without = openStack({ stack: { file }, environment: {} });
    expect(await without.apply()).toMatchObject({
      kind: "invalid",
      faults: [{ field: "steps.one.uses", line: 5 }],
    });
  });
});

describe("defineProvider", () => {
  it("says what a definition cannot do", () => {
    const { provider } = shelf(({ observe: _o, destroy: _d, update: _u, ...rest }) => ({
      ...rest,
      create: async (intent) => {
        await intent.open();
        return done();
      },
    }));
    expect(provider.describe({ label: "x" })).toMatchObject({
      can: { observe: false, create: true, update: false, destroy: false },
      cannotKnow: [expect.stringContaining("own word"), expect.stringContaining("own word")],
    });
  });
});
