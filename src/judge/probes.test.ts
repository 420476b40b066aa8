/** Startup probes and sidecars: which container, which probe, what it answers, since when. */
import { describe, expect, it } from "vitest";
import { type Said, said } from "../../test/support/kubernetes/events.ts";
import { about, evidenceOf } from "../../test/support/kubernetes/evidence.ts";
import { at, changed, list } from "../../test/support/kubernetes/object.ts";
import { barePod } from "../../test/support/kubernetes/others.ts";
import type { JsonObject } from "../domain/json.ts";
import { judge } from "./judge.ts";

const told = (pod: JsonObject, events: readonly Said[] = []) => {
  const files = { "pods.json": list([pod]), "events.json": list(events.map(said)) };
  const [found] = judge(evidenceOf(files, 700), about("pod/alone")).findings;
  return `${found?.finding} ${found?.reason}: ${found?.sentence}`;
};

const STARTUP = { httpGet: { path: "/started", port: 8080 }, failureThreshold: 30, periodSeconds: 5 };
const running = (started: number): JsonObject => ({ running: { startedAt: at(started) } });

/** Runs since second 640, and has not started. */
const starting = ["status", "containerStatuses", 0] as const;
const slow = (probe: JsonObject | undefined = STARTUP): JsonObject => {
  const plain = changed(barePod("not-ready"), ["spec", "containers", 0, "startupProbe"], probe);
  return changed(changed(plain, [...starting, "started"], false), [...starting, "state"], running(640));
};
const fails: Said = {
  name: "alone",
  reason: "Unhealthy",
  message: "Startup probe failed: HTTP probe failed with statuscode: 503",
  fieldPath: "spec.containers{web}",
  first: 645,
  last: 695,
  count: 11,
};

describe("a startup probe", () => {
  it("is named with what it asks and is answered, since when, and when it is given up", () => {
    expect(told(slow(), [fails])).toBe(
      "progressing startup-probe: it waits for its container, which has not started yet, and runs since 1m: its startup probe (GET /started on port 8080) answers 503 (11 times, for 55s); after 30 failures 5s apart it is restarted",
    );
  });
  it.each<[JsonObject, RegExp]>([
    [{ tcpSocket: { port: "http" } }, /\(TCP on port http\)/],
    [{ grpc: { port: 9000 } }, /\(gRPC on port 9000\)/],
    [{ exec: { command: ["true"] } }, /\(a command\)/],
    [{ httpGet: { port: 80 } }, /\(GET \/ on port 80\)/],
  ])("of another sort: %j", (probe, wanted) => {
    const message = "Startup probe failed: dial tcp 10.244.0.5:80: connect: connection refused";
    expect(told(slow(probe), [{ ...fails, message }])).toMatch(wanted);
    expect(told(slow(probe), [{ ...fails, message }])).toMatch(
      /fails \(.*connection refused\) \(11 times, for 55s\); after 3 failures 10s apart it is restarted$/,
    );
  });
  it("twins: nobody said that it fails; another container's; one before this start; a container without such a probe", () => {
    const quiet = /startup probe \(GET \/started on port 8080\) has not succeeded$/;
    expect(told(slow())).toMatch(quiet);
    expect(told(slow(), [{ ...fails, fieldPath: "spec.containers{other}" }])).toMatch(quiet);
    expect(told(slow(), [{ ...fails, first: 600, last: 639 }])).toMatch(quiet);
    const none = changed(slow(), ["spec", "containers", 0, "startupProbe"], undefined);
    expect(told(none)).toBe(
      "progressing startup-probe: it waits for its container, which has not started yet, and runs since 1m",
    );
  });
  it("that was given up: the crash loop says so", () => {
    const crashed = barePod("crash-loop");
    const killing: Said = {
      name: "alone",
      reason: "Killing",
      message: "Container web failed startup probe, will be restarted",
      fieldPath: "spec.containers{web}",
      first: 103,
      last: 104,
    };
    expect(told(crashed, [killing])).toMatch(
      /^refuted crash-loop: .*ended with exit code 1, restarted 3 times after its startup probe failed$/,
    );
    expect(told(crashed, [{ ...killing, last: 300 }])).toMatch(/restarted 3 times$/);
  });
});

/** A native sidecar `proxy` before the container `web`. */
const withSidecar = (pod: JsonObject, status: JsonObject, spec: JsonObject = {}): JsonObject =>
  changed(
    changed(pod, ["spec", "initContainers"], [{ name: "proxy", restartPolicy: "Always", ...spec }]),
    ["status", "initContainerStatuses"],
    [{ name: "proxy", restartCount: 0, ...status }],
  );

describe("a native sidecar", () => {
  it("that crashes is named as one: refuted", () => {
    const pod = withSidecar(barePod("creating"), {
      ready: false,
      started: false,
      restartCount: 2,
      state: { waiting: { reason: "CrashLoopBackOff", message: "back-off" } },
      lastState: { terminated: { exitCode: 3, reason: "Error" } },
    });
    expect(told(pod)).toMatch(
      /^refuted crash-loop: .*: sidecar proxy ended with exit code 3, restarted 2 times$/,
    );
  });
  it("that has not started holds the other containers up", () => {
    const pod = withSidecar(
      barePod("creating"),
      { ready: false, started: false, state: running(650) },
      { startupProbe: STARTUP },
    );
    expect(told(pod, [{ ...fails, fieldPath: "spec.initContainers{proxy}", first: 655 }])).toMatch(
      /^progressing startup-probe: it waits for its sidecar proxy, which has not started yet, and runs since 50s: its startup probe \(GET \/started on port 8080\) answers 503 /,
    );
  });
  it("that is not ready keeps its Pod from being ready, and is named", () => {
    const pod = withSidecar(
      changed(barePod("not-ready"), ["status", "containerStatuses", 0, "ready"], true),
      { ready: false, started: true, state: running(103) },
    );
    expect(told(pod)).toBe("progressing not-ready: it is not ready since 10m (its sidecar proxy)");
    const probe: Said = {
      ...fails,
      message: "Readiness probe failed: HTTP probe failed with statuscode: 500",
      fieldPath: "spec.initContainers{proxy}",
    };
    expect(told(pod, [probe])).toMatch(
      /^progressing readiness-probe: it is not ready since 10m: its sidecar proxy's readiness answers 500 /,
    );
  });
  it("twins: one that runs and is ready is no trouble; an init container that is over neither", () => {
    const fine = withSidecar(barePod("not-ready"), { ready: true, started: true, state: running(103) });
    expect(told(fine)).toBe("progressing not-ready: it is not ready since 10m (its container web)");
    const over = changed(
      withSidecar(barePod("not-ready"), {
        ready: true,
        started: false,
        state: { terminated: { exitCode: 0, reason: "Completed" } },
      }),
      ["spec", "initContainers", 0, "restartPolicy"],
      undefined,
    );
    expect(told(over)).toBe("progressing not-ready: it is not ready since 10m");
  });
  it("that ends after all it goes with has ended is no trouble; before that it is", () => {
    const ended = (code: number): JsonObject => ({
      terminated: { exitCode: code, reason: "Error", finishedAt: at(690) },
    });
    const once = changed(barePod("not-ready"), ["spec", "restartPolicy"], "Never");
    const sidecar = withSidecar(once, { ready: false, started: false, state: ended(143) });
    expect(told(sidecar)).toMatch(/^progressing exited: .*sidecar proxy ended with exit code 143 10s ago$/);
    const over = changed(sidecar, ["status", "containerStatuses", 0, "state"], ended(0));
    expect(told(over)).not.toMatch(/proxy/);
  });
});

it("a container that is not started again is not said to wait for a restart", () => {
  const ended = changed(barePod("not-ready"), ["status", "containerStatuses", 0, "state"], {
    terminated: { exitCode: 4, reason: "Error" },
  });
  expect(told(ended)).toMatch(/waits for a restart: container web ended with exit code 4$/);
  // The container's own policy goes before its Pod's.
  const own = changed(
    changed(ended, ["spec", "restartPolicy"], "Never"),
    ["spec", "containers", 0, "restartPolicy"],
    "Always",
  );
  expect(told(own)).toMatch(/waits for a restart: container web ended with exit code 4$/);
  const never = changed(ended, ["spec", "restartPolicy"], "Never");
  expect(told(never)).toMatch(
    /is over in part, and is not started again: container web ended with exit code 4$/,
  );
});
