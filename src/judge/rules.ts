/** The rules that a question is judged by: asfound's own kinds, then those that were declared, then the declared ones it has. */
import type { CustomRule } from "../domain/custom-rule.ts";
import { namedAmong, type Resource } from "../domain/resource.ts";
import { ARGO_ROLLOUT } from "./custom/argo-rollout.ts";
import { customKind } from "./custom/kind.ts";
import type { KindRule } from "./kind-rule.ts";
import { KINDS, kindOf } from "./kinds.ts";

/** Declared rules that need no file; one in a file for the same kind stands in its place. */
const SHIPPED: readonly CustomRule[] = [ARGO_ROLLOUT];

export class Rules {
  readonly #declared: readonly KindRule[];

  constructor(declared: readonly CustomRule[]) {
    this.#declared = [...declared, ...SHIPPED].map(customKind);
  }

  of(target: { readonly group: string; readonly kind: string }): KindRule | undefined {
    const { group, kind } = target;
    return (
      kindOf(target) ??
      this.#declared.find(({ resource }) => resource.group === group && resource.kind === kind)
    );
  }

  /** The resource of a declared rule that a word means; undefined: of none. */
  named(word: string): Resource | undefined {
    return namedAmong(
      this.#declared.map(({ resource }) => resource),
      word,
    );
  }

  /** Every kind that has rules. */
  get kinds(): readonly string[] {
    return [...new Set([...KINDS, ...this.#declared].map(({ resource }) => resource.kind))].sort();
  }
}

const made = new WeakMap<readonly CustomRule[], Rules>();
const NONE: readonly CustomRule[] = [];

/** Made once for each set of rules. */
export const rulesOf = ({ rules = NONE }: { readonly rules?: readonly CustomRule[] | undefined }): Rules => {
  const known = made.get(rules);
  if (known !== undefined) return known;
  const all = new Rules(rules);
  made.set(rules, all);
  return all;
};
