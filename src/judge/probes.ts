/**
 * Which probe of a container fails, with what it answers and since when: by the kubelet's events (pkg/kubelet/prober), which
 * name the container. What was said of an earlier start of it counts for nothing.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import { age } from "../domain/time.ts";
import type { Collection } from "./collection.ts";
import type { Container } from "./containers.ts";
import { eventsOf, type Told } from "./events.ts";
import { hint, OBJECT, TEXT, TIME, valueAt, WHOLE } from "./read.ts";
import { quoted } from "./words.ts";

export interface ProbeTrouble {
  readonly probe: "readiness" | "liveness" | "startup";
  /** What stands after whose it is: `readiness answers 503 (12 times, for 2m)`. */
  readonly clause: string;
}

const PROBE = /^(Readiness|Liveness|Startup) probe (?:failed|errored)/;

/** The latest probe of a container that failed since it runs. `only`: of these probes. */
export const probeTrouble = (
  pod: Seen,
  container: Container,
  collection: Collection,
  at: Instant,
  only: readonly ProbeTrouble["probe"][],
): ProbeTrouble | undefined => {
  const started = hint(container.status, ["state", "running", "startedAt"], TIME);
  const latest = eventsOf(pod, collection).findLast(
    (told) =>
      told.reason === "Unhealthy" &&
      only.some((probe) => probe === probeOf(told)) &&
      isAbout(told, container) &&
      !(told.last !== undefined && started !== undefined && told.last < started),
  );
  const probe = latest === undefined ? undefined : probeOf(latest);
  if (latest === undefined || probe === undefined) return undefined;
  const status = /statuscode: (\d{3})/.exec(latest.message)?.[1];
  const what = probe === "startup" ? `startup probe${handlerText(container)}` : probe;
  const says =
    status !== undefined
      ? `${what} answers ${status}`
      : `${probe === "startup" ? what : `${probe} probe`} fails (${quoted(latest.message)})`;
  const often = [
    ...(latest.count === undefined ? [] : [latest.count === 1 ? "once" : `${latest.count} times`]),
    ...(latest.first === undefined ? [] : [`for ${age(at - latest.first)}`]),
  ];
  return { probe, clause: `${says}${often.length === 0 ? "" : ` (${often.join(", ")})`}` };
};

const probeOf = ({ message }: Told): ProbeTrouble["probe"] | undefined =>
  PROBE.exec(message)?.[1]?.toLowerCase() as ProbeTrouble["probe"] | undefined;

/** An event that names no container may be about any of its Pod. */
const isAbout = ({ container: named }: Told, { name }: Container): boolean =>
  named === undefined || named === name;

/** ` (GET /healthz on port 8080)`: what the startup probe asks; empty where its spec does not say. */
const handlerText = ({ spec }: Container): string => {
  const probe = hint(spec, ["startupProbe"], OBJECT);
  if (probe === undefined) return "";
  const port = (of: string): string => {
    const value = valueAt(probe, [of, "port"]);
    return typeof value === "number" || typeof value === "string" ? ` on port ${quoted(String(value))}` : "";
  };
  if (valueAt(probe, ["httpGet"]) !== undefined) {
    const path = hint(probe, ["httpGet", "path"], TEXT);
    return ` (GET ${path === undefined ? "/" : quoted(path)}${port("httpGet")})`;
  }
  if (valueAt(probe, ["tcpSocket"]) !== undefined) return ` (TCP${port("tcpSocket")})`;
  if (valueAt(probe, ["grpc"]) !== undefined) return ` (gRPC${port("grpc")})`;
  return valueAt(probe, ["exec"]) === undefined ? "" : " (a command)";
};

/** A container that runs and has not started yet: since when, and what its startup probe says. */
export const startupClause = (
  pod: Seen,
  container: Container,
  collection: Collection,
  at: Instant,
): string => {
  const began = hint(container.status, ["state", "running", "startedAt"], TIME);
  const runs = began === undefined ? "" : `, and runs since ${age(at - began)}`;
  const probe = probeTrouble(pod, container, collection, at, ["startup"]);
  if (probe !== undefined) return `has not started yet${runs}: its ${probe.clause}${patience(container)}`;
  const declared = hint(container.spec, ["startupProbe"], OBJECT);
  return declared === undefined
    ? `has not started yet${runs}`
    : `has not started yet${runs}: its startup probe${handlerText(container)} has not succeeded`;
};

/** When the kubelet loses patience; core/v1 Probe: 3 failures, 10 s apart, where nothing else is said. */
const patience = ({ spec }: Container): string => {
  const declared = (field: string, usual: number): number => {
    const value = hint(spec, ["startupProbe", field], WHOLE);
    return value === undefined ? usual : value;
  };
  const [failures, period] = [declared("failureThreshold", 3), declared("periodSeconds", 10)];
  return `; after ${failures} failures ${age(period * 1000)} apart it is restarted`;
};

/** The probe for which the kubelet ended the run of a container that is over, by its event `Killing`; empty: not told. */
export const killedFor = (pod: Seen, container: Container, collection: Collection): string => {
  const [from, to] = (["startedAt", "finishedAt"] as const).map(
    (field) =>
      hint(container.status, ["lastState", "terminated", field], TIME) ??
      hint(container.status, ["state", "terminated", field], TIME),
  );
  if (from === undefined || to === undefined) return "";
  const killing = eventsOf(pod, collection).findLast(
    (told) =>
      told.reason === "Killing" &&
      isAbout(told, container) &&
      told.last !== undefined &&
      told.last >= from &&
      told.last <= to &&
      /failed (liveness|startup) probe/.test(told.message),
  );
  const probe = killing === undefined ? undefined : /failed (liveness|startup) probe/.exec(killing.message);
  return probe === undefined ? "" : ` after its ${probe?.[1]} probe failed`;
};
