/**
 * Judges one target over evidence: finds it, judges each claim by its kind's rules, and combines. Pure: the same evidence
 * gives the same findings in any order, on any day (V2).
 */
import type { ClaimName } from "../domain/claim.ts";
import { CLAIM_NAMES, CLAIMS, isGitOpsClaim } from "../domain/claim.ts";
import type { Evidence, Seen } from "../domain/evidence.ts";
import type { Expected } from "../domain/expected.ts";
import type { Finding, Judgement } from "../domain/finding.ts";
import type { Known } from "../domain/known.ts";
import type { Question } from "../domain/question.ts";
import type { Resource } from "../domain/resource.ts";
import { RESOURCES } from "../domain/resource.ts";
import { verdictOf } from "../domain/verdict.ts";
import { absentRule } from "./absence.ts";
import { answeredBy } from "./answered-by.ts";
import { asReleased } from "./as-released.ts";
import { bystandersUnchanged } from "./bystanders/rule.ts";
import type { Case } from "./case.ts";
import { Collection } from "./collection.ts";
import { servicesOf } from "./endpoints.ts";
import { specObserved } from "./generation.ts";
import { byApplication, gitOpsClaims } from "./gitops/by-application.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import type { KindRule } from "./kind-rule.ts";
import { resourceMeant } from "./resource-meant.ts";
import { responseRule } from "./response.ts";
import { type Rules, rulesOf } from "./rules.ts";
import { statementOf } from "./statement.ts";
import { listed, nameOf } from "./words.ts";

export interface Judged {
  /** null: it was not found. */
  readonly target: Seen | null;
  readonly verdict: Judgement;
  readonly findings: readonly Finding[];
  readonly statement: string;
  readonly notLookedAt: readonly string[];
}

/** The question, with the kind found among those that are known and those that were read. */
type Resolved = Question & { readonly resource: Resource };

export const judge = (evidence: Evidence, asked: Question): Judged =>
  judgeIn(new Collection(evidence), evidence, asked);

/** `collection`: of this evidence; where many are judged by it, it is made once. */
export const judgeIn = (collection: Collection, evidence: Evidence, asked: Question): Judged => {
  const question: Resolved = { ...asked, resource: resourceMeant(asked.kind, collection, rulesOf(asked)) };
  const target = collection.object(question.resource, question.namespace, question.name);
  const found =
    target.kind === "known"
      ? judgeTarget(evidence, question, collection, target.value)
      : {
          findings: [notFound(question, collection, target)],
          statement: null,
          required: new Set<ClaimName>(),
        };
  const findings = found.findings.map((one) => ({
    ...one,
    required: target.kind !== "known" || found.required.has(one.claim),
  }));
  const verdict = verdictOf(findings);
  return {
    target: target.kind === "known" ? target.value : null,
    verdict,
    findings,
    statement: found.statement === null ? `${findings[0]?.sentence}.` : found.statement(verdict),
    notLookedAt: notLookedAt(
      collection,
      question,
      target.kind === "known" ? rulesOf(asked).of(target.value) : undefined,
    ),
  };
};

/** A named target that is not there is refuted, one that nobody asked for undetermined; `absent` is what was to be shown. */
const notFound = (question: Resolved, collection: Collection, target: Known<Seen>): Found => {
  if (question.claims?.includes("absent")) return absentRule(question, collection);
  const inquiry = new Inquiry("spec-observed");
  const named = nameOf({ ...question, kind: question.resource.kind });
  if (target.kind === "absent") {
    const { sources, listed: all } = collection.askedFor(
      question.resource,
      question.namespace,
      question.name,
    );
    for (const source of sources) inquiry.citeReading(source);
    return inquiry.refuted(
      "not-there",
      all
        ? `there is no ${named}: it is not among those that were listed`
        : `there is no ${named}: the API server was asked for it by name, and has none (404)`,
    );
  }
  inquiry.lack(question.resource.plural, question.namespace, target);
  return inquiry.undetermined(
    target.kind === "unreadable" ? "not-read" : "not-asked",
    target.kind === "unreadable"
      ? `${named} could not be read: ${target.why}`
      : `${named} is not among what was read${elsewhere(question, collection)}`,
  );
};

/** A namespace that was forgotten is the usual reason. */
const elsewhere = ({ resource, namespace, name }: Resolved, collection: Collection): string => {
  const others = collection
    .ofKind(resource.group, resource.kind)
    .filter((one) => one.name === name && one.namespace !== namespace)
    .map((one) => String(one.namespace));
  return others.length === 0 ? "" : `; one of this name is in namespace ${listed(others)}`;
};

interface TargetFindings {
  readonly findings: readonly Found[];
  readonly required: ReadonlySet<ClaimName>;
  readonly statement: (verdict: Judgement) => string;
}

const judgeTarget = (
  evidence: Evidence,
  question: Resolved,
  collection: Collection,
  target: Seen,
): TargetFindings => {
  const rules = rulesOf(question);
  const rule = rules.of(target);
  const before = new Map<ClaimName, Found>();
  const given: Case = {
    target,
    expected: question.expected,
    collection,
    at: evidence.at,
    before,
    observed: rule?.observed,
  };
  if (rule === undefined && question.claims?.includes("absent") !== true) return withoutRule(given, question);
  const required = requiredOf(question, rule, given);
  const judged = (claim: ClaimName): Found => {
    if (claim === "absent") return absentRule(question, collection);
    if (claim === "bystanders-unchanged") return bystandersUnchanged(given);
    if (claim === "as-released") return asReleased(given);
    if (claim === "response") return responseRule(given);
    if (claim === "answered-by-new-pod" && rule?.population !== undefined)
      return answeredBy(given, rule.population(given));
    if (isGitOpsClaim(claim)) return byApplication(claim)(given);
    const judgeClaim = rule?.rules[claim];
    return judgeClaim === undefined ? noRule(target, claim, rules) : judgeClaim(given);
  };
  for (const claim of CLAIM_NAMES) {
    if (required.has(claim)) before.set(claim, judged(claim));
    else if (claim === "artifact" && question.only === undefined && rule?.rules.artifact !== undefined) {
      // Nobody expects a digest: two of them under one template contradict whichever is meant.
      const found = judged(claim);
      if (found.finding === "refuted") before.set(claim, found);
    }
  }
  const counted = new Set(
    question.claims === null ? countedOf(required, question.expected) : question.claims,
  );
  const findings = [...before.values()];
  return {
    findings,
    required: counted,
    statement: (verdict) =>
      statementOf(
        given,
        rule?.population?.(given),
        verdict,
        [...findings].sort((a, b) => Number(counted.has(b.claim)) - Number(counted.has(a.claim))),
      ),
  };
};

/**
 * A kind without rules: whether a controller has processed this generation is told as for any kind (the API conventions'
 * observedGeneration); what it came to is not (V7).
 */
const withoutRule = (given: Case, question: Question): TargetFindings => {
  const asked = question.claims === null ? (["reported-ready"] as const) : question.claims;
  const others = new Set([...asked, ...besideClaims(question)].filter((claim) => claim !== "spec-observed"));
  const findings = [
    specObserved(given),
    ...[...others].map((claim) =>
      claim === "bystanders-unchanged"
        ? bystandersUnchanged(given)
        : claim === "as-released"
          ? asReleased(given)
          : isGitOpsClaim(claim)
            ? byApplication(claim)(given)
            : noRule(given.target, claim, rulesOf(question)),
    ),
  ];
  return {
    findings,
    required: new Set(findings.map(({ claim }) => claim)),
    statement: () => `${findings.map(({ sentence }) => sentence).join("; ")}.`,
  };
};

/** What is judged: everything that can be, so that a refuted one is never hidden; the person's own list adds to it. */
const requiredOf = (question: Question, rule: KindRule | undefined, given: Case): ReadonlySet<ClaimName> => {
  if (question.only !== undefined) return new Set(question.only);
  const asked = question.claims === null ? [] : question.claims;
  if (rule === undefined || asked.includes("absent")) return new Set(asked);
  return new Set([
    ...rule.required,
    ...(rule.requires === undefined ? [] : rule.requires(given)),
    ...(isRouted(question, rule, given) ? (["endpoints-ready"] as const) : []),
    ...(question.expected.images.size > 0 ? (["artifact"] as const) : []),
    ...(question.expected.config.size > 0 ? CONFIG_CLAIMS : []),
    ...answerClaims(question, rule),
    ...besideClaims(question),
    ...(question.expected.replaced === null ? [] : (["pod-replaced"] as const)),
    ...asked,
  ]);
};

/**
 * Endpoints count where a Service selects the Pods, and where that could not be read: then they are undetermined, rather
 * than left out as if no Service were there (R2).
 */
const isRouted = ({ expected }: Question, rule: KindRule, given: Case): boolean => {
  if (rule.podLabels === undefined || rule.rules["endpoints-ready"] === undefined) return false;
  if (expected.replicas === 0) return false;
  return (
    servicesOf(given, rule.podLabels).length > 0 ||
    given.collection.list(RESOURCES.Service, given.target.namespace).kind === "unreadable"
  );
};

/** What the record of a release says that it cannot be held to is judged, and does not count unless it is asked for. */
const countedOf = (
  required: ReadonlySet<ClaimName>,
  { release }: Pick<Expected, "release">,
): readonly ClaimName[] =>
  [...required].filter((claim) => release === null || !release.notCounted.includes(claim));

const CONFIG_CLAIMS = ["config-loaded", "config-bound"] as const;

/** A reply that is expected has to come; whose it is counts where the path or the app tells it. */
const answerClaims = ({ expected: { response } }: Question, rule: KindRule): readonly ClaimName[] => {
  if (response === null) return [];
  const tells = response.pod !== null || response.via.kind === "pod";
  return tells && rule.population !== undefined ? ["response", "answered-by-new-pod"] : ["response"];
};

/** Of any kind: whoever names bystanders, a commit or an Application wants to know of them. */
const besideClaims = ({ expected }: Question): readonly ClaimName[] => [
  ...(expected.release === null ? [] : (["as-released"] as const)),
  ...(expected.bystanders === null ? [] : (["bystanders-unchanged"] as const)),
  ...gitOpsClaims(expected),
];

const noRule = (target: Seen, claim: ClaimName, rules: Rules): Found => {
  const inquiry = new Inquiry(claim);
  if (rules.of(target) !== undefined)
    return inquiry.undetermined("no-rule", `${claim} is not a claim about a ${target.kind}`);
  const version = target.group === "" ? target.version : `${target.group}/${target.version}`;
  return inquiry.undetermined(
    "no-rule",
    `asfound has no rule for ${target.kind} (${version}), so it says nothing of it; say in a file what its status means, and name the file with --rules (docs/guide/custom-kinds.md); rules are there for ${listed(rules.kinds)}`,
  );
};

/** What could have been looked at and was not: for what runs Pods, readings about those, and the config in them. */
const notLookedAt = (
  collection: Collection,
  { namespace, expected, claims }: Pick<Question, "namespace" | "expected" | "claims">,
  rule: KindRule | undefined,
): readonly string[] => {
  const runsPods = rule === undefined || rule.rules["rollout-complete"] !== undefined;
  const unasked = ABOUT_PODS.filter((one) => collection.list(one, namespace).kind === "not-asked");
  const where = namespace === null ? "" : ` of namespace ${namespace}`;
  return [
    ...(runsPods ? unasked : []).map(({ plural }) => `${plural}${where}: not asked for`),
    ...(expected.response === null
      ? ["what a request is answered, and by which Pod: no request was made (--via)"]
      : []),
    ...(!runsPods ||
    expected.config.size > 0 ||
    claims?.some((claim) => CLAIMS[claim].layer === "config") === true
      ? []
      : ["which config the containers were given (asfound config trace)"]),
  ];
};

const ABOUT_PODS: readonly Resource[] = [
  RESOURCES.ReplicaSet,
  RESOURCES.Pod,
  RESOURCES.Event,
  RESOURCES.Service,
  RESOURCES.EndpointSlice,
  RESOURCES.HorizontalPodAutoscaler,
];
