/** The checks that `asfound/testing` ships: what is right passes all of them, and each wrong provider fails one. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { execProvider } from "../../src/adapters/provider-exec/provider.ts";
import { httpProvider } from "../../src/adapters/provider-http/provider.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { absent, done, type ProviderDefinition } from "../../src/provider.ts";
import { type Check, harness, providerChecks, type Subject, startCloud } from "../../src/testing.ts";
import { shelf } from "./shelf.ts";

const shelfSubject =
  (mutate?: (whole: ProviderDefinition) => ProviderDefinition) => async (): Promise<Subject> => {
    const { provider, things } = shelf(mutate);
    return { provider, with: { label: "a" }, changed: { label: "b" }, count: async () => things.size };
  };

describe("a provider in code passes every check", () => {
  for (const check of providerChecks(shelfSubject())) it(check.name, check.run);
});

describe("exec passes every check, over a shell script", () => {
  const CLOUD_SH = fileURLToPath(new URL("../fixtures/cloud/cloud.sh", import.meta.url));
  const make = async (): Promise<Subject> => {
    const folder = await mkdtemp(join(tmpdir(), "asfound-kit-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const command = [CLOUD_SH, folder];
    const commands = { observe: command, create: command, update: command, destroy: command };
    return {
      provider: execProvider({ environment: process.env }),
      with: { ...commands, inputs: { size: 1 } },
      changed: { ...commands, inputs: { size: 2 } },
      count: async () => (await readdir(join(folder, "objects")).catch(() => [])).length,
    };
  };
  for (const check of providerChecks(make)) it(check.name, check.run);
});

describe("http passes every check, over the cloud", () => {
  const requests = (base: string, size: string) => ({
    base: `${base}/v1`,
    key: { header: "Idempotency-Key", body: "/labels/asfound-key" },
    create: { path: "/machines", body: { size, labels: {} }, id: "/id" },
    observe: {
      get: { path: "/machines/{id}" },
      find: {
        path: "/machines?label=asfound-key%3D{key}",
        items: "/items",
        id: "/id",
        match: { "/labels/asfound-key": "{key}" },
        next: "/next",
      },
      declared: ["/size"],
    },
    update: { path: "/machines/{id}", body: { size } },
    destroy: { path: "/machines/{id}" },
  });
  const make = async (): Promise<Subject> => {
    const cloud = await startCloud();
    onTestFinished(() => cloud.close());
    return {
      provider: httpProvider(systemClock),
      with: requests(cloud.url, "small"),
      changed: requests(cloud.url, "large"),
      count: async () => cloud.objects().length,
    };
  };
  for (const check of providerChecks(make)) it(check.name, check.run);
});

describe("each check catches the provider that breaks it", () => {
  /** The sentences of the checks that a mutant fails. */
  const failures = async (checks: readonly Check[]): Promise<string[]> => {
    const said: string[] = [];
    for (const check of checks)
      await check
        .run()
        .catch((error: unknown) => said.push(error instanceof Error ? error.message : String(error)));
    return said;
  };
  const failuresOf = (mutate: (whole: ProviderDefinition) => ProviderDefinition): Promise<string[]> =>
    failures(providerChecks(shelfSubject(mutate)));

  it("never opens its intent", async () => {
    const said = await failuresOf((whole) => ({ ...whole, create: async () => done({ id: "thing-1" }) }));
    expect(said.join("\n")).toContain("create did not open its intent");
  });

  it("finds by id only, so a lost reply hides what it made", async () => {
    const said = await failuresOf((whole) => ({
      ...whole,
      observe: async (question, io) =>
        question.identity === null ? absent : ((await whole.observe?.(question, io)) ?? absent),
    }));
    expect(said.join("\n")).toContain("find the thing by its key");
  });

  it("throws where a reading was asked for", async () => {
    const said = await failuresOf((whole) => ({
      ...whole,
      observe: async (question, io) => {
        if (io.stop.aborted) throw new Error("aborted");
        return (await whole.observe?.(question, io)) ?? absent;
      },
    }));
    expect(said.join("\n")).toContain("observe threw");
  });

  it("says that it is gone, and it is not", async () => {
    const said = await failuresOf((whole) => {
      const gone = new Set<string>();
      return {
        ...whole,
        destroy: async (intent) => {
          gone.add((await intent.open()).identity?.id ?? "");
          return done();
        },
        observe: async (question, io) =>
          gone.has(question.identity?.id ?? "") ? absent : ((await whole.observe?.(question, io)) ?? absent),
      };
    });
    expect(said.join("\n")).toContain("what is called destroyed still exists");
  });

  it("makes another thing at every update", async () => {
    const said = await failuresOf((whole) => ({
      ...whole,
      update: async (intent, io) => whole.create(intent as never, io),
    }));
    expect(said.join("\n")).toContain("a second object exists");
  });
});

describe("the harness", () => {
  it("R2: says that a lost reply is in doubt, and shows what the provider itself had answered", async () => {
    const { provider, things } = shelf();
    const at = harness({ provider, with: { label: "a" }, step: { retry: "once" } });
    at.breakNext("create", "lose-reply");
    const lost = await at.apply();
    expect(lost).toMatchObject({
      exit: 21,
      step: { status: "unresolved", effect: "possible", identity: null },
    });
    expect(at.calls).toMatchObject([
      { action: "create", opened: true, outcome: { kind: "done", id: "thing-1" } },
    ]);
    const found = await at.reconcile();
    expect(found).toMatchObject({ exit: 0, step: { status: "complete", identity: { id: "thing-1" } } });
    expect(things.size).toBe(1);
  });

  it("refuses inputs that the provider finds at fault", async () => {
    await expect(harness({ provider: shelf().provider, with: {} }).apply()).rejects.toThrow(
      "label must be text",
    );
  });
});
