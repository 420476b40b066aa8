/** The shapes of a release as it is written and printed (kind `Release`; content of ConfigMaps stands in files of its own), and of lists and differences. */
import * as z from "zod";

const hex = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hex digits");
const textOrNull = z.string().nullable();
const configKind = z.enum(["ConfigMap", "Secret"]);

export const releaseSchema = z.strictObject({
  apiVersion: z.literal("asfound.dev/v1alpha1"),
  kind: z.literal("Release"),
  id: z.string(),
  name: textOrNull,
  provenAt: z.iso.datetime(),
  cluster: z.strictObject({ server: textOrNull, uid: textOrNull }),
  target: z.strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    namespace: z.string(),
    name: z.string(),
    uid: z.string(),
    generation: z.int().min(0),
  }),
  template: z.record(z.string(), z.json()),
  removed: z.array(z.strictObject({ pointer: z.string(), digest: z.string() })),
  templateDigest: hex,
  revision: z
    .strictObject({
      kind: z.string(),
      name: z.string(),
      uid: z.string(),
      number: z.int().min(0).nullable(),
    })
    .nullable(),
  images: z.array(
    z.strictObject({
      container: z.string(),
      image: z.string(),
      digests: z.array(z.string().regex(/^sha256:[0-9a-f]{64}$/, "must be sha256: and 64 hex digits")).min(1),
    }),
  ),
  injected: z.array(z.string()),
  config: z.array(
    z.strictObject({
      kind: configKind,
      name: z.string(),
      uid: textOrNull,
      resourceVersion: textOrNull,
      immutable: z.boolean(),
      digest: hex,
      keys: z.array(z.strictObject({ key: z.string(), digest: hex })),
    }),
  ),
  unheld: z.array(
    z.strictObject({ kind: configKind, name: z.string(), reason: z.enum(["not-asked", "absent"]) }),
  ),
  keyId: textOrNull,
  source: z.strictObject({ commit: z.string(), tree: textOrNull }).nullable(),
  irreversible: z.array(z.string()),
  limits: z.array(z.string()),
  verdict: hex,
});

export const releaseListSchema = z.strictObject({
  apiVersion: z.literal("asfound.dev/v1alpha1"),
  kind: z.literal("ReleaseList"),
  place: z.string(),
  items: z.array(releaseSchema),
  altered: z.array(z.strictObject({ id: z.string(), fault: z.string() })),
  unfinished: z.array(z.string()),
});

const compared = z.enum(["same", "differs", "added", "removed", "open"]);
const releaseNamed = z.strictObject({ id: z.string(), name: textOrNull, place: z.string() });

export const releaseDiffSchema = z.strictObject({
  apiVersion: z.literal("asfound.dev/v1alpha1"),
  kind: z.literal("ReleaseDiff"),
  was: releaseNamed,
  is: releaseNamed,
  statement: z.string(),
  images: z.array(
    z.strictObject({
      container: z.string(),
      compared,
      was: z.strictObject({ image: z.string(), digests: z.array(z.string()) }).nullable(),
      is: z.strictObject({ image: z.string(), digests: z.array(z.string()) }).nullable(),
    }),
  ),
  template: z.array(z.strictObject({ path: z.string(), compared, was: textOrNull, is: textOrNull })),
  config: z.array(
    z.strictObject({
      kind: z.enum(["ConfigMap", "Secret"]),
      name: z.string(),
      compared,
      recreated: z.boolean(),
      says: z.array(z.string()),
      was: textOrNull,
      is: textOrNull,
      keys: z.array(
        z.strictObject({
          key: z.string(),
          compared,
          lines: z
            .strictObject({
              runs: z.array(z.array(z.strictObject({ sign: z.enum(["-", "+", " "]), text: z.string() }))),
              left: z.int().min(0),
            })
            .nullable(),
        }),
      ),
    }),
  ),
  around: z.array(z.string()),
});

const objectNamed = z.strictObject({ kind: configKind, name: z.string() });

export const retentionReportSchema = z.strictObject({
  apiVersion: z.literal("asfound.dev/v1alpha1"),
  kind: z.literal("RetentionReport"),
  namespace: z.string(),
  place: z.string(),
  releases: z.int().min(0),
  at: z.iso.datetime(),
  statement: z.string(),
  objects: z.array(
    z.strictObject({
      ...objectNamed.shape,
      uid: textOrNull,
      immutable: z.boolean(),
      holders: z.array(
        z.strictObject({
          by: z.enum(["runs", "declares", "keeps", "records"]),
          kind: z.string(),
          name: z.string(),
        }),
      ),
      proposed: z.boolean(),
      why: z.string(),
    }),
  ),
  next: z.array(
    z.strictObject({
      of: z.string(),
      kind: z.string(),
      name: z.string(),
      number: z.int().min(0),
      kept: z.int().min(0),
      limit: z.int().min(0),
      only: z.array(objectNamed),
    }),
  ),
  gone: z.array(z.strictObject({ ...objectNamed.shape, release: z.string() })),
  unread: z.array(z.string()),
  limits: z.array(z.string()),
  exit: z.int(),
});
