/** GatewayClasses: which controller a Gateway is for (gateway.networking.k8s.io GatewayClass, spec.controllerName). */
import type { Seen } from "../domain/evidence.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { Case } from "./case.ts";
import type { Found, Inquiry } from "./inquiry.ts";
import type { Followed } from "./kind-rule.ts";
import { hint, TEXT } from "./read.ts";
import { nameOf, quoted } from "./words.ts";

export type Controller = { readonly class: string; readonly name: string } | Found;

/** A class that is not there is nobody's: refuted. One that could not be read leaves open who is meant. */
export const controllerFor = (
  inquiry: Inquiry,
  { collection }: Pick<Case, "collection">,
  gateway: Seen,
): Controller => {
  const name = inquiry.need(gateway, ["spec", "gatewayClassName"], TEXT);
  if (name === undefined) return inquiry.unknown();
  const found = collection.object(RESOURCES.GatewayClass, null, name);
  if (found.kind === "absent") {
    inquiry.citeAbsence(collection, RESOURCES.GatewayClass, null, name);
    return inquiry.refuted(
      "no-class",
      `there is no GatewayClass ${quoted(name)}, so no controller takes ${nameOf(gateway)}`,
    );
  }
  if (found.kind !== "known") {
    inquiry.lack(`gatewayclasses.gateway.networking.k8s.io "${quoted(name)}"`, null, found);
    return inquiry.unknown();
  }
  const controller = inquiry.need(found.value, ["spec", "controllerName"], TEXT);
  return controller === undefined ? inquiry.unknown() : { class: name, name: controller };
};

export const followClass = (gateway: Pick<Seen, "raw">): readonly Followed[] => {
  const name = hint(gateway.raw, ["spec", "gatewayClassName"], TEXT);
  return name === undefined ? [] : [{ resource: RESOURCES.GatewayClass, namespace: null, name }];
};
