/** A step over the HTTP cloud, whose kind keeps one class, with every switch that the kit knows. */
import { onTestFinished } from "vitest";
import { httpProvider } from "../../../src/adapters/provider-http/provider.ts";
import { systemClock } from "../../../src/adapters/system/clock.ts";
import type { Action, JsonObject, RetryClass } from "../../../src/provider.ts";
import {
  type Cloud,
  type FaultRule,
  type KindSettings,
  type Subject,
  startCloud,
  type Verb,
} from "../../../src/testing.ts";

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

/** A second object with the first one's mark, past the rules that would prevent it. */
const twin = async (cloud: Cloud, keeps: RetryClass): Promise<void> => {
  const [first] = cloud.objects("machines");
  const { id: _id, status: _status, ip: _ip, ...body } = first?.body ?? {};
  cloud.setKind("machines", { keys: "ignore", uniqueNames: false });
  await fetch(`${cloud.url}/v1/machines`, { method: "POST", body: JSON.stringify(body) });
  cloud.setKind("machines", KINDS[keeps]);
};

export const httpSubject = (keeps: RetryClass) => async (): Promise<Subject> => {
  const cloud = await startCloud({ kinds: { machines: KINDS[keeps] } });
  onTestFinished(() => cloud.close());
  const verbs: Readonly<Partial<Record<Action, Verb>>> = {
    create: keeps === "idempotent" ? "update" : "create",
    update: "update",
    destroy: "delete",
  };
  const once = (action: Action, fault: FaultRule["fault"]): void => {
    const verb = verbs[action];
    if (verb !== undefined) cloud.setFaults([{ verb, nth: 1, fault }]);
  };
  const reading = (status: number): FaultRule[] =>
    (["get", "list"] as const).map((verb) => ({ verb, fault: { do: "status", status } }));
  return {
    provider: httpProvider(systemClock),
    with: requests(cloud.url, keeps, "small"),
    changed: requests(cloud.url, keeps, "large"),
    count: async () => cloud.objects().length,
    switches: {
      loseReply: (action) => once(action, { do: "cut", at: "after" }),
      failAfter: (action) => once(action, { do: "status", status: 500, after: true }),
      refuse: (action) => once(action, { do: "status", status: 422 }),
      late: (action, ms) => once(action, { do: "late", ms }),
      hang: (action) => once(action, { do: "hang", after: true }),
      reads: (how) => cloud.setFaults(how === null ? [] : reading(how === "denied" ? 403 : 502)),
      twin: () => twin(cloud, keeps),
    },
  };
};
