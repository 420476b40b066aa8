/** `config bind` as a function of a real kustomize, whose prefixed names it knows. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { LAUNCHER, storyWith } from "./asfound.ts";

const POD = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - name: web
      envFrom: [{ configMapRef: { name: settings } }, { configMapRef: { name: pages } }]
---
apiVersion: v1
kind: ConfigMap
metadata: { name: pages }
data: { a: b }
`;

storyWith("testbed")("a transformer binds what kustomize has prefixed", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "asfound-kustomize-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, "conf"));
  writeFileSync(join(cwd, "conf", "MODE"), "fast");
  writeFileSync(join(cwd, "web.yaml"), POD);
  writeFileSync(join(cwd, "bind.sh"), `#!/bin/sh\nexec ${LAUNCHER} config bind -f -\n`, { mode: 0o755 });
  writeFileSync(
    join(cwd, "bind.yaml"),
    stringify({
      apiVersion: "asfound.dev/v1alpha1",
      kind: "ConfigBind",
      metadata: {
        name: "bind",
        annotations: { "config.kubernetes.io/function": "exec:\n  path: ./bind.sh\n" },
      },
      spec: { sources: [{ name: "settings", folder: "conf" }] },
    }),
  );
  writeFileSync(
    join(cwd, "kustomization.yaml"),
    "resources: [web.yaml]\nnamePrefix: shop-\ntransformers: [bind.yaml]\n",
  );
  const built = execFileSync("kustomize", ["build", "--enable-alpha-plugins", "--enable-exec", cwd], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect(built.match(/name: \S+/g)?.sort()).toEqual([
    "name: settings-2662a2a642",
    "name: settings-2662a2a642",
    "name: shop-pages-667b24062d",
    "name: shop-pages-667b24062d",
    "name: shop-web",
    "name: web",
  ]);
  expect(built).not.toContain("internal.config.kubernetes.io");
});
