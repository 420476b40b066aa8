/**
 * Gateways. Rules: gateway.networking.k8s.io/v1: Accepted and Programmed of the Gateway and of each of its listeners, each
 * with the generation that it is of. Routes that are attached are said, and required of none.
 */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import { badNewsOf, type Standing, type Subject, standingOf, worstOf } from "../accepted.ts";
import type { Case, Rule } from "../case.ts";
import { controllerFor, followClass } from "../gateway-class.ts";
import { generationAsked, sameIncarnation } from "../generation.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";
import { hint, itemsAt, LIST, TEXT, WHOLE } from "../read.ts";
import { beingDeleted } from "../whole.ts";
import { counted, listed, quoted } from "../words.ts";

const itself = (object: Seen): Subject => ({ object, at: ["status", "conditions"], who: "it" });

const specObserved: Rule = (given) => {
  const inquiry = new Inquiry("spec-observed");
  const { target } = given;
  const generation = generationAsked(inquiry, given);
  if (typeof generation !== "number") return generation;
  // Whatever it says: that it is said of this generation is what counts here.
  const said = standingOf(inquiry, itself(target), "Accepted");
  if (said.reason === "generation-behind") return inquiry.progressing(said.reason, said.says);
  if (said.reason === "not-reported" || said.reason === "missing")
    return inquiry.undetermined(said.reason, said.says);
  return inquiry.proven("observed", `its controller has processed generation ${generation}`);
};

const reportedReady: Rule = (given) => {
  const inquiry = new Inquiry("reported-ready");
  const { target } = given;
  const stop = sameIncarnation(inquiry, target, given.expected) ?? beingDeleted(inquiry, target);
  if (stop !== undefined) return stop;
  const controller = controllerFor(inquiry, given, target);
  if ("finding" in controller) return controller;
  const own = (["Accepted", "Programmed"] as const).map((type) => standingOf(inquiry, itself(target), type));
  const listeners = listenersOf(inquiry, given);
  if (listeners === undefined) return inquiry.unknown();
  const worst = worstOf([...own, ...listeners]);
  if (worst === undefined || worst.finding === "proven") return proven(inquiry, given, controller);
  const whose =
    worst.reason === "not-reported"
      ? `; its class ${quoted(controller.class)} is of the controller ${quoted(controller.name)}`
      : "";
  return inquiry[worst.finding](worst.reason, `${worst.says}${whose}`);
};

const proven = (
  inquiry: Inquiry,
  { target }: Case,
  controller: { readonly class: string; readonly name: string },
): Found => {
  const addresses = itemsAt(target.raw, ["status", "addresses"]).flatMap((one) => {
    const value = hint(one, ["value"], TEXT);
    return value === undefined ? [] : [quoted(value)];
  });
  const at = addresses.length === 0 ? ", and has no address in its status" : ` at ${listed(addresses)}`;
  const attached = itemsAt(target.raw, ["status", "listeners"]).flatMap((one) => {
    const name = hint(one, ["name"], TEXT);
    const count = hint(one, ["attachedRoutes"], WHOLE);
    return name === undefined || count === undefined
      ? []
      : [`${counted(count, "route")} ${count === 1 ? "is" : "are"} attached to its listener ${quoted(name)}`];
  });
  inquiry.limit(
    `that what it listens for is answered is shown by a request alone (--via gateway/${quoted(target.name)})`,
  );
  return inquiry.proven(
    "programmed",
    [`${quoted(controller.name)} has programmed it${at}`, ...attached].join("; "),
  );
};

/** Of each listener that its spec declares; undefined: something is missing, and named. */
const listenersOf = (inquiry: Inquiry, { target }: Case): readonly Standing[] | undefined => {
  const declared = inquiry.need(target, ["spec", "listeners"], LIST);
  if (declared === undefined) return undefined;
  const names = declared.map((_, at) => inquiry.need(target, ["spec", "listeners", at, "name"], TEXT));
  if (names.includes(undefined)) return undefined;
  return (names as readonly string[]).flatMap((name) => listener(inquiry, { target }, name));
};

const listener = (inquiry: Inquiry, { target }: Pick<Case, "target">, name: string): readonly Standing[] => {
  const who = `its listener ${quoted(name)}`;
  const places = itemsAt(target.raw, ["status", "listeners"]).flatMap((one, at) =>
    hint(one, ["name"], TEXT) === name ? [at] : [],
  );
  const [place, another] = places;
  if (place === undefined || another !== undefined) {
    inquiry.miss(`status.listeners of ${who}`);
    return [
      {
        finding: "undetermined",
        reason: "not-reported",
        says:
          another === undefined ? `no controller has reported on ${who}` : `${who} is in its status twice`,
      },
    ];
  }
  inquiry.cite(target, ["status", "listeners", place, "name"]);
  const subject = { object: target, at: ["status", "listeners", place, "conditions"], who };
  return [
    ...(["Accepted", "ResolvedRefs", "Programmed"] as const).map((type) =>
      standingOf(inquiry, subject, type),
    ),
    ...badNewsOf(inquiry, subject, "Conflicted"),
  ];
};

export const gateway: KindRule = {
  resource: RESOURCES.Gateway,
  required: ["spec-observed", "reported-ready"],
  follows: ({ target }) => followClass(target),
  rules: { "spec-observed": specObserved, "reported-ready": reportedReady },
};
