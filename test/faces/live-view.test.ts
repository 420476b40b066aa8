/** `verify --watch` on a real terminal, over a server that the test moves. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { crowdFiles } from "../support/kubernetes/crowd.ts";
import { type Files, READ_AT, type World, worldFiles } from "../support/kubernetes/deployment.ts";
import { begun, crashing, done } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";
import { notRunWithout } from "../support/not-run.ts";
import { noPty, onPty } from "./pty.ts";
import { folder } from "./terminal.ts";

beforeEach((context) => notRunWithout(context, noPty()));

const serverWith = async (files: Files): Promise<ApiServer> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT) });
  serve(server, files);
  return server;
};

const watching = (server: ApiServer, columns: number, words: string) => {
  const cwd = folder();
  const kubeconfig = kubeconfigFile(server.kubeconfig({ namespace: "shop" }));
  return { ...onPty(cwd, columns, `asfound verify ${words} --watch --kubeconfig ${kubeconfig}`), cwd };
};

const isHead = (line: string): boolean => /^[-\\|/] Deployment shop\/web: /.test(line);

describe("one target", () => {
  it("what is waited for, in place, until it is proven; then the verdict alone", async () => {
    const server = await serverWith(worldFiles(begun));
    const terminal = watching(server, 110, "deployment/web");
    const first = await terminal.until((lines) => lines.some((line) => /^ {2}Pod web-/.test(line)));
    expect(first.filter(isHead)).toHaveLength(1);
    expect(first.find(isHead)).toMatch(
      /^. Deployment shop\/web: progressing; read at \d\d:\d\d:\d\dZ, \d+s ago; 4m\d+s of the window left/,
    );
    expect(first.join("\n")).toMatch(/2\s+replicas of v1 serve\./);
    expect(
      first.filter((line) =>
        /^ {2}(rollout-complete|old-gone|Pod web-\S+) +\d+s {2}progressing {2}/.test(line),
      ),
    ).toHaveLength(3);
    expect(terminal.screen.cursorHidden).toBe(true);
    serve(server, worldFiles(crashing), worldFiles(begun));
    const second = await terminal.until((lines) =>
      lines.some((line) => line.includes("crashes again and again")),
    );
    expect(second.filter(isHead)).toHaveLength(1);
    expect(second.join("\n")).not.toContain("503");
    serve(server, worldFiles(done), worldFiles(crashing));
    expect(await terminal.ended()).toEqual({ code: 0, isSane: true });
    const { lines, cursorHidden } = terminal.screen;
    expect(cursorHidden).toBe(false);
    expect(lines.filter(isHead)).toEqual([]);
    expect(lines.find((line) => /^ +\d+s {2}rollout-complete: proven: /.test(line))).toBeDefined();
    expect(lines).toContain("Deployment shop/web: proven");
    expect(lines.join("\n")).not.toContain("progressing");
  });

  it("narrower and wider again while it waits: one picture, whole", async () => {
    const server = await serverWith(worldFiles(begun));
    const terminal = watching(server, 110, "deployment/web");
    await terminal.until((lines) => lines.some((line) => /^ {2}Pod web-/.test(line)));
    for (const columns of [50, 110]) {
      await terminal.resize(columns);
      const after = terminal.written().length;
      await terminal.until(() => terminal.written().length > after + 2_000);
      const { lines } = terminal.screen;
      expect(lines.filter(isHead)).toHaveLength(1);
      expect(lines.filter((line) => /^ {2}(rollout-comp|old-gone|Pod web-)/.test(line))).toHaveLength(3);
      for (const line of lines) expect(line.length).toBeLessThan(columns);
    }
    terminal.type("\x03");
    expect(await terminal.ended()).toEqual({ code: 130, isSane: true });
  });

  it.each([
    ["Ctrl-C", "\x03"],
    ["Ctrl-C twice", "\x03\x03"],
  ])("%s: the terminal is as it was, and there is no verdict", async (_, keys) => {
    const server = await serverWith(worldFiles(begun));
    const terminal = watching(server, 80, "deployment/web");
    await terminal.until((lines) => lines.some(isHead));
    terminal.type(keys);
    expect(await terminal.ended()).toEqual({ code: 130, isSane: true });
    const { lines, cursorHidden } = terminal.screen;
    expect(cursorHidden).toBe(false);
    expect(lines.map((line) => line.replaceAll("^C", ""))).toEqual([
      "asfound: ended by SIGINT before there was a verdict; nothing was changed anywhere",
    ]);
    expect(terminal.written().lastIndexOf("\x1b[?7h")).toBeGreaterThan(
      terminal.written().lastIndexOf("\x1b[?7l"),
    );
  });

  it("-o json: the picture is on the error stream, and the result is clean", async () => {
    const server = await serverWith(worldFiles(begun));
    const terminal = watching(server, 80, "deployment/web -o json >out.json");
    await terminal.until((lines) => lines.some(isHead));
    serve(server, worldFiles(done), worldFiles(begun));
    expect(await terminal.ended()).toEqual({ code: 0, isSane: true });
    expect(JSON.parse(readFileSync(join(terminal.cwd, "out.json"), "utf8"))).toMatchObject({
      kind: "VerdictReport",
      verdict: "proven",
    });
  });
});

it("many: the worst, each with its reason, and how many more; the proven ones are not waited for", async () => {
  const member = (name: string, world: World) => ({ name, namespace: "shop", world });
  const server = await serverWith(
    crowdFiles([
      ...Array.from({ length: 40 }, (_, at) => member(`slow-${at}`, begun)),
      member("broken", crashing),
      member("good", done),
    ]),
  );
  const terminal = watching(server, 110, "deployments --all");
  const lines = await terminal.until((shown) => shown.some((line) => /and \d+ more$/.test(line)));
  const [head, statement, worst, ...rest] = lines;
  expect(head).toMatch(/^. deployments of namespace shop: refuted; read at \d\d:\d\d:\d\dZ, /);
  expect(statement).toBe("  1 of 42 targets are proven; 1 refuted; 40 progressing.");
  expect(worst).toMatch(
    /^ {2}Deployment shop\/broken +\d+s {2}refuted {2}1 new replica runs v2 and crashes again/,
  );
  expect(
    rest
      .slice(0, -1)
      .every((line) => /^ {2}Deployment shop\/slow-\d+ +\d+s {2}progressing {2}1 new/.test(line)),
  ).toBe(true);
  expect(lines).toHaveLength(12);
  expect(rest.at(-1)).toBe("  and 32 more");
  expect(lines.join("\n")).not.toContain("shop/good");
  terminal.type("\x03");
  expect(await terminal.ended()).toEqual({ code: 130, isSane: true });
});

it("control: with --progress plain nothing is drawn, and lines stay", async () => {
  const server = await serverWith(worldFiles(begun));
  const terminal = watching(server, 110, "deployment/web --progress plain --window 1s");
  expect(await terminal.ended()).toEqual({ code: 30, isSane: true });
  expect(terminal.written()).not.toContain("\x1b[?25l");
  expect(terminal.screen.lines.find((line) => line.includes("rollout-complete: progressing"))).toBeDefined();
});
