/**
 * Whether two records are of one release: the same incarnation of a workload, template, images as they ran, and config, each
 * object with its UID (C4). How many replicas there were, and which labels a ConfigMap has, makes no other release.
 */
import type { Release, ReleaseCluster, ReleasedConfig } from "./release.ts";

/** Addresses change, a cluster's kube-system does not. */
export const sameCluster = (a: ReleaseCluster, b: ReleaseCluster): boolean =>
  a.uid !== null && b.uid !== null ? a.uid === b.uid : a.server === b.server;

export const sameRelease = (a: Release, b: Release): boolean =>
  sameCluster(a.cluster, b.cluster) &&
  a.target.uid === b.target.uid &&
  a.templateDigest === b.templateDigest &&
  a.keyId === b.keyId &&
  textOf(a) === textOf(b);

const textOf = ({ images, config, unheld, injected }: Release): string =>
  JSON.stringify([
    [...images].map(({ container, image, digests }) => [container, image, [...digests]]).sort(),
    [...config].map(identityOf).sort(),
    [...unheld].map(({ kind, name, reason }) => [kind, name, reason]).sort(),
    [...injected].sort(),
  ]);

const identityOf = ({ kind, name, uid, immutable, digest }: ReleasedConfig) => [
  kind,
  name,
  uid,
  immutable,
  digest,
];

/** All that the later one tells beyond that is told by the earlier one already. */
export const tellsNothingNew = (earlier: Release, later: Release): boolean =>
  (later.source === null ||
    (earlier.source !== null &&
      earlier.source.commit === later.source.commit &&
      (later.source.tree === null || earlier.source.tree === later.source.tree))) &&
  later.irreversible.every((effect) => earlier.irreversible.includes(effect));
