/** Releases for tests, whole and true to their own digests. */

import { systemClock } from "../../src/adapters/system/clock.ts";
import { systemIds } from "../../src/adapters/system/ids.ts";
import { objectDigest } from "../../src/domain/config-digest.ts";
import { instant } from "../../src/domain/ids.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Release, ReleasedConfig } from "../../src/domain/release.ts";
import type { ReleaseTarget, StoredRelease } from "../../src/ports/releases.ts";
import { canonicalJson } from "../../src/wire/canonical.ts";
import { sha256Hex } from "../../src/wire/digest.ts";

const ids = systemIds(systemClock);
const REPORT: JsonObject = { apiVersion: "asfound.dev/v1alpha1", kind: "VerdictReport", verdict: "proven" };
const IMAGE = `sha256:${"1".repeat(64)}`;

export const WEB: ReleaseTarget = { group: "apps", kind: "Deployment", namespace: "shop", name: "web" };

/** `files`: its keys with their text. */
export const configMap = (
  name: string,
  files: Readonly<Record<string, string>>,
  more: Partial<ReleasedConfig> = {},
): ReleasedConfig => {
  const content = new Map(Object.entries(files).map(([key, text]) => [key, new TextEncoder().encode(text)]));
  const keys = new Map([...content].map(([key, bytes]) => [key, sha256Hex(bytes)]));
  return {
    kind: "ConfigMap",
    name,
    uid: `uid-of-${name}`,
    resourceVersion: "11",
    immutable: false,
    digest: objectDigest(keys),
    keys,
    content,
    ...more,
  };
};

export const storedRelease = (more: Partial<Release> = {}): StoredRelease => {
  const template: JsonObject = more.template ?? {
    metadata: { labels: { app: "web" } },
    spec: { containers: [{ name: "web", image: "registry.example/web:v1" }] },
  };
  return {
    report: REPORT,
    release: {
      id: `rel_${ids.uuid()}`,
      name: null,
      provenAt: instant(Date.parse("2026-11-30T03:00:00Z")),
      cluster: { server: "https://10.0.0.1:6443", uid: "uid-of-kube-system" },
      target: {
        group: "apps",
        version: "v1",
        kind: "Deployment",
        namespace: "shop",
        name: "web",
        uid: "uid-of-web",
        generation: 3,
      },
      removed: new Map(),
      templateDigest: sha256Hex(canonicalJson(template)),
      revision: { kind: "ReplicaSet", name: "web-5d9", uid: "uid-of-web-5d9", number: 3 },
      images: [{ container: "web", image: "registry.example/web:v1", digests: [IMAGE] }],
      injected: [],
      config: [configMap("settings", { "app.properties": "mode=v1\n" })],
      unheld: [],
      keyId: null,
      source: { commit: "9".repeat(40), tree: null },
      irreversible: [],
      limits: [],
      verdict: sha256Hex(canonicalJson(REPORT)),
      ...more,
      template,
    },
  };
};
