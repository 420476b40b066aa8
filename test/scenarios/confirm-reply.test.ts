/**
 * `confirm: [{ response }]`: a step is complete only when the expected reply came, from whom it has to come. Over a fake API
 * server and a real HTTP server, both on loopback.
 */
import { chmod, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { READ_AT, type World, worldFiles } from "../support/kubernetes/deployment.ts";
import { uidOf } from "../support/kubernetes/object.ts";
import { begun, done } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";
import { cloudStep, makePlace, type Place, stackText } from "./place.ts";

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});
afterEach(() => place.end());

interface App {
  readonly url: string;
  asked(): number;
  /** What it answers from now on; null: it hangs up. */
  answers(told: { readonly status?: number; readonly pod?: string } | null): void;
  /** Resolves at the next request. */
  next(): Promise<void>;
}

const app = async (): Promise<App> => {
  let asked = 0;
  let told: { readonly status?: number; readonly pod?: string } | null = {};
  let wake = (): void => undefined;
  const server = createServer((request, reply) => {
    asked += 1;
    wake();
    if (told === null) return void request.socket.destroy();
    reply.statusCode = told.status ?? 200;
    reply.end(JSON.stringify({ version: "v2", pod: told.pod ?? "somebody" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    asked: () => asked,
    answers: (next) => {
      told = next;
    },
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
  };
};

const served = async (world: World): Promise<{ readonly server: ApiServer; turns(world: World): void }> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT) });
  let before = worldFiles(world);
  serve(server, before);
  return {
    server,
    turns: (next) => {
      const files = worldFiles(next);
      serve(server, files, before);
      before = files;
    },
  };
};

const podsOf = (world: World): readonly { readonly uid: string; readonly version: string }[] => {
  const { items } = worldFiles(world)["pods.json"] as { readonly items: readonly JsonObject[] };
  return items.map((pod) => ({
    uid: String((pod["metadata"] as JsonObject)["uid"]),
    version: JSON.stringify(pod).includes("web:v2") ? "v2" : "v1",
  }));
};
const podUid = (world: World, version: string): string => {
  const found = podsOf(world).find((one) => one.version === version);
  if (found === undefined) throw new Error(`no Pod of ${version}`);
  return found.uid;
};

/** `target`: null, as the step's own. */
const stackWith = (server: ApiServer, response: string, window = "300ms", more = ""): Promise<void> => {
  const config = JSON.stringify(kubeconfigFile(server.kubeconfig({ namespace: "shop" })));
  return place.writeStack(
    stackText([
      cloudStep("web", [
        `window: ${window}`,
        `confirm: [{ target: deployment/web, response: ${response}, kubeconfig: ${config}${more} }]`,
      ]),
      cloudStep("health", ["needs: [web]"]),
    ]),
  );
};

const sent = async (step: string): Promise<readonly string[]> =>
  (await Promise.all(["create", "update", "destroy"].map((action) => place.calls(action, step)))).flat();

describe("confirm by a reply", () => {
  it("that is as expected and of a new Pod: complete, and its dependants go on", async () => {
    const { server } = await served(done);
    const web = await app();
    web.answers({ pod: podUid(done, "v2") });
    await stackWith(server, `{ via: "${web.url}", expect: { json: { version: v2 } }, pod: $.pod }`);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.step("web")).toMatchObject({ status: "complete", confirmed: "proven" });
    expect(await place.step("health")).toMatchObject({ status: "complete" });
    expect(web.asked()).toBe(3);
  });

  it("O5: a 200 of an old Pod, while the rollout goes on, confirms nothing; exit 30, and asked again without a call", async () => {
    const { server, turns } = await served(begun);
    const web = await app();
    web.answers({ pod: podUid(begun, "v1") });
    await stackWith(server, `{ via: "${web.url}", pod: $.pod }`);
    expect((await place.apply()).exit).toBe(30);
    expect(await place.step("web")).toMatchObject({ status: "unconfirmed", confirmed: "progressing" });
    expect(await sent("health")).toEqual([]);
    turns(done);
    web.answers({ pod: podUid(done, "v2") });
    expect((await place.apply()).exit).toBe(0);
    expect([await sent("web"), await sent("health")]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  it("O5, where nobody tells whose it is: the reply counts with the claims of such an object, so not before the rollout is complete", async () => {
    const { server } = await served(begun);
    const web = await app();
    await stackWith(server, `{ via: "${web.url}" }`);
    expect((await place.apply()).exit).toBe(30);
    // The control: exactly the claims that are named, and the person has named none of the rollout.
    await stackWith(server, `{ via: "${web.url}" }`, "300ms", ", claims: [spec-observed]");
    expect((await place.apply()).exit).toBe(0);
  });

  it("that is another one: an error whose effect is known, exit 10", async () => {
    const { server } = await served(done);
    const web = await app();
    web.answers({ status: 503 });
    await stackWith(server, `{ via: "${web.url}" }`);
    expect((await place.apply()).exit).toBe(10);
    expect(await place.step("web")).toMatchObject({
      status: "error",
      confirmed: "refuted",
      effect: "known",
      lastError: expect.stringMatching(/status 503 where 200 is expected/),
    });
    expect(await sent("health")).toEqual([]);
  });

  it("R2: that does not come is undetermined, exit 20", async () => {
    const { server } = await served(done);
    const web = await app();
    web.answers(null);
    await stackWith(server, `{ via: "${web.url}" }`);
    expect((await place.apply()).exit).toBe(20);
    expect(await place.step("web")).toMatchObject({ status: "unconfirmed", confirmed: "undetermined" });
  });

  it("R2: authorities that cannot be read are undetermined, with the file, and nobody is asked", async () => {
    const { server } = await served(done);
    const web = await app();
    await stackWith(server, `{ via: "${web.url}", ca: none.pem }`);
    expect((await place.apply()).exit).toBe(20);
    expect(await place.step("web")).toMatchObject({
      reason: expect.stringMatching(/none\.pem: the authorities/),
    });
    expect(web.asked()).toBe(0);
  });

  it("a process that is killed while it waits leaves no complete step; the next run asks again and calls nothing", async () => {
    const { server, turns } = await served(begun);
    const web = await app();
    web.answers({ pod: podUid(begun, "v1") });
    await stackWith(server, `{ via: "${web.url}", pod: $.pod }`, "1h");
    const asked = web.next();
    const child = place.start({ verb: "apply", options: {} });
    await asked;
    child.process.kill("SIGKILL");
    expect((await child.ended).signal).toBe("SIGKILL");
    expect(await place.step("web")).toMatchObject({ status: "unconfirmed", confirmed: null });
    expect(await sent("health")).toEqual([]);
    turns(done);
    web.answers({ pod: podUid(done, "v2") });
    expect((await place.apply()).exit).toBe(0);
    expect([await sent("web"), await sent("health")]).toMatchObject([{ length: 1 }, { length: 1 }]);
    expect(await place.step("web")).toMatchObject({ status: "complete", confirmed: "proven" });
  });

  it("R6: reconcile asks for it again, changes nothing, and takes back what does not hold any more", async () => {
    const { server } = await served(done);
    const web = await app();
    await stackWith(server, `{ via: "${web.url}" }`);
    await place.apply();
    web.answers({ status: 500 });
    expect((await place.reconcile()).exit).toBe(10);
    expect(await place.step("web")).toMatchObject({ status: "error", confirmed: "refuted" });
    web.answers({});
    expect((await place.reconcile()).exit).toBe(0);
    expect(await sent("web")).toHaveLength(1);
  });

  it("another expectation in the file asks anew", async () => {
    const { server } = await served(done);
    const web = await app();
    await stackWith(server, `{ via: "${web.url}" }`);
    expect((await place.apply()).exit).toBe(0);
    await stackWith(server, `{ via: "${web.url}", expect: { json: { version: v3 } } }`);
    expect((await place.apply()).exit).toBe(10);
    expect(await sent("web")).toHaveLength(1);
  });
});

describe("a reply of the step's own object", () => {
  const web = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    namespace: "shop",
    name: "web",
    uid: uidOf("Deployment", "web"),
  };
  const applied = async (objects: readonly object[], confirm: string): Promise<void> => {
    const { server } = await served(done);
    const config = kubeconfigFile(server.kubeconfig({ namespace: "other" }));
    const script = join(place.folder, "made.sh");
    const result = { id: "web", outputs: { objects } };
    await writeFile(
      script,
      `#!/bin/sh\ncase $1 in create) echo '${JSON.stringify({ outcome: "done", ...result })}';; *) echo '${JSON.stringify({ present: true, asDeclared: true, ...result })}';; esac\n`,
    );
    await chmod(script, 0o755);
    await place.writeStack(
      stackText([
        `  web:\n    uses: exec\n    window: 200ms\n    confirm: ${confirm}\n    with: { create: [${script}, create], observe: [${script}, observe] }`,
      ]),
    );
    await place.apply({}, { where: { environment: { ...process.env, CI: "", KUBECONFIG: config } } });
  };

  it("is asked for where its outputs name one that may reply", async () => {
    const { url } = await app();
    const service = { apiVersion: "v1", kind: "Service", namespace: "shop", name: "web", uid: "s" };
    await applied([service, web], `[rollout-complete, { response: { via: "${url}" } }, old-gone]`);
    expect(await place.step("web")).toMatchObject({ status: "complete", confirmed: "proven" });
  });

  it("V3: another object of that name is not the step's", async () => {
    const { url } = await app();
    await applied([{ ...web, uid: "another" }], `[{ response: { via: "${url}" } }]`);
    expect(await place.step("web")).toMatchObject({ status: "unconfirmed", confirmed: "undetermined" });
  });

  it.each([
    ["two that may reply", [web, { ...web, name: "cart" }], /2 objects that may reply, so say which one/],
    ["none that may", [{ ...web, apiVersion: "v1", kind: "ConfigMap" }], /none of the 1 objects/],
  ])("%s: undetermined, and nobody is asked", async (_, objects, says) => {
    const its = await app();
    await applied(objects, `[{ response: { via: "${its.url}" } }]`);
    expect(await place.step("web")).toMatchObject({
      confirmed: "undetermined",
      reason: expect.stringMatching(says),
    });
    expect(its.asked()).toBe(0);
  });
});
