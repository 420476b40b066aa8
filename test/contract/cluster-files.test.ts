/** A file in a container, read over the exec subresource: what is told of it, and that nothing else is ever taken for it. */
import { describe, expect, it } from "vitest";
import type { FileReading } from "../../src/ports/cluster.ts";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { apiServerFor, kubeconfigFile, openedCluster } from "../support/cluster.ts";

const PLACE = { namespace: "shop", name: "web-1", container: "web" };
const PATH = "/etc/nginx/nginx.conf";

const withPod = async (options: ApiServerOptions = {}): Promise<ApiServer> => {
  const server = await apiServerFor(options);
  server.put(
    { resource: "pods", namespace: PLACE.namespace, name: PLACE.name },
    { apiVersion: "v1", kind: "Pod", metadata: { name: PLACE.name, namespace: PLACE.namespace }, spec: {} },
  );
  return server;
};

const reading = async (
  server: ApiServer,
  {
    path = PATH,
    limitBytes = 1_000_000,
    deadlineMs = 5_000,
    ...place
  }: Partial<typeof PLACE> & {
    readonly path?: string;
    readonly limitBytes?: number;
    readonly deadlineMs?: number;
  } = {},
): Promise<FileReading> => {
  const cluster = await openedCluster(kubeconfigFile(server.kubeconfig()));
  const round = cluster.round({ deadlineMs, stop: new AbortController().signal });
  try {
    return await round.readFile({ ...PLACE, ...place, path, limitBytes });
  } finally {
    round.end();
  }
};

const sentenceOf = (found: FileReading): string => ("sentence" in found ? found.sentence : found.kind);

describe("a file in a container", () => {
  it.each([
    ["nothing", ""],
    ["a line", "worker_processes 1;\n"],
    ["bytes that are no text", Uint8Array.of(0, 255, 128, 10, 13, 0)],
    ["more than one message", "x".repeat(300_000)],
  ])("is read byte by byte: %s", async (_, content) => {
    const server = await withPod();
    server.setFiles(PLACE, { [PATH]: content });
    const found = await reading(server);
    expect(found.kind, sentenceOf(found)).toBe("read");
    expect("bytes" in found && Buffer.compare(Buffer.from(found.bytes), Buffer.from(content))).toBe(0);
    const [exchange] = found.exchanges;
    // Its content is in no exchange: those may be kept.
    expect({ status: exchange?.status, bytes: exchange?.body.length }).toEqual({ status: 101, bytes: 0 });
    expect(server.log().map(({ method, resource }) => `${method} ${resource}`)).toEqual(["GET pods/exec"]);
  });

  it("that is not there is so by the word of the container's own cat", async () => {
    const server = await withPod();
    server.setFiles(PLACE, { "/other": "" });
    expect((await reading(server)).kind).toBe("no-file");
  });

  it("R2: in a container without cat, nothing is known, and why is said", async () => {
    const server = await withPod();
    server.setFiles(PLACE, null);
    const found = await reading(server);
    expect(found).toMatchObject({ kind: "failed", reason: "not-run" });
    expect(sentenceOf(found)).toContain("there is no `cat` in the container");
  });

  it("R2: of a Pod that is not there is no file that is not there", async () => {
    const server = await apiServerFor();
    expect((await reading(server)).kind).toBe("absent");
  });

  it("R2: that is cut before it is told how cat ended is not read, however much had come", async () => {
    const server = await withPod({ faults: [{ resource: "pods/exec", fault: { do: "cut", at: "middle" } }] });
    server.setFiles(PLACE, { [PATH]: "half of it" });
    expect(await reading(server)).toMatchObject({ kind: "failed", reason: "cut" });
  });

  it("that is larger than what is allowed is not read", async () => {
    const server = await withPod();
    server.setFiles(PLACE, { [PATH]: "x".repeat(100_000) });
    expect(await reading(server, { limitBytes: 99_999 })).toMatchObject({
      kind: "failed",
      reason: "too-large",
    });
    expect((await reading(server, { limitBytes: 100_000 })).kind).toBe("read");
  });

  it("for which there is no right: the right is named", async () => {
    const server = await withPod({ users: [{ name: "reader", token: "reader-token", rules: [] }] });
    const found = await reading(server);
    expect(found).toMatchObject({
      kind: "denied",
      reason: "forbidden",
      missing: { verb: "get", group: "", resource: "pods/exec", namespace: "shop", name: "web-1" },
    });
  });

  it("that never comes costs no more than the time for it", async () => {
    const server = await withPod({ faults: [{ resource: "pods/exec", fault: { do: "hang" } }] });
    expect(await reading(server, { deadlineMs: 300 })).toMatchObject({
      kind: "timed-out",
      reason: "time-over",
    });
  });

  it.each([["etc/passwd"], ["-n"], [""], ["/a\0b"]])(
    "%j is no absolute path, and nothing is asked",
    async (path) => {
      const server = await withPod();
      expect(await reading(server, { path })).toMatchObject({ reason: "invalid-name" });
      expect(server.log()).toEqual([]);
    },
  );
});
