/** The shape of a Verification file. What it cannot say, and what this version does not judge, is said in `parse.ts`. */
import * as z from "zod";
import { CLAIM_NAMES } from "../../domain/claim.ts";
import { commitFault, isCommit, parseApplication } from "../../domain/expected-commit.ts";
import { GRPC_HEALTHS, isGrpcService } from "../../domain/grpc-health.ts";
import { MOST_SAMPLES } from "../../domain/response.ts";

const text = z.string().min(1);
const digest = z.string().regex(/^(?:.*@)?sha256:[0-9a-f]{64}$/, "must be sha256: and 64 hex digits");

const config = z.strictObject({
  sha256: z
    .string()
    .regex(/^(?:sha256:)?[0-9a-f]{64}$/, "must be 64 hex digits")
    .describe("Of its keys as files, in a folder of their own: (cd DIR && LC_ALL=C sha256sum *) | sha256sum"),
  version: text.optional().describe("What people call this content; it is said, and never judged."),
});

const reply = z.strictObject({
  status: z.int().min(100).max(599).optional().describe("200 where it is not told."),
  headers: z.record(z.string(), z.string()).optional(),
  json: z
    .record(z.string(), z.json())
    .optional()
    .describe("Members that the body's JSON has to have: by name, or by a path as $.pod.name."),
  grpc: z
    .strictObject({
      service: z
        .string()
        .refine(isGrpcService, "must be a name without spaces")
        .optional()
        .describe("The server as a whole where it is not told."),
      status: z.enum(GRPC_HEALTHS).optional().describe("SERVING where it is not told."),
    })
    .optional()
    .describe("Asks the gRPC health service (grpc.health.v1) instead of sending a GET."),
  bodySha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "must be 64 hex digits")
    .optional(),
});

const response = z.strictObject({
  via: text.describe("pod, service, service/NAME, ingress/NAME, gateway/NAME or a URL."),
  path: text.optional(),
  host: text.optional(),
  port: z.int().min(1).max(65_535).optional(),
  ca: text
    .optional()
    .describe(
      "A file of certificates (PEM) that are trusted instead of this machine's; a path from this file's folder.",
    ),
  samples: z.int().min(1).max(MOST_SAMPLES).optional(),
  expect: reply.optional(),
  pod: text
    .optional()
    .describe(
      "Where the app names its Pod, by UID or name: $.PATH or header:NAME; or log[:HEADER], by an id that it logs; or port:[HEADER@]PORT/PATH, by an id that it tells there.",
    ),
});

const bystander = z.strictObject({
  kind: text,
  name: text,
  namespace: text.optional().describe("The target's where it is not told."),
  uid: text.optional(),
  generation: z.int().min(1).optional().describe("metadata.generation: an equal one is an equal spec."),
  ready: z.int().min(0).optional().describe("How many of its Pods were ready."),
  response: response
    .omit({ ca: true, pod: true })
    .optional()
    .describe("What it has to answer, before and after: by which path, and what is expected."),
});

const pods = z.strictObject({
  replaced: z.array(text).min(1).max(100).describe("UIDs of Pods that have to be gone, for pod-replaced."),
  beside: z
    .array(text)
    .max(10_000)
    .optional()
    .describe(
      "UIDs of the workload's Pods that ran beside them; where not told, every Pod has to be as what came.",
    ),
});

/** What it says beside its apiVersion and kind: so it stands inside another file, too. */
export const verificationFields = {
  target: z.strictObject({
    kind: text,
    name: text,
    namespace: text.optional(),
    uid: text.optional().describe("Pins the incarnation."),
  }),
  expect: z
    .strictObject({
      replicas: z.int().min(0).optional(),
      release: text
        .optional()
        .describe(
          "A recorded release that it has to be, by id or name: its template, images and config, beside which none are written here.",
        ),
      images: z.record(z.string(), digest).optional().describe("Container: the digest that has to run."),
      commit: z
        .string()
        .refine((value) => commitFault(value) === undefined, {
          message: "must be a whole commit: 40 or 64 hex digits (git rev-parse NAME gives it)",
        })
        .optional()
        .describe("What an Application has to aim at, and to have synced."),
      tree: z
        .string()
        .refine(isCommit, {
          message: "must be a whole tree: 40 or 64 hex digits (git rev-parse NAME^{tree} gives it)",
        })
        .optional()
        .describe(
          "The tree that the commit has: another commit with it counts as synced, where a clone tells its tree (--git).",
        ),
      application: z
        .string()
        .refine((value) => parseApplication(value) !== undefined, {
          message: "must be NAMESPACE/NAME, as in argocd/shop",
        })
        .optional()
        .describe("The Application that brings the target about."),
      repository: text.optional().describe("Of which source, where an Application has several."),
      source: z
        .record(z.string(), z.json())
        .optional()
        .describe("What has to be made of the commit: its source less repoURL and targetRevision."),
      injected: z.array(text).optional().describe("Containers that something adds to every Pod."),
      config: z
        .record(z.string(), config)
        .optional()
        .describe("ConfigMap: what it has to hold, and the containers to have been given."),
      response: response.optional(),
      bystanders: z
        .array(bystander)
        .min(1)
        .max(1_000)
        .optional()
        .describe(
          "Objects that are to be what they were; --bystanders DIR names a saved state to compare with.",
        ),
      pods: pods.optional(),
    })
    .optional(),
  rules: z.array(text).min(1).max(20).optional().describe("Rule files, from where this file stands."),
  claims: z
    .array(z.enum(CLAIM_NAMES as readonly [string, ...string[]]))
    .min(1)
    .optional(),
};

export const verificationSchema = z
  .strictObject({
    apiVersion: z.literal("asfound.dev/v1alpha1"),
    kind: z.literal("Verification"),
    ...verificationFields,
  })
  .describe("What asfound verify -f FILE judges.");

export type BystanderInFile = z.infer<typeof bystander>;
type VerificationFile = z.infer<typeof verificationSchema>;
export type VerificationFields = Omit<VerificationFile, "apiVersion" | "kind">;

/** JSON Schema (2020-12), as it is published. */
export const verificationJsonSchema = (): string =>
  `${JSON.stringify(z.toJSONSchema(verificationSchema, { io: "input" }), null, 2)}\n`;
