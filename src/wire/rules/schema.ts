/** The shape of a rule file. What does not go together in it is said in `parse.ts`. */
import * as z from "zod";

const most = (count: number): string => `must have at most ${count}`;
const ONE = "must have at least one";

const text = z.string().min(1, "must not be empty").max(200, "must have at most 200 letters");
const VALUES = "must be a text, a number, true or false, or a list of them";
const scalar = z.union([text, z.literal(""), z.number(), z.boolean()], VALUES);
const scalars = z.union([scalar, z.array(scalar).min(1, ONE).max(50, most(50))], VALUES);
const path = text.describe("A field from the object's top: status.phase, metadata.annotations['a/b'].");

const test = z.strictObject({
  condition: text.optional().describe("The type of a condition; is: True (usual), False or Unknown."),
  reason: z
    .union([text, z.array(text).min(1, ONE).max(50, most(50))], "must be a text, or a list of them")
    .optional()
    .describe("Of the condition; any where it is not told."),
  field: path.optional(),
  is: scalars.optional(),
  isNot: scalars.optional(),
  same: path.optional().describe("Another field that has to be equal."),
  other: path.optional().describe("Another field that has to differ."),
  exists: z.boolean().optional().describe("Whether anything stands there."),
});

const sign = z.strictObject({
  ...test.shape,
  all: z.array(test).min(1, ONE).max(20, most(20)).optional().describe("All of these together."),
  says: text.optional().describe("What it means, for a person."),
});
const signs = z.array(sign).max(50, most(50)).optional();

const version = z.strictObject({
  field: path.describe("The field of the object that names the version."),
  label: text.describe("The label that carries it."),
});

const pods = z.strictObject({
  owners: z
    .array(z.enum(["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job"]))
    .max(3, most(3))
    .optional()
    .describe("The kinds between it and its Pods, from the top; none: it controls them itself."),
  selector: path.optional().describe("spec.selector where it is not told."),
  template: path.optional().describe("spec.template where it is not told."),
  version: version.optional().describe("Without it old and new Pods cannot be told apart."),
  wanted: path.optional().describe("spec.replicas where it is not told."),
  total: path.optional().describe("The counter of all Pods, old ones too: status.NAME."),
  updated: path.describe("The counter of Pods of the new version: status.NAME."),
  available: path.describe("The counter of available Pods: status.NAME."),
});

const child = z.strictObject({
  group: z.string().max(200, "must have at most 200 letters"),
  kind: text,
  plural: text,
  version: version.optional().describe("Only those of this version count."),
  field: path,
  done: scalars.describe("What the field says when nothing is open any more."),
  progressing: scalars.optional(),
});

const rule = z.strictObject({
  group: z
    .string()
    .max(200, "must have at most 200 letters")
    .regex(/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$/, "must be an API group as argoproj.io"),
  kind: z
    .string()
    .max(63, "must have at most 63 letters")
    .regex(/^[A-Z][A-Za-z0-9]*$/, "must be a kind as the API writes it: Rollout"),
  plural: z
    .string()
    .max(63, "must have at most 63 letters")
    .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, "must be the plural of the API's path: rollouts"),
  shortNames: z.array(text).max(10, most(10)).optional(),
  generation: z
    .union(
      [
        z.enum(["conditions", "none"]),
        z.strictObject({ field: path, as: z.enum(["number", "text", "either"]).optional() }),
      ],
      "must be conditions, none, or { field: status.observedGeneration, as: number, text or either }",
    )
    .describe(
      "Which generation its status speaks of: a field of status, conditions (each says it of itself), or none.",
    ),
  ready: z
    .array(test)
    .min(1, ONE)
    .max(20, most(20))
    .describe("All of these: its controller reports it done."),
  failed: signs,
  undetermined: signs,
  progressing: signs,
  message: path.optional().describe("Where its controller says something to a person."),
  pods: pods.optional(),
  children: z.array(child).max(10, most(10)).optional(),
});

export const rulesSchema = z
  .strictObject({
    apiVersion: z.literal("asfound.dev/v1alpha1", "must be asfound.dev/v1alpha1"),
    kind: z.literal("KindRules", "must be KindRules"),
    rules: z.array(rule).min(1, ONE).max(100, most(100)),
  })
  .describe(
    "What the status of kinds means that asfound has no rule of its own for: asfound verify --rules FILE.",
  );

export type RulesFile = z.infer<typeof rulesSchema>;
export type RuleInFile = RulesFile["rules"][number];
export type TestInFile = z.infer<typeof test>;
export type SignInFile = z.infer<typeof sign>;

/** JSON Schema (2020-12), as it is published. */
export const rulesJsonSchema = (): string =>
  `${JSON.stringify(z.toJSONSchema(rulesSchema, { io: "input" }), null, 2)}\n`;
