/**
 * Kinds that every Kubernetes serves and that kubectl prefers over others of that name. Knowing them saves the question
 * what the server serves, which is a large answer; a server that does not serve one says so when it is asked for it.
 */
import { RESOURCES } from "../../../domain/resource.ts";
import type { Entry } from "./catalogue.ts";

export const BUILT_IN: readonly Entry[] = Object.values(RESOURCES).flatMap(
  ({ group, version, kind, plural, short, namespaced }) =>
    version === null
      ? []
      : [
          {
            resource: { group, version, resource: plural, kind, namespaced },
            singular: kind.toLowerCase(),
            shortNames: short,
          },
        ],
);
