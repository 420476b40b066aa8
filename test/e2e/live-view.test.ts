/** `verify --watch` on a real terminal over a real cluster: what it waits for is what was done to the rollout. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { noPty, onPty } from "../faces/pty.ts";
import { notRunWithout } from "../support/not-run.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { appReference, deployment, service } from "./app.ts";
import { atRest } from "./at-rest.ts";
import { type Namespace, ownNamespace } from "./kubectl.ts";
import { LACK, needing } from "./lack.ts";

let namespace: Namespace;
beforeAll(async () => {
  if (LACK === null) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());

const web = (tag: string): object => {
  // biome-ignore lint/suspicious/noExplicitAny: a manifest, whose shape is the API's.
  const manifest: any = deployment("web", { image: appReference(tag) });
  manifest.spec.strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  return manifest;
};

it("an image that is not there, until another is set: the reason, and then the proof", async (context) => {
  needing("images")(context);
  notRunWithout(context, noPty());
  await namespace.apply(web(":1.0.0"), service("web"));
  await atRest(namespace, "web");
  await namespace.apply(web(":9.9.9"));
  const terminal = onPty(
    tempFolder("live-view"),
    120,
    `asfound verify deployment/web -n ${namespace.name} --watch --window 400s`,
    { KUBECONFIG: String(process.env["KUBECONFIG"]) },
  );
  const shown = (lines: readonly string[]): string => lines.join(" ").replace(/\s+/g, " ");
  // One drawing of it may come in two pieces: what is asserted is what is waited for.
  await terminal.until(
    (lines) =>
      lines.some((line) => /^ {2}Pod web-\S+ +\S+ {2}refuted {2}cannot pull the image /.test(line)) &&
      /. Deployment \S+\/web: refuted; read at \d\d:\d\d:\d\dZ, \d+s ago; \S+ of the window left/.test(
        shown(lines),
      ) &&
      shown(lines).includes("1 new replica runs 9.9.9 and cannot pull the image"),
  );
  await namespace.apply(web(":2.0.0"));
  expect(await terminal.ended()).toEqual({ code: 0, isSane: true });
  const after = terminal.screen.lines.join("\n");
  expect(after).toContain("its spec was changed while it was watched");
  expect(after).toContain("2 new replicas run 2.0.0 and serve.");
  expect(after).not.toMatch(/of the window left/);
});
