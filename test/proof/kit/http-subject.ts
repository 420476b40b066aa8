/** A step over the HTTP cloud, whose kind keeps one class, with every switch that the kit knows. */
import { httpProvider } from "../../../src/adapters/provider-http/provider.ts";
import { systemClock } from "../../../src/adapters/system/clock.ts";
import type { JsonObject, RetryClass } from "../../../src/provider.ts";
import { cloudSwitches, type KindSettings, type Subject, startCloud } from "../../../src/testing.ts";

const KINDS: Readonly<Record<RetryClass, Partial<KindSettings>>> = {
  once: { keys: "ignore" },
  named: { keys: "ignore", uniqueNames: true },
  keyed: { keys: "replay" },
  idempotent: { keys: "ignore", puts: "create" },
};

const requests = (base: string, keeps: RetryClass, size: string): JsonObject => {
  const byName = keeps === "named" || keeps === "idempotent";
  const body = byName ? { name: "one", size } : { size, labels: {} };
  const find = byName
    ? { path: "/machines?name=one", match: { "/name": "one" } }
    : { path: "/machines?label=asfound-key%3D{key}", match: { "/labels/asfound-key": "{key}" } };
  return {
    base: `${base}/v1`,
    ...(byName ? {} : { key: { header: "Idempotency-Key", body: "/labels/asfound-key" } }),
    create: {
      ...(keeps === "idempotent" ? { method: "PUT", path: "/machines/one" } : { path: "/machines" }),
      body,
      id: "/id",
    },
    observe: {
      get: { path: "/machines/{id}" },
      find: { ...find, items: "/items", id: "/id", next: "/next" },
      declared: ["/size"],
    },
    update: { path: "/machines/{id}", body: { size } },
    destroy: { path: "/machines/{id}" },
  };
};

export const httpSubject = (keeps: RetryClass) => async (): Promise<Subject> => {
  const settings = KINDS[keeps];
  const cloud = await startCloud({ kinds: { machines: settings } });
  return {
    provider: httpProvider(systemClock),
    with: requests(cloud.url, keeps, "small"),
    changed: requests(cloud.url, keeps, "large"),
    count: async () => cloud.objects().length,
    end: () => cloud.close(),
    // A thing that is made under an id of ours is made by a PUT.
    switches: cloudSwitches(cloud, {
      settings,
      ...(keeps === "idempotent" ? { verbs: { create: "update" } } : {}),
    }),
  };
};
