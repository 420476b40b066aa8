/** Every kind that has rules. A kind without any is undetermined, never healthy (V7). */
import type { Seen } from "../domain/evidence.ts";
import type { KindRule } from "./kind-rule.ts";
import { deployment } from "./kinds/deployment.ts";

export const KINDS: readonly KindRule[] = [deployment];

export const kindOf = ({ group, kind }: Pick<Seen, "group" | "kind">): KindRule | undefined =>
  KINDS.find(({ resource }) => resource.group === group && resource.kind === kind);
