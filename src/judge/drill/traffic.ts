/** Who would still answer without one Pod: the ready endpoints of each Service that selects it, by UID. */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import { type Collection, controllerOf } from "../collection.ts";
import { FLAG, hint, itemsAt, TEXT, valueAt } from "../read.ts";
import { labelsOf, serviceSelects } from "../selector.ts";

export interface Left {
  readonly service: string;
  /** Ready endpoints of other Pods; null: not known, and `why` says why. */
  readonly ready: number | null;
  readonly why: string | null;
}

/** null: Services were not read; `why` is a clause. */
export const leftWithout = (
  collection: Collection,
  pod: Seen,
): readonly Left[] | { readonly why: string } => {
  const services = collection.list(RESOURCES.Service, pod.namespace);
  if (services.kind !== "known")
    return { why: services.kind === "unreadable" ? services.why : "Services were not asked for" };
  const labels = labelsOf(pod.raw, "metadata", "labels");
  return services.value.objects
    .filter((one) => serviceSelects(labelsOf(one.raw, "spec", "selector"), labels))
    .map((service) => leftOf(collection, service, pod))
    .sort((a, b) => (a.service < b.service ? -1 : 1));
};

const leftOf = (collection: Collection, service: Seen, pod: Seen): Left => {
  const slices = collection.list(RESOURCES.EndpointSlice, pod.namespace);
  if (slices.kind !== "known")
    return {
      service: service.name,
      ready: null,
      why: slices.kind === "unreadable" ? slices.why : "EndpointSlices were not asked for",
    };
  const its = slices.value.objects.filter(
    (slice) =>
      labelsOf(slice.raw, "metadata", "labels").get("kubernetes.io/service-name") === service.name &&
      controllerOf(slice)?.uid === service.uid,
  );
  const others = new Set(
    its.flatMap(({ raw }) =>
      itemsAt(raw, ["endpoints"]).flatMap((endpoint) => {
        const uid = hint(endpoint, ["targetRef", "uid"], TEXT);
        // discovery.k8s.io/v1: what is not told counts as ready; a terminating one never is.
        const isReady =
          valueAt(endpoint, ["conditions", "ready"]) !== false &&
          hint(endpoint, ["conditions", "terminating"], FLAG) !== true;
        return isReady && uid !== undefined && uid !== pod.uid ? [uid] : [];
      }),
    ),
  );
  return { service: service.name, ready: others.size, why: null };
};
