/** Whether an object of config can be brought back from the release's own bytes, where the person asked for that. */

import type { ReleasedConfig } from "../../domain/release.ts";
import { FLAG, hint } from "../read.ts";
import type { Given } from "./given.ts";
import type { Need } from "./needs.ts";

export const recordedOf = ({ target }: Given, { kind, name }: Need): ReleasedConfig | undefined =>
  target.release?.config.find((one) => one.kind === kind && one.name === name);

export type Restoring = "make" | "write-back" | "never" | "asked-for";

/**
 * `make`, `write-back`: it is done. `asked-for`: it could be, and nobody asked for it. `never`: nothing holds its bytes (a
 * Secret's are never kept), or it is immutable and another object stands in its place.
 */
export const restoringOf = (given: Given, need: Need): Restoring => {
  const recorded = recordedOf(given, need);
  if (recorded === undefined || recorded.content === null) return "never";
  if (need.source.kind === "absent") return given.means.restoreConfig ? "make" : "asked-for";
  if (need.source.kind !== "known" || hint(need.source.value.raw, ["immutable"], FLAG) === true)
    return "never";
  return given.means.restoreConfig ? "write-back" : "asked-for";
};
