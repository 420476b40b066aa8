/** verify with bystanders: the others of a namespace against a state that was saved before, of a cluster or of files. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Finding } from "../../src/domain/finding.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { crowdFiles } from "../support/kubernetes/crowd.ts";
import { type Files, READ_AT } from "../support/kubernetes/deployment.ts";
import { changed, uidOf } from "../support/kubernetes/object.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

const files = crowdFiles(["web", "cart", "search"].map((name) => ({ name, namespace: "shop", world: done })));
const RESTARTED = ["spec", "template", "metadata", "annotations"];
const ANNOTATION = { "kubectl.kubernetes.io/restartedAt": "2026-11-30T03:11:30Z" };
/** As `kubectl rollout restart deployment/NAME` writes it. */
const restarted = (manager: string, all: Files = files): Files => {
  const list = all["deployments.json"] as JsonObject;
  const at = (list["items"] as readonly JsonObject[]).findIndex(
    ({ metadata }) => (metadata as JsonObject)["name"] === "cart",
  );
  const annotated = changed(list, ["items", at, ...RESTARTED], ANNOTATION);
  const written = changed(
    annotated,
    ["items", at, "metadata", "managedFields"],
    [
      {
        manager,
        operation: "Update",
        apiVersion: "apps/v1",
        time: "2026-11-30T03:11:30Z",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:spec": {
            "f:template": {
              "f:metadata": { "f:annotations": { ".": {}, "f:kubectl.kubernetes.io/restartedAt": {} } },
            },
          },
        },
      },
    ],
  );
  return { ...all, "deployments.json": changed(written, ["items", at, "metadata", "generation"], 3) };
};

const serverWith = async (these: Files): Promise<ApiServer> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT) });
  serve(server, these);
  return server;
};
const asking = (server: ApiServer) => [
  "--kubeconfig",
  kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
];
const beside = ({ out, err }: Ran): Finding => {
  expect(out, err).not.toBe("");
  const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] };
  return findings.find(({ claim }) => claim === "bystanders-unchanged") as Finding;
};
const WEB = ["deployment/web", "-o", "json"];

describe("all others, against what snapshot --all saved before", () => {
  it("nobody touched them: proven, each by its UID; only GETs were sent", async () => {
    const server = await serverWith(files);
    const cwd = folder();
    expect((await asfound({ cwd }, "snapshot", "before", "--all", ...asking(server))).code).toBe(0);
    const ran = await asfound({ cwd }, "verify", ...WEB, "--bystanders", "before", ...asking(server));
    const one = beside(ran);
    expect([one.finding, one.required, one.layer]).toEqual(["proven", true, "recovery"]);
    expect(one.sentence).toContain("2 bystanders are as at 2026-11-30T03:11:40.000Z");
    expect(JSON.stringify(one.evidence)).toContain("before/deployments.apps.json#/items/");
    expect(server.log().every(({ verb }) => verb === "get" || verb === "list")).toBe(true);
    expect(ran.code).toBe(0);
  });

  it.each([
    ["kubectl-rollout", "changed-by-others"],
    ["asfound", "changed-by-us"],
  ])("one was restarted by %s: refuted, %s, with author and time", async (manager, reason) => {
    const server = await serverWith(files);
    const cwd = folder();
    await asfound({ cwd }, "snapshot", "before", "--all", ...asking(server));
    serve(server, restarted(manager), files);
    const ran = await asfound({ cwd }, "verify", ...WEB, "--bystanders", "before", ...asking(server));
    const one = beside(ran);
    expect([ran.code, one.finding, one.reason]).toEqual([10, "refuted", reason]);
    expect(one.sentence).toContain("1 of 2 bystanders changed: Deployment shop/cart");
    expect(one.sentence).toContain(`kubectl.kubernetes.io/restartedAt"]`);
    expect(one.sentence).toContain(`(by ${manager} at 2026-11-30T03:11:30.000Z)`);
  });

  it("only those that are named", async () => {
    const server = await serverWith(files);
    const cwd = folder();
    await asfound({ cwd }, "snapshot", "before", "--all", ...asking(server));
    serve(server, restarted("ci"), files);
    const words = [...WEB, "--bystanders", "before", "--bystander", "deploy/search"];
    const one = beside(await asfound({ cwd }, "verify", ...words, ...asking(server)));
    expect([one.finding, one.sentence]).toEqual(["proven", expect.stringContaining("1 bystander is as at")]);
  });

  it("a state of another cluster is refused", async () => {
    const [one, other] = [await serverWith(files), await serverWith(files)];
    const cwd = folder();
    await asfound({ cwd }, "snapshot", "before", "--all", ...asking(one));
    const ran = await asfound({ cwd }, "verify", ...WEB, "--bystanders", "before", ...asking(other));
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("before is of another cluster")]);
  });

  it("saved files are judged against saved files", async () => {
    const server = await serverWith(files);
    const cwd = folder();
    await asfound({ cwd }, "snapshot", "before", "--all", ...asking(server));
    serve(server, restarted("ci"), files);
    await asfound({ cwd }, "snapshot", "after", "--all", ...asking(server));
    const ran = await asfound(
      { cwd },
      "verify",
      ...WEB,
      "--from",
      "after",
      "-n",
      "shop",
      "--bystanders",
      "before",
    );
    expect(beside(ran).reason).toBe("changed-by-others");
  });
});

describe("named in a Verification file", () => {
  const file = (bystander: JsonObject): string => {
    const cwd = folder();
    writeFileSync(
      join(cwd, "web.yaml"),
      JSON.stringify({
        apiVersion: "asfound.dev/v1alpha1",
        kind: "Verification",
        target: { kind: "Deployment", name: "web", namespace: "shop" },
        expect: { bystanders: [{ kind: "Deployment", name: "cart", ...bystander }] },
        claims: ["bystanders-unchanged"],
      }),
    );
    return cwd;
  };
  const uid = uidOf("Deployment", "web");

  it.each([
    [{}, 20],
    [{ uid: "its", generation: 2 }, 0],
    [{ uid: "its", generation: 2, ready: 2 }, 0],
    [{ uid: "its", generation: 1 }, 20],
    [{ uid, generation: 2 }, 10],
  ])("%j: exit %i", async (told: JsonObject, code) => {
    const items = (files["deployments.json"] as JsonObject)["items"] as readonly JsonObject[];
    const cart = items.map(({ metadata }) => metadata as JsonObject).find(({ name }) => name === "cart");
    const named = told["uid"] === "its" ? { ...told, uid: String(cart?.["uid"]) } : told;
    const server = await serverWith(files);
    const ran = await asfound(
      { cwd: file(named) },
      "verify",
      "-f",
      "web.yaml",
      "-o",
      "json",
      ...asking(server),
    );
    expect([ran.code, ran.err]).toEqual([code, expect.anything()]);
  });
});

describe("Y3: what they answer, before and after", () => {
  const serving = async (): Promise<{ readonly url: string; status: number }> => {
    const made = { url: "", status: 200 };
    const server = createServer((_, reply) => {
      reply.statusCode = made.status;
      reply.end("hello");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    made.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return made;
  };
  const file = (cwd: string, url: string): void =>
    writeFileSync(
      join(cwd, "web.yaml"),
      JSON.stringify({
        apiVersion: "asfound.dev/v1alpha1",
        kind: "Verification",
        target: { kind: "Deployment", name: "web", namespace: "shop" },
        expect: { bystanders: [{ kind: "Deployment", name: "cart", response: { via: url, samples: 1 } }] },
        claims: ["bystanders-unchanged"],
      }),
    );
  const JSON_OF = ["-o", "json"];

  it("asked of a file, before and after: another answer is a change; what nobody was asked is said", async () => {
    const [server, cart, cwd] = [await serverWith(files), await serving(), folder()];
    file(cwd, cart.url);
    expect((await asfound({ cwd }, "snapshot", "before", "-f", "web.yaml", ...asking(server))).code).toBe(0);
    const words = ["verify", "-f", "web.yaml", "--bystanders", "before", ...JSON_OF, ...asking(server)];
    const same = beside(await asfound({ cwd }, ...words));
    expect([same.finding, same.sentence]).toEqual([
      "proven",
      expect.stringMatching(/; 1 answer as expected, 1 of them before too$/),
    ]);
    cart.status = 503;
    const ran = await asfound({ cwd }, ...words);
    const one = beside(ran);
    expect([ran.code, one.finding]).toEqual([10, "refuted"]);
    expect(one.sentence).toContain(
      `Deployment shop/cart is answered otherwise by ${cart.url}, in 1 of 1 reply: status 503 where 200 is expected`,
    );
  });

  it("asked by a flag: beside all others, of whom it is said that nobody asked them", async () => {
    const [server, cart, cwd] = [await serverWith(files), await serving(), folder()];
    await asfound({ cwd }, "snapshot", "before", "--all", ...asking(server));
    const words = (path: string) => [
      ...["verify", ...WEB, "--bystanders", "before", "--bystander-via", `deploy/cart=${path}`],
      ...asking(server),
    ];
    const one = beside(await asfound({ cwd }, ...words(cart.url)));
    expect(one.finding).toBe("proven");
    expect(one.limits.join("\n")).toContain("1 bystander was not asked for a reply");
    expect(one.limits.join("\n")).toContain("1 bystander was asked now alone, and not in before");
    cart.status = 500;
    expect(beside(await asfound({ cwd }, ...words(cart.url))).finding).toBe("refuted");
    const unasked = beside(await asfound({ cwd }, ...words("service/nobody")));
    expect([unasked.finding, unasked.missing]).toEqual([
      "undetermined",
      [expect.stringContaining("there is no Service nobody in its namespace")],
    ]);
  });
});

describe("what cannot be meant is refused, and nothing is asked", () => {
  it.each([
    [["deployment/web", "--bystander", "deploy/cart"], /nothing says what it was/],
    [["deployment/web", "--bystanders", "nowhere"], /nowhere/],
    [["--all", "--bystanders", "before"], /--bystanders is about one target/],
    [["deployment/web", "--bystander", "cart"], /must be KIND\/NAME/],
    [["deployment/web", "--bystander-via", "deploy/cart=service"], /nothing says what it was/],
    [["deployment/web", "--bystander-via", "cart"], /must be KIND\/NAME=PATH/],
    [["--all", "--bystander-via", "deploy/cart=service"], /--bystander-via is about one target/],
  ])("%j", async (words, sentence) => {
    const server = await serverWith(files);
    const cwd = folder();
    mkdirSync(join(cwd, "before"));
    const ran = await asfound({ cwd }, "verify", ...words, ...asking(server));
    expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(sentence)]);
    expect(server.log()).toEqual([]);
  });
});
