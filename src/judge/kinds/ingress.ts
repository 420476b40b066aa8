/**
 * Ingresses. Rules: networking.k8s.io/v1. Its status holds an address and no generation, so no controller ever says that it
 * has come to this spec; what is claimed is the address, and what stands behind the Services that it names.
 */
import type { JsonValue } from "../../domain/json.ts";
import type { Known } from "../../domain/known.ts";
import { RESOURCES } from "../../domain/resource.ts";
import { backendsReady, followBackends, type Named, requiresEndpoints, together } from "../backends.ts";
import type { Case, Rule } from "../case.ts";
import { sameIncarnation } from "../generation.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import type { Followed, KindRule } from "../kind-rule.ts";
import { fieldAt, hint, itemsAt, OBJECT, type Path, TEXT, valueAt, WHOLE } from "../read.ts";
import { beingDeleted } from "../whole.ts";
import { listed, nameOf, quoted } from "../words.ts";

const reportedReady: Rule = (given) => {
  const inquiry = new Inquiry("reported-ready");
  const { target } = given;
  const stop = sameIncarnation(inquiry, target, given.expected) ?? beingDeleted(inquiry, target);
  if (stop !== undefined) return stop;
  const its = classOf(inquiry, given);
  if ("finding" in its) return its;
  const addresses = itemsAt(target.raw, ["status", "loadBalancer", "ingress"]);
  if (addresses.length === 0)
    return inquiry.undetermined(
      "not-reported",
      `no controller has published an address for it${its.says}, and none ever says more of an Ingress`,
    );
  const shown = addresses.map((one, at) => {
    const field = valueAt(one, ["ip"]) === undefined ? "hostname" : "ip";
    return inquiry.need(target, ["status", "loadBalancer", "ingress", at, field], TEXT);
  });
  if (shown.includes(undefined)) return inquiry.unknown();
  inquiry.limit(
    "an Ingress's status names no generation: its address may be from before the last change of its spec",
  );
  inquiry.limit(`that its paths serve is shown by a request alone (--via ingress/${quoted(target.name)})`);
  return inquiry.proven(
    "address-published",
    `a controller has published ${listed(shown.map((one) => quoted(String(one))))} for it${its.says}`,
  );
};

interface Class {
  /** What stands behind the sentence: `; its class web is of the controller example.com/web`. */
  readonly says: string;
}

/** A class that is not there is nobody's. One by annotation, as before Kubernetes 1.18, is a name and no object. */
const classOf = (inquiry: Inquiry, { target, collection }: Case): Class | Found => {
  const named = className(target.raw);
  if (named.kind === "unreadable") {
    inquiry.miss(`${nameOf(target)} ${named.why}`);
    return inquiry.unknown();
  }
  if (named.kind !== "known") {
    const old = hint(target.raw, ["metadata", "annotations", "kubernetes.io/ingress.class"], TEXT);
    return {
      says: old === undefined ? "; it names no class" : `; its class ${quoted(old)} is named by annotation`,
    };
  }
  const name = named.value;
  const found = collection.object(RESOURCES.IngressClass, null, name);
  if (found.kind === "absent") {
    inquiry.citeAbsence(collection, RESOURCES.IngressClass, null, name);
    return inquiry.refuted("no-class", `there is no IngressClass ${quoted(name)}, so no controller takes it`);
  }
  if (found.kind !== "known") {
    inquiry.lack(`ingressclasses "${quoted(name)}"`, null, found);
    return inquiry.unknown();
  }
  const controller = inquiry.need(found.value, ["spec", "controller"], TEXT);
  return controller === undefined
    ? inquiry.unknown()
    : { says: `; its class ${quoted(name)} is of the controller ${quoted(controller)}` };
};

const className = (raw: JsonValue): Known<string> => fieldAt(raw, ["spec", "ingressClassName"], TEXT);

const backendsOf = ({ target: { raw, namespace } }: Pick<Case, "target">): Named => {
  const named = (path: Path): Named => {
    const backend = hint(raw, path, OBJECT);
    if (backend === undefined) return { backends: [], others: [], nameless: [] };
    const at: Path = [...path, "service", "name"];
    const name = hint(raw, at, TEXT);
    if (name === undefined && valueAt(backend, ["service"]) !== undefined)
      return { backends: [], others: [], nameless: [at] };
    if (name === undefined) {
      const kind = hint(backend, ["resource", "kind"], TEXT);
      return {
        backends: [],
        others: [kind === undefined ? "a backend without a Service" : `its backend ${quoted(kind)}`],
        nameless: [],
      };
    }
    const port =
      hint(backend, ["service", "port", "number"], WHOLE) ?? hint(backend, ["service", "port", "name"], TEXT);
    return { backends: [{ namespace, name, port, path: at }], others: [], nameless: [] };
  };
  return together([
    named(["spec", "defaultBackend"]),
    ...itemsAt(raw, ["spec", "rules"]).flatMap((_, rule) =>
      itemsAt(raw, ["spec", "rules", rule, "http", "paths"]).map((__, path) =>
        named(["spec", "rules", rule, "http", "paths", path, "backend"]),
      ),
    ),
  ]);
};

const follows = ({ target }: Pick<Case, "target">): readonly Followed[] => {
  const name = className(target.raw);
  return [
    ...(name.kind === "known"
      ? [{ resource: RESOURCES.IngressClass, namespace: null, name: name.value }]
      : []),
    ...followBackends({ target }, backendsOf),
  ];
};

export const ingress: KindRule = {
  resource: RESOURCES.Ingress,
  required: ["reported-ready"],
  requires: requiresEndpoints(backendsOf),
  follows,
  rules: { "reported-ready": reportedReady, "endpoints-ready": backendsReady(backendsOf) },
};
