/** Which way a Pod or Service is asked: straight only where its address is shown to be this cluster's (ADR 0046). */
import { describe, expect, it } from "vitest";
import { systemClock } from "../adapters/system/clock.ts";
import type { ResponseExpectation, Via } from "../domain/response.ts";
import { expectedReply } from "../domain/response.ts";
import type { Exchange, OwnNetwork, ProxyReading, Round } from "../ports/cluster.ts";
import type { Probed, Prober } from "../ports/prober.ts";
import { aroundOf } from "./answer-addresses.ts";
import { sampleAnswers } from "./answers.ts";

const SHOWN: OwnNetwork = { kind: "shown" };
const NOT_SHOWN: OwnNetwork = { kind: "not-shown", why: "another cluster stands there" };

const exchange = (text: string): Exchange => ({
  request: "GET /",
  askedAt: systemClock.now(),
  answeredAt: systemClock.now(),
  durationMs: 1,
  status: 200,
  serverDate: null,
  contentType: null,
  body: Buffer.from(text),
  whole: true,
});
const REPLIED: ProxyReading = {
  kind: "replied",
  status: 200,
  headers: {},
  exchange: exchange("by the API server"),
};
const DENIED: ProxyReading = {
  kind: "denied",
  reason: "forbidden",
  sentence: "services/proxy is forbidden",
  missing: null,
  exchanges: [],
};
const DIRECT: Probed = { kind: "replied", status: 200, headers: {}, body: Buffer.from("straight") };
const UNREACHABLE: Probed = { kind: "unreachable", why: "no way there" };

const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace: "shop" },
  spec: { clusterIP: "10.96.0.12", ports: [{ port: 80 }] },
};

const asking = async (
  network: OwnNetwork,
  proxied: ProxyReading,
  probed: Probed,
  via: Via = { kind: "service", name: "web" },
) => {
  const asked: string[] = [];
  const round = {
    ownNetwork: async () => {
      asked.push("network");
      return network;
    },
    proxied: async () => {
      asked.push("proxy");
      return proxied;
    },
  } as unknown as Round;
  const prober: Prober = {
    fresh: () => "id",
    get: async () => {
      asked.push("straight");
      return probed;
    },
    health: async () => ({ kind: "failed", why: "not asked" }),
  };
  const response: ResponseExpectation = {
    via,
    path: "/",
    host: null,
    port: null,
    ca: null,
    expect: expectedReply([]),
    pod: null,
    samples: 1,
  };
  const around = aroundOf(response, {
    namespace: "shop",
    target: service,
    isService: true,
    services: [],
    slices: [],
    pods: [],
  });
  const sampling = { round, prober, clock: systemClock, response, stop: new AbortController().signal };
  const [answer] = await sampleAnswers({ ...sampling, untilMs: systemClock.monotonicMs() + 10_000 }, around);
  return { asked, answer };
};

describe("a Service", () => {
  it("whose address is shown to be this cluster's is asked straight", async () => {
    const { asked, answer } = await asking(SHOWN, REPLIED, DIRECT);
    expect(asked).toEqual(["network", "straight"]);
    expect(answer).toMatchObject({ through: "direct", unshown: null, body: "straight" });
  });

  it("that is out of reach is asked through the API server", async () => {
    const { asked, answer } = await asking(SHOWN, REPLIED, UNREACHABLE);
    expect(asked).toEqual(["network", "straight", "proxy"]);
    expect(answer).toMatchObject({ through: "api-server", unshown: null, body: "by the API server" });
  });

  it("whose address may be another cluster's is not asked there", async () => {
    const { asked, answer } = await asking(NOT_SHOWN, REPLIED, DIRECT);
    expect(asked).toEqual(["network", "proxy"]);
    expect(answer).toMatchObject({ through: "api-server", unshown: null, body: "by the API server" });
  });

  it("is asked straight where the API server's proxy is not permitted, and the answer says what is open", async () => {
    const { answer } = await asking(NOT_SHOWN, DENIED, DIRECT);
    expect(answer).toMatchObject({ through: "direct", unshown: NOT_SHOWN.why, body: "straight" });
  });

  it("that no way leads to has no reply, and why", async () => {
    const { asked, answer } = await asking(NOT_SHOWN, DENIED, UNREACHABLE);
    expect(asked).toEqual(["network", "proxy", "straight"]);
    expect(answer).toMatchObject({ status: null, failure: "services/proxy is forbidden" });
  });
});

it("a URL that a person wrote is asked there, and nobody's network is looked for", async () => {
  const { asked } = await asking(NOT_SHOWN, REPLIED, DIRECT, { kind: "url", url: "http://127.0.0.1:1/" });
  expect(asked).toEqual(["straight"]);
});
