/**
 * Whatever bytes a server answers with, over real sockets: no exception, no hang, no outcome and no reading better than
 * the bytes (docs/guide/http-provider.md, "What a reply proves"; R2).
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpProvider } from "../../../src/adapters/provider-http/provider.ts";
import { systemClock } from "../../../src/adapters/system/clock.ts";
import { known } from "../../../src/domain/known.ts";
import { nothingBrought, type Outcome, type Reading } from "../../../src/domain/outcome.ts";
import type { Provider } from "../../../src/ports/provider.ts";
import { httpIntent, KEY, question, testIo } from "../../support/http-intents.ts";
import { type Campaign, caught, holds, isReplay, runs } from "./campaign.ts";
import { shownBytes } from "./damage.ts";
import { type Asked, type Exchange, exchangeOf } from "./http-lie.ts";
import { outcomeFault, readingFault } from "./http-truth.ts";
import { type LyingServer, lyingServer } from "./lying-server.ts";

let server: LyingServer;
beforeAll(async () => {
  server = await lyingServer();
});
afterAll(() => server.close());

const inputsFor = (base: string, asked: Asked) => ({
  base,
  key: { header: "Idempotency-Key" },
  create: {
    path: "/machines",
    body: { size: "s" },
    id: asked === "create by Location" ? { header: "location" } : "/id",
    outputs: { status: "/status" },
  },
  observe: {
    ...(asked === "list" ? {} : { get: { path: "/machines/{id}" } }),
    find: {
      path: "/machines",
      items: "/items",
      id: "/id",
      match: { "/labels/asfound-key": "{key}" },
      next: "/next",
    },
    asDeclared: { "/size": "s" },
  },
  update: { path: "/machines/{id}", body: { size: "s" } },
  destroy: { path: "/machines/{id}" },
});

/** Longer than an honest reply takes on a busy machine: who holds the connection is waited for that long. */
const DEADLINE_MS = 1_500;

const askedOf = async (provider: Provider, base: string, asked: Asked): Promise<Outcome | Reading> => {
  const inputs = inputsFor(base, asked);
  const io = testIo({ deadlineMs: DEADLINE_MS });
  switch (asked) {
    case "create":
    case "create by Location":
      return provider.create(httpIntent("create", { inputs }), io);
    case "update":
      return provider.update(httpIntent("update", { inputs, id: "m-1" }), io);
    case "destroy":
      return provider.destroy(httpIntent("destroy", { inputs, id: "m-1" }), io);
    case "get":
      return provider.observe(question(inputs, { identity: { id: "m-1" } }), io);
    case "list":
      return provider.observe(question(inputs), io);
  }
};

const isOutcome = (asked: Asked): boolean => asked !== "get" && asked !== "list";

const replies = (provider: Provider): Campaign<Exchange> => ({
  name: "http replies",
  make: exchangeOf(KEY),
  judge: async (exchange) => {
    const told = server.tell(exchange.lies);
    try {
      const said = await askedOf(provider, told.base, exchange.asked);
      const fault = isOutcome(exchange.asked)
        ? outcomeFault(exchange, told.served(), said as Outcome)
        : readingFault(exchange, told.served(), said as Reading, KEY);
      return { as: said.kind, fault: fault === undefined ? undefined : `${fault} ${JSON.stringify(said)}` };
    } finally {
      told.forget();
    }
  },
  show: ({ asked, lies, means }) =>
    `${asked} (means ${means}): ${lies.map(({ chunks, then }) => `${shownBytes(Buffer.concat(chunks))}, then ${then}`).join("\n")}`,
  together: 16,
});

const http = httpProvider(systemClock);

describe("fuzz: what a server answers", () => {
  it("no outcome and no reading is better than the bytes", async () => {
    const told = await holds(replies(http), runs({ ci: 5_000, soak: 80_000 }));
    if (!isReplay)
      for (const kind of [
        "done",
        "refused",
        "unknown",
        "observed",
        "absent",
        "ambiguous",
        "denied",
        "failed",
      ])
        expect(told.as[kind]).toBeGreaterThan(5);
  });
});

describe.skipIf(isReplay)("control: a careless client is caught", () => {
  const changed = (
    change: (outcome: Outcome) => Outcome,
    look: (reading: Reading) => Reading = (r) => r,
  ): Provider => ({
    ...http,
    create: async (intent, io) => change(await http.create(intent, io)),
    update: async (intent, io) => change(await http.update(intent, io)),
    destroy: async (intent, io) => change(await http.destroy(intent, io)),
    observe: async (asked, io) => look(await http.observe(asked, io)),
  });
  const MUTANTS: Readonly<Record<string, readonly [Provider, RegExp]>> = {
    "a reply that was cut off, or none, is done": [
      changed((outcome) => (outcome.kind === "unknown" ? { kind: "done", ...nothingBrought } : outcome)),
      /read as done/,
    ],
    "a server's error means that nothing was done": [
      changed((outcome) => (outcome.kind === "unknown" ? { kind: "refused", reason: "" } : outcome)),
      /read as refused/,
    ],
    "nothing is ever known": [
      changed(
        () => ({ kind: "unknown", reason: "", ...nothingBrought }),
        () => ({ kind: "failed", reason: "" }),
      ),
      /an undamaged reply means/,
    ],
    "what cannot be read is absent": [
      changed(
        (outcome) => outcome,
        (reading) => (reading.kind === "failed" ? { kind: "absent" } : reading),
      ),
      /absent/,
    ],
    "what is there is as declared": [
      changed(
        (outcome) => outcome,
        (reading) => (reading.kind === "observed" ? { ...reading, asDeclared: known(true) } : reading),
      ),
      /read as declared/,
    ],
    "an id is made up": [
      changed((outcome) => (outcome.kind === "done" ? { ...outcome, id: "m-77" } : outcome)),
      /is not one that it named/,
    ],
    "a request without an answer is sent again": [
      {
        ...http,
        update: async (intent, io) => {
          const { inputs } = await intent.open();
          const again = (): Promise<Outcome> => http.update(httpIntent("update", { inputs, id: "m-1" }), io);
          const first = await again();
          return first.kind === "unknown" ? again() : first;
        },
      },
      /a second time/,
    ],
  };
  for (const [what, [provider, says]] of Object.entries(MUTANTS))
    it(what, async () => expect(await caught(replies(provider), 3_000, says)).toMatch(says));
});
