/** The troubles of several Pods in one clause: the worst first, equal ones counted. */
import type { Seen } from "../domain/evidence.ts";
import type { Case } from "./case.ts";
import { isReady } from "./pod.ts";
import { type Trouble, troubleOf } from "./trouble.ts";

export interface Troubled {
  readonly pod: Seen;
  readonly trouble: Trouble;
}

/** Lasting ones first, then by name: the order of the evidence never shows. */
export const troubles = (pods: readonly Seen[], { collection, at }: Case): readonly Troubled[] =>
  pods
    .filter((pod) => !isReady(pod))
    .flatMap((pod) => {
      const trouble = troubleOf(pod, collection, at);
      return trouble === undefined ? [] : [{ pod, trouble }];
    })
    .sort(
      (a, b) => Number(b.trouble.lasting) - Number(a.trouble.lasting) || (a.pod.name < b.pod.name ? -1 : 1),
    );

/** `Pod web-1 cannot pull … (and 2 more Pods likewise)`. */
export const troubleText = (all: readonly Troubled[]): string => {
  const [first] = all;
  if (first === undefined) return "";
  const alike = all.filter(({ trouble }) => trouble.reason === first.trouble.reason).length - 1;
  const more = alike === 0 ? "" : ` (and ${alike} more likewise)`;
  return `Pod ${first.pod.name} ${first.trouble.clause}${more}`;
};
