/** Kubeconfig files, found and merged as kubectl's documentation says ("Organizing Cluster Access Using kubeconfig Files"). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseContext } from "../connection.ts";
import { type Environment, type Loaded, loadKubeconfig } from "./load.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asfound-kubeconfig-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const load = (environment: Environment, explicit: string | null = null) =>
  loadKubeconfig({ explicit, environment, workingDirectory: folder });
const loaded = async (environment: Environment, explicit: string | null = null): Promise<Loaded> => {
  const found = await load(environment, explicit);
  if ("fault" in found) throw new Error(found.fault);
  return found;
};
const faultOf = async (text: string): Promise<string> => {
  const found = await load({}, file("broken", text));
  return "fault" in found ? found.fault.replaceAll(folder, "") : "no fault";
};

const first = `
current-context: one
clusters:
- {name: c, cluster: {server: "https://first"}}
users:
- {name: u, user: {username: first}}
contexts:
- {name: one, context: {cluster: c, user: u, namespace: ns}}
`;
const second = `
current-context: two
clusters:
- {name: c, cluster: {server: "https://second", insecure-skip-tls-verify: true}}
- {name: d, cluster: {server: "https://only-second"}}
users:
- {name: u, user: {password: second}}
contexts:
- {name: two, context: {cluster: d, user: u}}
`;

describe("a kubeconfig", () => {
  it("list in KUBECONFIG: the first file that has a name gives it whole, and the first current context holds", async () => {
    const KUBECONFIG = `${file("a", first)}::${join(folder, "missing")}:${file("b", second)}`;
    const { config, files } = await loaded({ KUBECONFIG });
    expect(files).toEqual([join(folder, "a"), join(folder, "b")]);
    expect(config.currentContext).toBe("one");
    expect(config.clusters.get("c")).toMatchObject({ server: "https://first", insecure: false });
    expect(config.clusters.get("d")).toMatchObject({ server: "https://only-second" });
    expect(config.users.get("u")).toMatchObject({ username: "first", password: null });
    expect([...config.contexts.keys()]).toEqual(["one", "two"]);
  });

  it("list in the other order gives the other", async () => {
    const { config } = await loaded({ KUBECONFIG: `${file("b", second)}:${file("a", first)}` });
    expect(config.currentContext).toBe("two");
    expect(config.clusters.get("c")).toMatchObject({ server: "https://second", insecure: true });
    expect(config.users.get("u")).toMatchObject({ username: null, password: "second" });
  });

  it("of the home folder is taken where KUBECONFIG is not set or empty", async () => {
    file(".kube/config", first);
    expect((await loaded({ HOME: folder, KUBECONFIG: "" })).config.currentContext).toBe("one");
    expect((await loaded({})).files).toEqual([]);
  });

  it("that was named is the only one, and must be there", async () => {
    const KUBECONFIG = file("a", first);
    expect((await loaded({ KUBECONFIG }, file("b", second))).config.currentContext).toBe("two");
    expect(await load({ KUBECONFIG }, "nowhere")).toEqual({
      fault: `there is no kubeconfig ${join(folder, "nowhere")}; check --kubeconfig`,
    });
  });

  it("may be empty: it holds nothing", async () => {
    expect((await loaded({}, file("empty", "\n"))).config.contexts.size).toBe(0);
  });

  it("paths are relative to its own folder; a plug-in's bare name is none", async () => {
    const path = file(
      "deep/er/config",
      `
clusters: [{name: c, cluster: {server: "https://x", certificate-authority: ../ca.pem}}]
users:
- {name: a, user: {tokenFile: token, client-certificate: /abs/cert}}
- {name: b, user: {exec: {command: ./plugin, apiVersion: v}}}
- {name: d, user: {exec: {command: plugin, apiVersion: v, args: null, env: null}}}
`,
    );
    const { config } = await loaded({}, path);
    expect(config.clusters.get("c")?.caFile).toBe(join(folder, "deep/ca.pem"));
    expect(config.users.get("a")).toMatchObject({
      tokenFile: join(folder, "deep/er/token"),
      certFile: "/abs/cert",
    });
    expect(config.users.get("b")?.exec?.command).toBe(join(folder, "deep/er/plugin"));
    expect(config.users.get("d")?.exec).toMatchObject({ command: "plugin", args: [], env: {} });
  });

  it.each([
    ["{", "the kubeconfig /broken: line 1"],
    ["kind: Deployment", "the kubeconfig /broken: its kind is Deployment, and not Config"],
    ["clusters: {}", "the kubeconfig /broken: clusters is not a list"],
    ["clusters: [{cluster: {}}]", "the kubeconfig /broken: clusters[0].name is missing"],
    ["users: [{name: a}, {name: a}]", 'the kubeconfig /broken: users has "a" twice; remove one'],
    [
      "users: [{name: a, user: {token: 12}}]",
      "the kubeconfig /broken: users[0].user.token is not a text; write it in quotes",
    ],
    [
      "users: [{name: a, user: {client-key-data: '***'}}]",
      "the kubeconfig /broken: users[0].user.client-key-data is not base64",
    ],
    [
      "users: [{name: a, user: {exec: {apiVersion: v}}}]",
      "the kubeconfig /broken: users[0].user.exec.command is missing",
    ],
    [
      "users: [{name: a, user: {as-groups: [g]}}]",
      "the kubeconfig /broken: users[0].user.as is missing beside as-uid, as-groups or as-user-extra",
    ],
    [
      "clusters: [{name: a, cluster: {insecure-skip-tls-verify: 'yes'}}]",
      "the kubeconfig /broken: clusters[0].cluster.insecure-skip-tls-verify is neither true nor false",
    ],
    ["clusters: [{name: a, cluster: [1]}]", "the kubeconfig /broken: clusters[0].cluster is not a map"],
    ["__proto__: {clusters: []}", "the kubeconfig /broken: __proto__: the key __proto__ is not allowed"],
  ])("that is wrong says where: %s", async (text, fault) => {
    expect(await faultOf(text)).toContain(fault);
  });

  it("no secret of it stands in a fault", async () => {
    const fault = await faultOf(
      "users: [{name: a, user: {token: [hunter2secret], password: hunter2secret}}]",
    );
    expect(fault).toContain("token");
    expect(fault).not.toContain("hunter2");
  });

  it("a folder or a device is none", async () => {
    expect(await load({}, folder)).toEqual({ fault: expect.stringContaining("is a folder") });
    expect(await load({}, "/dev/zero")).toEqual({ fault: expect.stringContaining("is a device") });
  });
});

describe("a context", () => {
  const choose = async (text: string, context: string | null = null, namespace: string | null = null) => {
    const chosen = await chooseContext(await loaded({}, file("config", text)), { context, namespace });
    return "fault" in chosen ? chosen.fault.replaceAll(folder, "") : chosen.connection;
  };

  it("gives server, user and namespace; flags come first", async () => {
    expect(await choose(first)).toMatchObject({ context: "one", namespace: "ns", userName: "u" });
    expect(await choose(first, null, "mine")).toMatchObject({ namespace: "mine" });
    expect(await choose(`${second}`, "two")).toMatchObject({ namespace: "default" });
  });

  it.each<[string, string, string | null, string]>([
    ["that is not there", first, "three", 'there is no context "three"; there are one'],
    [
      "without one chosen",
      first.replace("current-context: one", ""),
      null,
      "no current context is set; choose with --context: there are one",
    ],
    [
      "in an empty file",
      "{}",
      null,
      "no cluster is configured: looked in /config; name one with --kubeconfig",
    ],
    [
      "for a cluster that is nowhere",
      first.replace("name: c,", "name: x,"),
      null,
      'a cluster "c", which no kubeconfig describes',
    ],
    [
      "for a user who is nowhere",
      first.replace("name: u,", "name: x,"),
      null,
      'a user "u", whom no kubeconfig describes',
    ],
    [
      "without a server",
      first.replace('server: "https://first"', ""),
      null,
      'the cluster "c" has no server that can be asked',
    ],
    [
      "with a server that is no URL",
      first.replace("https://first", "ftp://first"),
      null,
      "has no server that can be asked",
    ],
    [
      "with two authorities",
      first.replace(
        'server: "https://first"',
        'server: "https://a", certificate-authority: x, certificate-authority-data: eA==',
      ),
      null,
      "keep one",
    ],
    [
      "with an authority and none",
      first.replace(
        'server: "https://first"',
        'server: "https://a", insecure-skip-tls-verify: true, certificate-authority-data: eA==',
      ),
      null,
      "keep one",
    ],
    [
      "with an authority that cannot be read",
      first.replace('server: "https://first"', 'server: "https://a", certificate-authority: x'),
      null,
      "certificate-authority /x is not there",
    ],
  ])("%s is said", async (_name, text, context, fault) => {
    expect(await choose(text, context)).toContain(fault);
  });
});
