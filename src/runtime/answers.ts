/**
 * Asks for the replies that a verdict is to rest on: each a GET by the path that a person named, recorded with who stood
 * behind that path before it was sent. What is asked follows from the target's own objects, or is the URL that was written;
 * nothing else is ever asked.
 *
 * A Pod or Service is asked at its own address where that can be reached from here and is shown to be this cluster's (ADR
 * 0046), else through the API server's proxy, which is another path, and said (V9). Where that is not permitted, whose the
 * address is stays open, and the answer says so.
 */
import type { Answer } from "../domain/answer.ts";
import { iso } from "../domain/ids.ts";
import { isIdTeller, type ResponseExpectation, viaText } from "../domain/response.ts";
import type { Clock } from "../ports/clock.ts";
import type { OwnNetwork, ProxyRef, Round } from "../ports/cluster.ts";
import type { Probe, Probed, Prober } from "../ports/prober.ts";
import { sha256Hex } from "../wire/digest.ts";
import { type Address, type Around, addressesFor } from "./answer-addresses.ts";
import { tiedByLog } from "./tie-by-log.ts";
import { tiedByPort } from "./tie-by-port.ts";

export interface Sampling {
  readonly round: Round;
  readonly prober: Prober;
  readonly clock: Clock;
  readonly response: ResponseExpectation;
  /** By the clock that never goes backwards: nothing is asked after it. */
  readonly untilMs: number;
  readonly stop: AbortSignal;
}

/** For one request. Connecting to an address of a cluster that is elsewhere may take until a time-out. */
const REQUEST_MS = 5_000;
const REACH_MS = 2_000;
const AT_ONCE = 8;

export const sampleAnswers = async (sampling: Sampling, around: Around): Promise<readonly Answer[]> => {
  const { response, round } = sampling;
  const found = await addressesFor(round, response, around);
  if ("why" in found) return [{ ...blank(sampling, found.url, around), failure: found.why }];
  const requests = found.addresses.flatMap((address) =>
    Array.from({ length: response.samples }, () => address),
  );
  const inside = response.via.kind === "pod" || response.via.kind === "service";
  const ways: Ways = { network: inside ? await round.ownNetwork() : null, isOutOfReach: false };
  const answers: Answer[] = [];
  const next = requests.values();
  const work = async (): Promise<void> => {
    for (const address of next) answers.push(await askOnce(sampling, around, address, ways));
  };
  const begunMs = sampling.clock.monotonicMs();
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, found.addresses.length) }, work));
  const { pod } = response;
  if (!isIdTeller(pod)) return answers;
  const { clock, untilMs, stop } = sampling;
  const tying = { round, clock, namespace: around.namespace, pods: around.pods, begunMs, untilMs, stop };
  return pod.kind === "log" ? tiedByLog(tying, answers) : tiedByPort(tying, pod, answers);
};

/** Pods and Services of a cluster share a network: where one of them cannot be reached from here, the others are not tried. */
interface Ways {
  /** null: the path leads to no address inside of it. */
  readonly network: OwnNetwork | null;
  isOutOfReach: boolean;
}

interface One {
  readonly address: Address;
  readonly base: Answer;
  readonly headers: Readonly<Record<string, string>>;
  readonly leftMs: number;
}

const askOnce = async (sampling: Sampling, around: Around, address: Address, ways: Ways): Promise<Answer> => {
  const { clock, prober, response } = sampling;
  const { pod: teller } = response;
  const requestId = isIdTeller(teller) ? prober.fresh() : null;
  const headers = isIdTeller(teller) && requestId !== null ? { [teller.header]: requestId } : {};
  const { url, service, pod } = address;
  const base = { ...blank(sampling, url, around), service, pod, requestId };
  const leftMs = sampling.untilMs - clock.monotonicMs();
  if (leftMs <= 0) return { ...base, failure: "the time for it was over before it was asked for" };
  const one = { address, base, headers, leftMs };
  if (address.proxy === null) return straight(sampling, one, ways);
  const proxied = (proxy: ProxyRef) => throughProxy(sampling, base, { ...proxy, headers });
  if (ways.network === null || ways.network.kind === "shown")
    return (await straightIfReached(sampling, one, ways)) ?? (await proxied(address.proxy)).answer;
  const { answer, isPermitted } = await proxied(address.proxy);
  if (isPermitted) return answer;
  return (await straightIfReached(sampling, one, ways)) ?? answer;
};

type Behind = Pick<Answer, "podsBefore"> & { readonly endpoints: readonly string[] | null };

const straightIfReached = async (sampling: Sampling, one: One, ways: Ways): Promise<Answer | null> => {
  if (ways.isOutOfReach) return null;
  const answer = await straight(sampling, { ...one, leftMs: Math.min(one.leftMs, REACH_MS) }, ways);
  return ways.isOutOfReach ? null : answer;
};

const straight = async (
  sampling: Sampling,
  { address, base, headers, leftMs }: One,
  ways: Ways,
): Promise<Answer> => {
  const { clock, prober, response, stop } = sampling;
  const probe: Probe = {
    url: address.url,
    address: address.ip,
    namedBy: response.via.kind === "url" ? "person" : "object",
    host: response.host ?? address.host,
    headers,
    deadlineMs: Math.min(leftMs, REQUEST_MS),
  };
  const before = { ...base, unshown: ways.network?.kind === "not-shown" ? ways.network.why : null };
  if (response.expect.health !== null)
    return askHealth(sampling, before, probe, response.expect.health.service);
  const got = await prober.get(probe, stop);
  if (got.kind === "unreachable") ways.isOutOfReach = true;
  return { ...before, at: iso(clock.now()), ...replyIn(got) };
};

const replyIn = (
  got: Probed,
): Pick<Answer, "failure"> | Pick<Answer, "status" | "headers" | "body" | "bodySha256"> =>
  got.kind === "replied"
    ? { status: got.status, headers: kept(got.headers), ...bodyOf(got.body) }
    : { failure: got.why };

const askHealth = async (
  { prober, clock, stop }: Sampling,
  base: Answer,
  probe: Probe,
  service: string,
): Promise<Answer> => {
  const got = await prober.health({ ...probe, service }, stop);
  const answer = { ...base, at: iso(clock.now()) };
  if (got.kind === "unreachable" && probe.namedBy === "object")
    return { ...answer, failure: `${got.why}; the API server's proxy carries no gRPC` };
  if (got.kind !== "replied") return { ...answer, failure: got.why };
  const { status, headers, code, health } = got;
  return { ...answer, status, headers: kept(headers), grpc: { service, code, health } };
};

const throughProxy = async (
  { round, clock }: Sampling,
  before: Answer,
  ref: ProxyRef,
): Promise<{ readonly answer: Answer; readonly isPermitted: boolean }> => {
  const got = await round.proxied(ref);
  const base: Answer = { ...before, at: iso(clock.now()), through: "api-server" };
  if (got.kind !== "replied")
    return { answer: { ...base, failure: got.sentence }, isPermitted: got.kind !== "denied" };
  const { status, headers, exchange } = got;
  return {
    answer: { ...base, status, headers: kept(headers), ...bodyOf(exchange.body) },
    isPermitted: true,
  };
};

/** Nothing could be asked. `why`: a clause. */
export const unasked = (sampling: Sampling, url: string, why: string): Answer => ({
  ...blank(sampling, url, { podsBefore: null, endpoints: null }),
  failure: why,
});

const blank = ({ response, clock }: Sampling, url: string, { podsBefore, endpoints }: Behind): Answer => ({
  at: iso(clock.now()),
  via: viaText(response.via),
  url,
  service: null,
  through: "direct",
  unshown: null,
  grpc:
    response.expect.health === null
      ? null
      : { service: response.expect.health.service, code: null, health: null },
  status: null,
  headers: null,
  body: null,
  bodySha256: null,
  pod: null,
  requestId: null,
  log: null,
  port: null,
  podsBefore,
  endpointsBefore: endpoints,
  failure: null,
});

/** Never written (E5). */
const SECRET = /^(set-cookie|www-authenticate|authorization|proxy-.*)$/;

const kept = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !SECRET.test(name)));

const bodyOf = (bytes: Uint8Array): Pick<Answer, "body" | "bodySha256"> => ({
  body: textOf(bytes),
  bodySha256: sha256Hex(bytes),
});

const textOf = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};
