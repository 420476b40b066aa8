/**
 * HTTPRoutes and GRPCRoutes, which differ in what they match and not in how they stand to their parents. Rules:
 * gateway.networking.k8s.io/v1, RouteParentStatus: each controller writes an entry of its own for each parent, and the one
 * that counts is of the controller of the parent's class; its conditions name the route's generation.
 */
import type { Seen } from "../domain/evidence.ts";
import type { JsonValue } from "../domain/json.ts";
import { RESOURCES, type Resource } from "../domain/resource.ts";
import { badNewsOf, type Standing, standingOf, worstOf } from "./accepted.ts";
import { backendsReady, followBackends, type Named, requiresEndpoints, together } from "./backends.ts";
import type { Case, Rule } from "./case.ts";
import { controllerFor, followClass } from "./gateway-class.ts";
import { generationAsked, sameIncarnation } from "./generation.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import type { Followed, KindRule } from "./kind-rule.ts";
import { hint, itemsAt, LIST, type Path, TEXT, WHOLE } from "./read.ts";
import { beingDeleted } from "./whole.ts";
import { listed, nameOf, quoted } from "./words.ts";

const GROUP = RESOURCES.Gateway.group;

/** A parentRef with what the API takes for what is left out. */
interface Parent {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly sectionName: string | undefined;
  readonly port: number | undefined;
}

const parentIn = (one: JsonValue | undefined, own: string | null): Parent | undefined => {
  const name = hint(one, ["name"], TEXT);
  if (name === undefined) return undefined;
  const [group, kind, namespace] = ["group", "kind", "namespace"].map((field) => hint(one, [field], TEXT));
  return {
    group: group === undefined ? GROUP : group,
    kind: kind === undefined ? RESOURCES.Gateway.kind : kind,
    namespace: namespace === undefined ? own : namespace,
    name,
    sectionName: hint(one, ["sectionName"], TEXT),
    port: hint(one, ["port"], WHOLE),
  };
};

const isGateway = ({ group, kind }: Parent): boolean => group === GROUP && kind === RESOURCES.Gateway.kind;

const textOf = ({ kind, namespace, name, sectionName }: Parent): string =>
  `${quoted(kind)} ${namespace === null ? "" : `${quoted(namespace)}/`}${quoted(name)}${sectionName === undefined ? "" : ` (${quoted(sectionName)})`}`;

/** What is said of the route by each of its parents, or why that is not known. */
const parentsOf = (
  inquiry: Inquiry,
  given: Case,
  types: readonly ("Accepted" | "ResolvedRefs")[],
): readonly Standing[] | Found => {
  const { target } = given;
  const declared = inquiry.need(target, ["spec", "parentRefs"], LIST);
  if (declared === undefined || declared.length === 0)
    return inquiry.undetermined("no-parent", "it names no parent, so nothing serves it");
  const standings: Standing[] = [];
  for (const [at, one] of declared.entries()) {
    const parent = parentIn(one, target.namespace);
    if (parent === undefined) {
      inquiry.miss(`${nameOf(target)} spec.parentRefs[${at}].name`);
      return inquiry.unknown();
    }
    const said = ofParent(inquiry, given, parent, types);
    if ("claim" in said) return said;
    standings.push(...said);
  }
  return standings;
};

const ofParent = (
  inquiry: Inquiry,
  given: Case,
  parent: Parent,
  types: readonly ("Accepted" | "ResolvedRefs")[],
): readonly Standing[] | Found => {
  if (!isGateway(parent))
    return inquiry.undetermined(
      "no-rule",
      `asfound has no rule for a parent of the kind ${quoted(parent.kind)} (${quoted(parent.group)}), which ${textOf(parent)} is`,
    );
  const gateway = gatewayFor(inquiry, given, parent);
  if ("finding" in gateway) return gateway;
  const controller = controllerFor(inquiry, given, gateway.gateway);
  if ("finding" in controller) return controller;
  const { target } = given;
  const entries = itemsAt(target.raw, ["status", "parents"]).flatMap((one, at) =>
    isSame(parentIn(hint(one, ["parentRef"], ANY), target.namespace), parent) ? [{ one, at }] : [],
  );
  const [entry, another] = entries.filter(
    ({ one }) => hint(one, ["controllerName"], TEXT) === controller.name,
  );
  const who = `it by ${textOf(parent)}`;
  if (entry === undefined || another !== undefined) {
    inquiry.miss(`${nameOf(target)} status.parents of ${textOf(parent)} by ${quoted(controller.name)}`);
    const strangers =
      entries.length === 0 || another !== undefined
        ? ""
        : `; another controller has, which is not the one of its class`;
    return [
      {
        finding: "undetermined",
        reason: "not-reported",
        says:
          another === undefined
            ? `the controller of ${textOf(parent)} (${quoted(controller.name)}) has not reported on it${strangers}`
            : `the controller of ${textOf(parent)} has reported on it twice`,
      },
    ];
  }
  inquiry.cite(target, ["status", "parents", entry.at, "controllerName"]);
  inquiry.cite(target, ["status", "parents", entry.at, "parentRef", "name"]);
  const subject = { object: target, at: ["status", "parents", entry.at, "conditions"], who };
  return [
    ...types.map((type) => standingOf(inquiry, subject, type)),
    ...badNewsOf(inquiry, subject, "PartiallyInvalid"),
  ];
};

/** The entry's own parentRef, as it stands. */
const ANY = { what: "an object", read: (value: JsonValue) => value };

const isSame = (one: Parent | undefined, other: Parent): boolean =>
  one !== undefined && JSON.stringify(listOf(one)) === JSON.stringify(listOf(other));
const listOf = ({ group, kind, namespace, name, sectionName, port }: Parent) => [
  group,
  kind,
  namespace,
  name,
  sectionName === undefined ? null : sectionName,
  port === undefined ? null : port,
];

const gatewayFor = (
  inquiry: Inquiry,
  { collection }: Case,
  parent: Parent,
): { readonly gateway: Seen } | Found => {
  const found = collection.object(RESOURCES.Gateway, parent.namespace, parent.name);
  if (found.kind === "known") return { gateway: found.value };
  if (found.kind === "absent") {
    inquiry.citeAbsence(collection, RESOURCES.Gateway, parent.namespace, parent.name);
    return inquiry.refuted("no-parent", `there is no ${textOf(parent)}, which it names as its parent`);
  }
  inquiry.lack(`gateways.${GROUP} "${quoted(parent.name)}"`, parent.namespace, found);
  return inquiry.unknown();
};

const specObserved: Rule = (given) => {
  const inquiry = new Inquiry("spec-observed");
  const generation = generationAsked(inquiry, given);
  if (typeof generation !== "number") return generation;
  const said = parentsOf(inquiry, given, ["Accepted"]);
  // That nobody is there to process it is told by `reported-ready`; here it only leaves open whether anybody did.
  if ("claim" in said)
    return said.finding === "refuted" ? inquiry.undetermined(said.reason, said.sentence) : said;
  const unknown = said.find(({ reason }) => reason === "not-reported" || reason === "missing");
  if (unknown !== undefined) return inquiry.undetermined(unknown.reason, unknown.says);
  const behind = said.find(({ reason }) => reason === "generation-behind");
  if (behind !== undefined) return inquiry.progressing(behind.reason, behind.says);
  return inquiry.proven(
    "observed",
    `the controllers of all its parents have processed generation ${generation}`,
  );
};

const reportedReady: Rule = (given) => {
  const inquiry = new Inquiry("reported-ready");
  const { target } = given;
  const stop = sameIncarnation(inquiry, target, given.expected) ?? beingDeleted(inquiry, target);
  if (stop !== undefined) return stop;
  const said = parentsOf(inquiry, given, ["Accepted", "ResolvedRefs"]);
  if ("claim" in said) return said;
  const parents = declaredParents(target);
  const worst = worstOf([...said, ...parents.flatMap((parent) => programmed(inquiry, given, parent))]);
  if (worst !== undefined && worst.finding !== "proven")
    return inquiry[worst.finding](worst.reason, worst.says);
  for (const { name } of parents)
    inquiry.limit(`that a request is led there is shown by one alone (--via gateway/${quoted(name)})`);
  if (namedOf({ target }).backends.some(({ namespace }) => namespace !== target.namespace))
    inquiry.limit(
      "whether a ReferenceGrant allows its backends of other namespaces is its controllers' word (ResolvedRefs)",
    );
  return inquiry.proven(
    "accepted",
    `it is accepted, with all that it refers to, by ${listed(parents.map(textOf))}`,
  );
};

const declaredParents = (target: Seen): readonly Parent[] =>
  itemsAt(target.raw, ["spec", "parentRefs"]).flatMap((one) => {
    const parent = parentIn(one, target.namespace);
    return parent === undefined ? [] : [parent];
  });

/** A route is no more there than its Gateway. */
const programmed = (inquiry: Inquiry, given: Case, parent: Parent): readonly Standing[] => {
  const found = given.collection.object(RESOURCES.Gateway, parent.namespace, parent.name);
  return found.kind === "known"
    ? [
        standingOf(
          inquiry,
          { object: found.value, at: ["status", "conditions"], who: `its parent ${textOf(parent)}` },
          "Programmed",
        ),
      ]
    : [];
};

/** The Services of all its rules, but for those that get no request (weight 0). */
const namedOf = ({ target: { raw, namespace } }: Pick<Case, "target">): Named =>
  together(
    itemsAt(raw, ["spec", "rules"]).flatMap((_, rule) =>
      itemsAt(raw, ["spec", "rules", rule, "backendRefs"]).map((one, at): Named => {
        const path: Path = ["spec", "rules", rule, "backendRefs", at, "name"];
        const [name, kind, group, of] = ["name", "kind", "group", "namespace"].map((field) =>
          hint(one, [field], TEXT),
        );
        if (hint(one, ["weight"], WHOLE) === 0) return { backends: [], others: [], nameless: [] };
        const isService = (kind === undefined || kind === "Service") && (group === undefined || group === "");
        if (isService && name === undefined) return { backends: [], others: [], nameless: [path] };
        if (name === undefined || !isService)
          return {
            backends: [],
            others: [`its backend of the kind ${quoted(kind === undefined ? "Service" : kind)}`],
            nameless: [],
          };
        return {
          backends: [
            { namespace: of === undefined ? namespace : of, name, port: hint(one, ["port"], WHOLE), path },
          ],
          others: [],
          nameless: [],
        };
      }),
    ),
  );

const follows = ({ target, collection }: Pick<Case, "target" | "collection">): readonly Followed[] => [
  ...declaredParents(target)
    .filter(isGateway)
    .flatMap(({ namespace, name }): readonly Followed[] => {
      const gateway = collection.object(RESOURCES.Gateway, namespace, name);
      return [
        { resource: RESOURCES.Gateway, namespace, name },
        ...(gateway.kind === "known" ? followClass(gateway.value) : []),
      ];
    }),
  ...followBackends({ target }, namedOf),
];

export const routeRule = (resource: Resource): KindRule => ({
  resource,
  required: ["spec-observed", "reported-ready"],
  requires: requiresEndpoints(namedOf),
  follows,
  rules: {
    "spec-observed": specObserved,
    "reported-ready": reportedReady,
    "endpoints-ready": backendsReady(namedOf),
  },
});
