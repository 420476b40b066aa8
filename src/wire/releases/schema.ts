/** The shape of a release as it is written and printed (kind `Release`). Content of ConfigMaps stands in files of its own. */
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
