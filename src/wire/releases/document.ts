/** A release as JSON, without the content of its ConfigMaps. Pure; every field is always there. */
import { iso } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Release } from "../../domain/release.ts";
import { document } from "../api/document.ts";

export const releaseDocument = (release: Release): JsonObject => {
  const { group, version, kind, namespace, name, uid, generation } = release.target;
  return document("Release", {
    id: release.id,
    name: release.name,
    provenAt: iso(release.provenAt),
    cluster: { server: release.cluster.server, uid: release.cluster.uid },
    target: {
      apiVersion: group === "" ? version : `${group}/${version}`,
      kind,
      namespace,
      name,
      uid,
      generation,
    },
    template: release.template,
    removed: [...release.removed].map(([pointer, digest]) => ({ pointer, digest })),
    templateDigest: release.templateDigest,
    revision: release.revision === null ? null : { ...release.revision },
    images: release.images.map(({ container, image, digests }) => ({
      container,
      image,
      digests: [...digests],
    })),
    injected: [...release.injected],
    config: release.config.map(({ keys, content: _, ...one }) => ({
      ...one,
      keys: [...keys].map(([key, digest]) => ({ key, digest })),
    })),
    unheld: release.unheld.map((one) => ({ ...one })),
    keyId: release.keyId,
    source: release.source === null ? null : { ...release.source },
    irreversible: [...release.irreversible],
    limits: [...release.limits],
    verdict: release.verdict,
  });
};
