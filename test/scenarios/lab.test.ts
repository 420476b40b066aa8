/** lab: what it refuses before anything is called, and what a namespace of its own is. The stories are in test/e2e/lab.test.ts. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";

const world = async (options: ApiServerOptions = {}) => {
  const server = await apiServerFor(options);
  const cwd = folder();
  const kubeconfig = kubeconfigFile(server.kubeconfig());
  const run = (words: readonly string[], environment: Record<string, string> = {}) =>
    asfound({ cwd, environment }, ...words, "--kubeconfig", kubeconfig);
  return { server, cwd, run };
};
const CONTEXT = ["--context", "fake"];
const namespaces = (server: ApiServer): readonly string[] =>
  server
    .log()
    .flatMap(({ verb, path }) => (path.startsWith("/api/v1/namespaces") ? [`${verb} ${path}`] : []));
const LAB = ["lab", "rollback-config", "--yes"];

const DELIVERS = ["lab", "synced-not-served", "--yes", ...CONTEXT, "--image", "nginx"];

describe("refused before anything is called", () => {
  it.each([
    ["no image", ["lab", "rollback-config", "--yes", ...CONTEXT], /--image/],
    ["--yes, and no context", [...LAB, "--image", "nginx"], /--yes needs --context/],
    ["nobody to ask", ["lab", "stale-process", "--image", "nginx"], /--yes/],
    ["a context that is not there", [...LAB, "--context", "other", "--image", "nginx"], /other/],
    ["no repository, of a lab that delivers", DELIVERS, /--repository URL/],
    [
      "a password in the repository's URL",
      [...DELIVERS, "--repository", "https://me:word@git.example/lab.git"],
      /credential helper/,
    ],
    [
      "a repository that is a command",
      [...DELIVERS, "--repository", "ext::sh -c true"],
      /URL of a Git server/,
    ],
    [
      "a report that is there",
      [...LAB, ...CONTEXT, "--image", "nginx", "--report", "r.md"],
      /never written over/,
    ],
  ])("%s", async (_what, words, sentence) => {
    const { server, cwd, run } = await world();
    writeFileSync(join(cwd, "r.md"), "theirs");
    const { code, err } = await run(words);
    expect([code, err]).toEqual([2, expect.stringMatching(sentence)]);
    expect(server.log()).toEqual([]);
  });

  it("with CI set and no ledger named", async () => {
    const { server, run } = await world();
    const { code, out } = await run([...LAB, ...CONTEXT, "--image", "nginx", "-o", "json"], { CI: "true" });
    expect(JSON.parse(out).ended).toMatch(/CI is set/);
    expect(code).toBe(20);
    expect(namespaces(server)).toEqual([]);
  });
});

describe("its namespace", () => {
  it("is made, and removed whatever comes of the story; nothing outside of it is written", async () => {
    const status = {
      apiVersion: "v1",
      kind: "Status",
      status: "Failure",
      reason: "Forbidden",
      code: 403,
      message: "no",
    };
    const fault = { do: "reply", status: 403, body: JSON.stringify(status) } as const;
    const { server, run } = await world({ faults: [{ resource: "deployments", fault }] });
    const { code, out } = await run([...LAB, ...CONTEXT, "--image", "nginx", "-o", "json"]);
    const report = JSON.parse(out);
    expect(API_SCHEMAS["lab-report"]?.safeParse(report).error).toBe(undefined);
    expect([code, report.removal.removed, report.ended]).toEqual([
      20,
      true,
      expect.stringContaining("the right to get deployments.apps"),
    ]);
    const name = String(report.namespace);
    const writes = server.log().filter(({ effect }) => effect !== undefined && effect !== null);
    expect(writes.length).toBeGreaterThan(1);
    for (const { path } of writes) expect(path).toContain(`/namespaces/${name}`);
    expect(server.get({ resource: "namespaces", name })).toBe(undefined);
  });
});
