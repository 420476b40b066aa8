/**
 * The published JSON Schemas of what asfound prints, from which `npm run api-schema` writes `schema/*.json`. They are
 * strict: a field that is not here is a fault of the translator, which a test over real output finds. Never loaded at run time.
 */
import * as z from "zod";
import { CLAIM_NAMES, type ClaimName } from "../../domain/claim.ts";
import { PARTS } from "../../domain/difference.ts";
import { REFUSAL_NAMES } from "../../domain/gate-refusal.ts";
import { LABS } from "../../domain/lab.ts";
import { CHECK_NAMES, type CheckName } from "../../domain/rollback.ts";
import { evidenceListSchema, evidenceRunSchema } from "../evidence/read-schema.ts";
import {
  evidenceCheckSchema,
  evidencePruneSchema,
  keyRotationSchema,
  signingKeySchema,
} from "../evidence/schema.ts";
import {
  releaseDiffSchema,
  releaseListSchema,
  releaseSchema,
  retentionReportSchema,
} from "../releases/schema.ts";

const apiVersion = z.literal("asfound.dev/v1alpha1");
const time = z.iso.datetime();
const textOrNull = z.string().nullable();
const json = z.record(z.string(), z.json());
const suggested = z.strictObject({ command: z.string(), why: z.string() });
const actions = z.enum(["create", "update", "destroy", "compensate", "owed"]);

const step = z.strictObject({
  step: z.string(),
  provider: z.string(),
  status: z.enum([
    "pending",
    "running",
    "destroying",
    "complete",
    "unconfirmed",
    "error",
    "unresolved",
    "destroyed",
    "retained",
  ]),
  reason: z.string(),
  confirmed: z.enum(["proven", "refuted", "progressing", "undetermined"]).nullable(),
  identity: z.looseObject({ id: z.string() }).nullable(),
  surplus: z.array(z.strictObject({ id: z.string(), since: time, operation: z.string(), why: z.string() })),
  outputs: json,
  outputsFrom: z.record(
    z.string(),
    z.strictObject({
      from: z.enum(["identity", "outcome", "observation", "import"]),
      operation: z.string(),
      at: time,
    }),
  ),
  previous: z.array(
    z.strictObject({ identity: textOrNull, outputs: json, until: time, endedBy: z.string() }),
  ),
  waitingOn: z.array(z.strictObject({ step: z.string(), why: z.string() })),
  failedCommand: actions.nullable(),
  lastError: textOrNull,
  effect: z.enum(["none", "known", "possible"]),
  owes: z.array(z.string()),
  rerunInputsFile: textOrNull,
  resolvedInputsFile: textOrNull,
  runId: textOrNull,
  intent: textOrNull,
  retained: z.strictObject({ owner: z.string(), reason: z.string(), reviewBy: z.iso.date() }).nullable(),
  evidence: z.array(z.string()),
  survivors: z.array(z.strictObject({ pid: z.number(), command: z.string() })),
  updatedAt: time,
});

const stackStatus = z.strictObject({
  apiVersion,
  kind: z.literal("StackStatus"),
  stack: z.string(),
  steps: z.array(step),
  next: z.array(suggested),
  notOffered: z.array(suggested),
  working: textOrNull,
  ledger: z.string(),
  exit: z.int(),
});

const plan = z.strictObject({
  apiVersion,
  kind: z.literal("Plan"),
  stack: z.string(),
  verb: z.enum(["apply", "destroy"]),
  changes: z.int(),
  steps: z.array(
    z.strictObject({
      step: z.string(),
      provider: z.string(),
      do: z.enum(["create", "update", "replace", "destroy", "observe-first", "leave", "decide"]),
      why: z.string(),
      changed: z.array(z.string()),
      cannotKnow: z.array(z.string()),
      retained: textOrNull,
      gate: z
        .strictObject({
          before: z.enum(["create", "update", "destroy", "any"]),
          by: z.array(z.string()),
        })
        .nullable(),
      needsApproval: textOrNull,
      destroys: z.boolean(),
      inputsDigest: textOrNull,
      preview: z
        .array(
          z.strictObject({
            what: z.enum(["create", "change", "remove", "leave", "refused", "unknown"]),
            of: z.string(),
            lines: z.array(z.string()),
          }),
        )
        .nullable(),
    }),
  ),
  notes: z.array(z.string()),
  digest: z.string(),
  position: z.string(),
  fileDigest: textOrNull,
  // A saved plan has no advice in it.
  next: z.array(suggested).optional(),
  notOffered: z.array(suggested).optional(),
});

const operationFields = {
  id: z.string(),
  stack: z.string(),
  verb: z.enum([
    "apply",
    "destroy",
    "reconcile",
    "compensate",
    "resolve",
    "retain",
    "forget",
    "import",
    "approve",
  ]),
  state: z.enum(["running", "ended", "cut-off"]),
  actor: z.string(),
  reason: textOrNull,
  startedAt: time,
  endedAt: time.nullable(),
  exit: z.int().nullable(),
  summary: textOrNull,
  options: z.strictObject({
    only: z.array(z.string()),
    allowDestroy: z.boolean(),
    failFast: z.boolean(),
    parallelism: z.int(),
  }),
  host: z.string(),
  pid: z.int(),
  ciRun: textOrNull,
  epoch: z.int(),
  fileDigest: textOrNull,
};
const operation = z.strictObject(operationFields);

const operationReport = z.strictObject({
  apiVersion,
  kind: z.literal("OperationReport"),
  operation,
  exit: z.int(),
  summary: z.string(),
  endings: z.array(
    z.strictObject({
      step: z.string(),
      ending: z.enum(["through", "stopped"]),
      exit: z.int().nullable(),
      why: textOrNull,
    }),
  ),
  notes: z.array(z.string()),
  stack: z.string(),
  steps: z.array(step),
  next: z.array(suggested),
  notOffered: z.array(suggested),
});

const history = z.strictObject({
  apiVersion,
  kind: z.literal("History"),
  stack: z.string(),
  operations: z.array(operation),
});

const operationDetail = z.strictObject({
  apiVersion,
  kind: z.literal("Operation"),
  ...operationFields,
  timeline: z.array(
    z.strictObject({
      seq: z.int(),
      at: time,
      step: z.string(),
      kind: z.enum(["intent", "identity", "outcome", "observation", "settlement", "decision"]),
      what: z.string(),
      intent: textOrNull,
      evidence: textOrNull,
      text: z.string(),
    }),
  ),
});

const graph = z.strictObject({
  apiVersion,
  kind: z.literal("Graph"),
  stack: z.string(),
  steps: z.array(
    z.strictObject({
      step: z.string(),
      provider: z.string(),
      needs: z.array(z.string()),
      partOf: textOrNull,
      depth: z.int(),
    }),
  ),
});

const doctorReport = z.strictObject({
  apiVersion,
  kind: z.literal("DoctorReport"),
  wrong: z.int(),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      finding: z.enum(["fine", "wrong", "not-checked"]),
      sentence: z.string(),
    }),
  ),
});

const ledgerImport = z.strictObject({
  apiVersion,
  kind: z.literal("LedgerImport"),
  ledger: z.string(),
  ledgerId: z.string(),
  records: z.int(),
});

const ledgerBackup = z.strictObject({ apiVersion, kind: z.literal("LedgerBackup"), path: z.string() });

const judgement = z.enum(["proven", "refuted", "progressing", "undetermined"]);

const target = z.strictObject({
  apiVersion: textOrNull,
  kind: z.string(),
  namespace: textOrNull,
  name: z.string(),
  uid: textOrNull,
  generation: z.int().nullable(),
  resourceVersion: textOrNull,
  source: textOrNull,
});

const claimName = z.enum(CLAIM_NAMES as [ClaimName, ...ClaimName[]]);
const layer = z.enum(["intent", "sync", "controller", "pods", "config", "route", "response", "recovery"]);
const texts = z.array(z.string());

const claimExplanation = z.strictObject({
  claim: claimName,
  layer,
  says: z.string(),
  rule: z.strictObject({ proven: texts, refuted: texts, progressing: texts, undetermined: texts }),
  restsOn: z.array(z.strictObject({ of: z.string(), fields: texts })),
  lists: texts,
  laws: z.array(z.strictObject({ law: z.string(), says: z.string() })),
  sources: z.array(z.strictObject({ title: z.string(), url: z.url() })),
  doesNotTell: z.string(),
  limits: texts,
});

const claimExplanations = z.strictObject({
  apiVersion,
  kind: z.literal("ClaimExplanations"),
  claims: z.array(claimExplanation),
});

const changes = z.strictObject({
  since: z
    .strictObject({
      kind: z.enum(["record", "baseline", "previous-revision"]),
      verdict: judgement.nullable(),
      at: time.nullable(),
      name: z.string(),
    })
    .nullable(),
  statement: z.string(),
  recreated: z.strictObject({ was: z.string(), is: z.string() }).nullable(),
  total: z.int().min(0),
  items: z.array(
    z.strictObject({
      path: z.string(),
      part: z.enum(PARTS),
      was: textOrNull,
      is: textOrNull,
      hidden: z.boolean(),
      writers: z.array(
        z.strictObject({
          manager: z.string(),
          operation: z.string(),
          subresource: textOrNull,
          at: time.nullable(),
        }),
      ),
    }),
  ),
  notCompared: z.array(z.string()),
  limits: z.array(z.string()),
});

const recorded = z.strictObject({
  /** null: it was to be kept, and was not. */
  run: textOrNull,
  sequence: z.int().min(1).optional(),
  sha256: z.string().optional(),
  place: z.string().optional(),
  trust: z.strictObject({ tier: z.enum(["T0", "T1", "T2", "T3"]), limit: z.string() }).optional(),
  fault: textOrNull,
});

const verdictReport = z.strictObject({
  apiVersion,
  kind: z.literal("VerdictReport"),
  target,
  verdict: judgement,
  window: z.strictObject({ from: time, to: time, ended: z.boolean() }),
  findings: z.array(
    z.strictObject({
      layer,
      claim: claimName,
      finding: judgement,
      reason: z.string(),
      sentence: z.string(),
      evidence: z.array(z.string()),
      missing: z.array(z.string()),
      limits: z.array(z.string()),
      required: z.boolean(),
    }),
  ),
  statement: z.string(),
  notLookedAt: z.array(z.string()),
  changes: changes.nullable(),
  trust: z.strictObject({ tier: z.enum(["T0", "T1", "T2", "T3"]), limits: z.array(z.string()) }),
  exit: z.int(),
  // Only where it was to be kept as evidence.
  recorded: recorded.optional(),
  // Only where --explain asked for it.
  explanations: z.array(claimExplanation).optional(),
});

const suggestions = z.array(suggested);

const rollbackPlan = z.strictObject({
  apiVersion,
  kind: z.literal("RollbackPlan"),
  target,
  to: z
    .strictObject({
      text: z.string(),
      release: textOrNull,
      revision: z
        .strictObject({ kind: z.string(), name: z.string(), uid: textOrNull, number: z.int() })
        .nullable(),
    })
    .nullable(),
  decision: judgement,
  statement: z.string(),
  checks: z.array(
    z.strictObject({
      check: z.enum(CHECK_NAMES as [CheckName, ...CheckName[]]),
      finding: judgement,
      reason: z.string(),
      sentence: z.string(),
      todo: textOrNull,
      evidence: texts,
      missing: texts,
      limits: texts,
      required: z.boolean(),
      accepted: z.boolean(),
    }),
  ),
  changes: changes.nullable(),
  templateIsThere: z.boolean(),
  config: z.array(
    z.strictObject({
      kind: z.enum(["ConfigMap", "Secret"]),
      name: z.string(),
      do: z.enum(["make", "write-back", "leave"]),
      immutable: z.boolean(),
      uid: textOrNull,
      resourceVersion: textOrNull,
      recorded: textOrNull,
      now: textOrNull,
      sharers: texts,
    }),
  ),
  bystanders: texts,
  now: z.strictObject({ verdict: judgement, statement: z.string() }),
  window: z.strictObject({ from: time, to: time, ended: z.boolean() }),
  trust: z.strictObject({ tier: z.enum(["T0", "T1", "T2", "T3"]), limits: texts }),
  next: suggestions,
  notOffered: suggestions,
  exit: z.int(),
});

const count = z.int().min(0);

const verdictList = z.strictObject({
  apiVersion,
  kind: z.literal("VerdictList"),
  selection: z
    .strictObject({
      kinds: z.array(z.string()).nullable(),
      namespace: textOrNull,
      selector: textOrNull,
    })
    .nullable(),
  verdict: judgement,
  window: z.strictObject({ from: time, to: time, ended: z.boolean() }),
  counts: z.strictObject({ proven: count, refuted: count, undetermined: count, progressing: count }),
  items: z.array(verdictReport),
  scaledToZero: z.array(target),
  unread: z.array(z.string()),
  leftToControllers: count,
  statement: z.string(),
  notLookedAt: z.array(z.string()),
  trust: z.strictObject({ tier: z.enum(["T0", "T1", "T2", "T3"]), limits: z.array(z.string()) }),
  exit: z.int(),
  recorded: recorded.optional(),
});

const evidenceReplay = z.strictObject({
  apiVersion,
  kind: z.literal("EvidenceReplay"),
  of: z.strictObject({
    run: z.string(),
    sha256: z.string(),
    sequence: z.int().min(1),
    verdict: judgement.nullable(),
    rules: z.string(),
  }),
  differs: z.array(
    z.strictObject({
      target: z.string(),
      claim: z.string(),
      was: textOrNull,
      is: textOrNull,
      what: z.enum(["finding", "reason", "words"]),
    }),
  ),
  report: z.union([verdictReport, verdictList]),
  exit: z.int(),
});

const configReference = z.strictObject({
  pod: z.string(),
  podUid: textOrNull,
  template: z.enum(["new", "old", "held"]),
  container: z.string(),
  role: z.enum(["app", "init", "sidecar", "ephemeral"]),
  object: z.strictObject({ kind: z.enum(["ConfigMap", "Secret"]), name: z.string() }),
  keys: z.array(z.string()).nullable(),
  delivery: z.enum(["env", "envFrom", "volume", "projected", "subPath"]),
  as: z.string(),
  inArguments: z.boolean(),
  optional: z.boolean(),
  serviceAccount: z.boolean(),
  source: z.strictObject({
    found: z.enum(["there", "absent", "not-read"]),
    uid: textOrNull,
    resourceVersion: textOrNull,
    writtenByLatest: time.nullable(),
    manager: textOrNull,
    immutable: z.boolean(),
    sha256: textOrNull,
  }),
  file: z.enum(["as-the-object", "another", "as-mounted", "not-knowable"]).nullable(),
  given: z
    .array(z.strictObject({ uid: z.string(), resourceVersion: z.string(), sha256: textOrNull }))
    .nullable(),
  startedAt: time.nullable(),
  state: z.enum([
    "fresh",
    "stale",
    "will-change-on-restart",
    "propagating",
    "not-knowable",
    "reference-missing",
  ]),
  level: z.enum(["L0", "L1", "L2", "L4"]),
  reason: z.string(),
  why: z.string(),
});

const configTrace = z.strictObject({
  ...verdictReport.shape,
  kind: z.literal("ConfigTrace"),
  references: z.array(configReference),
  untraceable: z.array(z.string()),
  checksums: z.array(
    z.strictObject({
      annotation: z.string(),
      on: z.enum(["template", "metadata"]),
      of: z.enum(["all", "object", "key", "earlier", "time", "opaque"]),
      object: textOrNull,
      key: textOrNull,
      says: z.string(),
    }),
  ),
});

const configConsumers = z.strictObject({
  apiVersion,
  kind: z.literal("ConfigConsumers"),
  object: z.strictObject({
    kind: z.enum(["ConfigMap", "Secret"]),
    namespace: z.string(),
    name: z.string(),
    found: z.enum(["there", "absent", "not-read"]),
    uid: textOrNull,
    resourceVersion: textOrNull,
    immutable: z.boolean(),
    sha256: textOrNull,
  }),
  verdict: judgement,
  window: z.strictObject({ from: time, to: time }),
  consumers: z.array(
    z.strictObject({
      target,
      references: z.array(configReference),
      template: z.array(
        configReference.pick({
          container: true,
          role: true,
          keys: true,
          delivery: true,
          as: true,
          inArguments: true,
          optional: true,
        }),
      ),
    }),
  ),
  kept: z.array(
    z.strictObject({ name: z.string(), uid: textOrNull, owner: z.string(), revision: textOrNull }),
  ),
  statement: z.string(),
  unread: z.array(z.string()),
  trust: z.strictObject({ tier: z.enum(["T0", "T1", "T2", "T3"]), limits: z.array(z.string()) }),
  exit: z.int(),
});

const configTraceList = z.strictObject({
  ...verdictList.shape,
  kind: z.literal("ConfigTraceList"),
  outlooks: z.strictObject({
    breaks: count,
    changes: count,
    "not-knowable": count,
    follows: count,
    same: count,
  }),
  items: z.array(
    z.strictObject({
      ...configTrace.shape,
      next: z.strictObject({
        outlook: z.enum(["breaks", "changes", "not-knowable", "follows", "same"]),
        timeBomb: z.boolean(),
        references: count,
        pods: count,
        why: z.string(),
      }),
    }),
  ),
  idle: z.array(target),
});

const configBinding = z.strictObject({
  apiVersion,
  kind: z.literal("ConfigBinding"),
  bound: z.array(
    z.strictObject({
      name: z.string(),
      namespace: textOrNull,
      boundAs: z.string(),
      sha256: z.string(),
      from: z.string(),
      added: z.boolean(),
      references: count,
    }),
  ),
  references: z.array(
    z.strictObject({
      of: z.string(),
      path: z.string(),
      kind: z.enum(["ConfigMap", "Secret"]),
      by: z.enum(["env", "envFrom", "volume", "projected", "subPath", "declared", "rbac", "pull-secret"]),
      name: textOrNull,
      boundTo: textOrNull,
      leftAs: textOrNull,
    }),
  ),
  checksums: z.array(z.strictObject({ of: z.string(), path: z.string(), from: textOrNull, to: z.string() })),
  left: z.array(z.string()),
  files: z.array(z.strictObject({ file: z.string(), changed: z.boolean() })),
  written: z.boolean(),
});

const heldRecording = z.strictObject({
  apiVersion,
  kind: z.literal("HeldRecording"),
  folder: z.string(),
  scope: z.strictObject({
    server: z.string(),
    namespace: textOrNull,
    selector: textOrNull,
    kinds: z.array(z.enum(["ConfigMap", "Secret"])),
  }),
  window: z.strictObject({ from: time.nullable(), to: time.nullable() }),
  objects: z.int(),
  versions: z.int(),
  blind: z.array(
    z.strictObject({
      of: z.enum(["ConfigMap", "Secret"]),
      from: time.nullable(),
      to: time,
      why: z.string(),
    }),
  ),
  moreBlind: z.int(),
  statement: z.string(),
  exit: z.int(),
});

const named = z.strictObject({ name: z.string(), uid: z.string() });

const drillReport = z.strictObject({
  apiVersion,
  kind: z.literal("DrillReport"),
  target: z.strictObject({
    apiVersion: textOrNull,
    kind: z.string(),
    namespace: textOrNull,
    name: z.string(),
    uid: textOrNull,
  }),
  dryRun: z.boolean(),
  by: z.enum(["evict", "delete"]),
  pod: named.nullable(),
  why: textOrNull,
  beside: z.array(named),
  notes: z.array(z.string()),
  refused: z.strictObject({ reason: z.string(), sentence: z.string() }).nullable(),
  rehearsed: z.strictObject({ what: z.enum(["remove", "refused", "unknown"]), why: textOrNull }).nullable(),
  stack: textOrNull,
  operation: textOrNull,
  step: z.strictObject({ status: z.string(), reason: z.string(), effect: z.string() }).nullable(),
  verdict: verdictReport.nullable(),
  disturbed: textOrNull,
  exit: z.int(),
});

const configCheck = z.strictObject({
  apiVersion,
  kind: z.literal("ConfigCheck"),
  templates: count,
  findings: z.array(
    z.strictObject({
      rule: z.enum([
        "checksum-not-on-template",
        "checksum-of-another",
        "checksum-opaque",
        "checksum-out-of-date",
        "mutable-without-checksum",
        "name-out-of-date",
        "key-missing",
      ]),
      of: z.string(),
      file: z.string(),
      line: z.int().nullable(),
      column: z.int().nullable(),
      path: z.string(),
      sentence: z.string(),
    }),
  ),
  notJudged: z.array(z.string()),
  exit: z.int(),
});

const rollbackReport = z.strictObject({
  apiVersion,
  kind: z.literal("RollbackReport"),
  statement: z.string(),
  layers: z
    .strictObject({
      rollout: judgement.nullable(),
      configLoaded: judgement.nullable(),
      configBound: judgement.nullable(),
      timeBomb: z.boolean(),
    })
    .nullable(),
  confirmed: z.boolean(),
  stack: z.string(),
  plan: rollbackPlan,
  operation: operationReport.nullable(),
  verdict: verdictReport.nullable(),
  drill: drillReport.nullable(),
  next: suggestions,
  notOffered: suggestions,
  exit: z.int(),
});

/** By the file's name under `schema/`, without `.json`. */
const recoverySide = z.strictObject({
  side: z.enum(["normal", "failure", "recovery"]),
  says: z.string(),
  verdict: judgement.nullable(),
  templateIsThere: z.boolean().nullable(),
  config: z.array(z.strictObject({ kind: z.string(), name: z.string(), sha256: textOrNull })),
  pods: z.array(
    z.strictObject({
      name: z.string(),
      uid: textOrNull,
      template: z.enum(["new", "old", "held"]),
      ready: z.boolean(),
    }),
  ),
});

const recoveryReport = z.strictObject({
  apiVersion,
  kind: z.literal("RecoveryReport"),
  target,
  to: textOrNull,
  verdict: judgement,
  statement: z.string(),
  sides: z.array(recoverySide),
  checks: rollbackPlan.shape.checks,
  rollback: z.strictObject({ statement: z.string(), wrote: z.boolean() }),
  drill: z.strictObject({ asked: z.boolean(), ran: z.boolean(), says: z.string() }),
  bystanders: verdictReport.shape.findings.element.nullable(),
  findings: verdictReport.shape.findings,
  notRestored: texts,
  firstAid: texts,
  permanent: texts,
  remaining: texts,
  stack: z.string(),
  window: z.strictObject({ from: time, to: time }),
  exit: z.int(),
});

const gitPerson = z.strictObject({ name: z.string(), at: textOrNull }).nullable();
const gitRole = z.enum(["normal", "failure", "recovery"]);
const manifestChange = z.strictObject({
  kind: z.enum(["none", "config-only", "template", "config-and-template", "other", "unknown"]),
  objects: z.array(z.strictObject({ object: z.string(), what: z.string() })),
  why: textOrNull,
});

const gitRecoveryReport = z.strictObject({
  apiVersion,
  kind: z.literal("GitRecoveryReport"),
  target,
  application: textOrNull,
  verdict: judgement,
  statement: z.string(),
  commits: z.array(
    z.strictObject({
      role: gitRole,
      commit: z.string(),
      why: textOrNull,
      tree: textOrNull,
      parents: texts.nullable(),
      author: gitPerson,
      committer: gitPerson,
      subject: textOrNull,
      reverts: texts.nullable(),
      signature: z.enum(["none", "good", "bad", "not-checked"]).nullable(),
      paths: z
        .array(
          z.strictObject({
            path: z.string(),
            id: textOrNull,
            selfContained: z.boolean().nullable(),
            why: textOrNull,
          }),
        )
        .nullable(),
    }),
  ),
  lineage: z.strictObject({ failureAfterNormal: z.string(), recoveryAfterFailure: z.string() }),
  saysItReverts: z.boolean().nullable(),
  path: z.string(),
  content: z.strictObject({
    equal: z.enum(["tree", "path", "no", "unknown"]),
    differs: z.array(z.strictObject({ path: z.string(), how: z.enum(["added", "removed", "changed"]) })),
    why: textOrNull,
  }),
  changes: z.strictObject({ failing: manifestChange, recovering: manifestChange }),
  findings: verdictReport.shape.findings,
  firstAid: texts,
  permanent: texts,
  identity: texts,
  timeline: z.strictObject({
    git: z.array(
      z.strictObject({
        at: textOrNull,
        commit: z.string(),
        author: textOrNull,
        subject: textOrNull,
        role: gitRole.nullable(),
      }),
    ),
    cluster: z.array(z.strictObject({ at: z.string(), what: z.string(), evidence: z.string() })),
  }),
  limits: texts,
  window: z.strictObject({ from: time, to: time }),
  exit: z.int(),
});

const labReport = z.strictObject({
  apiVersion,
  kind: z.literal("LabReport"),
  lab: z.enum(LABS),
  about: z.string(),
  cluster: z.strictObject({ server: z.string(), context: textOrNull }),
  namespace: z.string(),
  image: z.string(),
  delivery: z
    .strictObject({ repository: z.string(), branch: z.string(), application: z.string() })
    .nullable(),
  window: z.strictObject({ from: time, to: time }),
  steps: z.array(
    z.strictObject({
      title: z.string(),
      did: z.array(z.string()),
      saw: z.array(z.strictObject({ what: z.string(), value: z.string() })),
      kubectl: z.strictObject({ done: z.boolean(), says: z.string() }).nullable(),
      asfound: z
        .strictObject({ verdict: judgement, statement: z.string(), findings: verdictReport.shape.findings })
        .nullable(),
      shows: z.string(),
      missed: z.array(z.string()),
    }),
  ),
  ended: textOrNull,
  removal: z.strictObject({ removed: z.boolean(), says: z.string() }),
  stack: z.string(),
  exit: z.int(),
});

const gateReport = z.strictObject({
  apiVersion,
  kind: z.literal("GateReport"),
  gate: z.string(),
  at: time,
  decision: z.enum(["promote", "refuse"]),
  statement: z.string(),
  trust: z.enum(["T0", "T1", "T2"]),
  items: z.array(
    z.strictObject({
      target: z.strictObject({ kind: z.string(), namespace: textOrNull, name: z.string() }),
      evidence: z
        .strictObject({
          run: z.string(),
          sha256: textOrNull,
          readAt: time.nullable(),
          recordedAt: time.nullable(),
          recorded: judgement.nullable(),
          trust: z.enum(["T0", "T1", "T2", "T3"]),
          faults: z.array(z.strictObject({ kind: z.enum(["incomplete", "altered"]), sentence: z.string() })),
          verdict: judgement.nullable(),
        })
        .nullable(),
      live: verdictReport.nullable(),
      approvals: z.array(
        z.strictObject({
          run: z.string(),
          actor: z.string(),
          reason: z.string(),
          at: time,
          of: z.string(),
          whole: z.boolean(),
          trust: z.enum(["T0", "T1", "T2", "T3"]),
        }),
      ),
      refusals: z.array(
        z.strictObject({
          side: z.enum(["evidence", "live", "approval"]),
          reason: z.enum([
            "no-evidence",
            "incomplete",
            "altered",
            "unreadable",
            "too-old",
            "from-the-future",
            "trust-too-low",
            "not-looked",
            "claim-not-proven",
            "not-proven",
            "changed",
            "approval-missing",
          ]),
          claim: z.enum(CLAIM_NAMES as readonly [ClaimName, ...ClaimName[]]).nullable(),
          finding: judgement.nullable(),
          sentence: z.string(),
        }),
      ),
      notes: z.array(z.string()),
    }),
  ),
  limits: z.array(z.string()),
  exit: z.int(),
});

const gateTestReport = z.strictObject({
  apiVersion,
  kind: z.literal("GateTestReport"),
  gate: textOrNull,
  statement: z.string(),
  healthy: z.strictObject({ promoted: z.boolean(), details: z.array(z.string()) }),
  refusals: z.array(
    z.strictObject({
      name: z.enum(REFUSAL_NAMES as readonly [string, ...string[]]),
      says: z.string(),
      outcome: z.enum(["refused", "slips-through", "accepted", "not-asked"]),
      details: z.array(z.string()),
      needs: textOrNull,
      states: z.int(),
    }),
  ),
  cases: z.array(
    z.strictObject({
      name: z.string(),
      expected: z.enum(["refuse", "promote"]),
      held: z.boolean(),
      details: z.array(z.string()),
    }),
  ),
  notTested: z.array(z.string()),
  exit: z.int(),
});

const gateApproval = z.strictObject({
  apiVersion,
  kind: z.literal("GateApproval"),
  gate: z.string(),
  run: z.string(),
  sha256: z.string(),
  approves: z.strictObject({ run: z.string(), sha256: z.string() }),
  target: z.strictObject({ kind: z.string(), namespace: textOrNull, name: z.string() }),
  actor: z.string(),
  reason: z.string(),
  at: time,
  counts: z.boolean(),
  why: textOrNull,
  given: z.int(),
  wanted: z.int(),
  trust: z.strictObject({ tier: z.string(), limit: z.string() }),
  limits: z.array(z.string()),
  exit: z.int(),
});

export const API_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  "stack-status": stackStatus,
  plan,
  "operation-report": operationReport,
  history,
  operation: operationDetail,
  graph,
  "doctor-report": doctorReport,
  "verdict-report": verdictReport,
  "verdict-list": verdictList,
  "lab-report": labReport,
  "recovery-report": recoveryReport,
  "git-recovery-report": gitRecoveryReport,
  "claim-explanations": claimExplanations,
  "config-trace": configTrace,
  release: releaseSchema,
  "release-list": releaseListSchema,
  "config-binding": configBinding,
  "config-check": configCheck,
  "release-diff": releaseDiffSchema,
  "evidence-check": evidenceCheckSchema,
  "evidence-prune": evidencePruneSchema,
  "evidence-list": evidenceListSchema,
  "evidence-replay": evidenceReplay,
  "evidence-run": evidenceRunSchema,
  "signing-key": signingKeySchema,
  "key-rotation": keyRotationSchema,
  "retention-report": retentionReportSchema,
  "config-trace-list": configTraceList,
  "config-consumers": configConsumers,
  "held-recording": heldRecording,
  "rollback-plan": rollbackPlan,
  "drill-report": drillReport,
  "rollback-report": rollbackReport,
  "gate-report": gateReport,
  "gate-test-report": gateTestReport,
  "gate-approval": gateApproval,
  "ledger-import": ledgerImport,
  "ledger-backup": ledgerBackup,
};

/** The text of one published schema. */
export const apiSchemaText = (name: string): string => {
  const schema = API_SCHEMAS[name];
  if (schema === undefined) throw new Error(`there is no schema named ${name}`);
  const made = z.toJSONSchema(schema, { target: "draft-2020-12" });
  const id = `https://asfound.dev/schema/v1alpha1/${name}.json`;
  return `${JSON.stringify({ $schema: made.$schema, $id: id, ...made }, null, 2)}\n`;
};
