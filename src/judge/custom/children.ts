/** What an object controls and has to be done before it is done itself: an AnalysisRun of a Rollout. */
import type { CustomChildren, CustomRule } from "../../domain/custom-rule.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { Resource } from "../../domain/resource.ts";
import type { Case } from "../case.ts";
import type { Found, Inquiry } from "../inquiry.ts";
import { hint, TEXT } from "../read.ts";
import { listed, nameOf, quoted } from "../words.ts";
import { isOf, SCALAR } from "./scalar.ts";

export const childResource = ({ group, kind, plural }: CustomChildren): Resource => ({
  group,
  kind,
  plural,
  short: [],
});

/** undefined: all of them are. */
export const childrenDone = (inquiry: Inquiry, given: Case, { children }: CustomRule): Found | undefined => {
  const open: string[] = [];
  const running: string[] = [];
  for (const rule of children) {
    for (const child of childrenOf(inquiry, given, rule)) {
      const value = inquiry.need(child, rule.path, SCALAR);
      if (value === undefined || rule.done.includes(value)) continue;
      (rule.progressing.includes(value) ? running : open).push(`${nameOf(child)}: ${isOf(rule.path, value)}`);
    }
  }
  if (open.length > 0)
    return inquiry.undetermined(
      "child-not-done",
      `its controller reports it done, and what it controls says otherwise: ${listed(open)}`,
    );
  if (inquiry.missing.length > 0) return inquiry.unknown();
  return running.length > 0 ? inquiry.progressing("child-running", listed(running)) : undefined;
};

const childrenOf = (inquiry: Inquiry, given: Case, rule: CustomChildren): readonly Seen[] => {
  const { target, collection } = given;
  const list = inquiry.needList(collection, childResource(rule), target.namespace);
  const { version } = rule;
  const value = version === null ? undefined : inquiry.need(target, version.path, TEXT);
  if (list === undefined || target.uid === null || (version !== null && value === undefined)) return [];
  const own = collection.controlledBy(target.uid, rule.kind).filter(({ group }) => group === rule.group);
  if (version === null) return own;
  return own.filter((child) => {
    const its = hint(child.raw, ["metadata", "labels", version.label], TEXT);
    if (its === undefined) inquiry.miss(`${nameOf(child)} metadata.labels of ${quoted(version.label)}`);
    return its === value;
  });
};
