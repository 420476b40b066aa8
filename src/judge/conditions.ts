/** Conditions (`status.conditions`), by their type. Order never matters, and a type that is there twice is unreadable. */
import type { Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import type { Known } from "../domain/known.ts";
import { absent, known, unreadable } from "../domain/known.ts";
import type { Path } from "./read.ts";
import { fieldAt, hint, LIST, TEXT, TIME } from "./read.ts";

export interface Condition {
  readonly type: string;
  readonly status: string;
  /** Absent ones are empty: a reason and a message may be left out. */
  readonly reason: string;
  readonly message: string;
  readonly transitionedAt: Instant | null;
  /** Deployments only: also moves with progress. */
  readonly updatedAt: Instant | null;
  readonly path: Path;
}

export const conditionOf = (object: Seen, type: string): Known<Condition> => {
  const list = fieldAt(object.raw, ["status", "conditions"], LIST);
  if (list.kind !== "known") return list;
  const places = list.value.flatMap((one, at) => (hint(one, ["type"], TEXT) === type ? [at] : []));
  const [at, another] = places;
  if (at === undefined) return absent;
  if (another !== undefined) return unreadable(`status.conditions has ${type} twice`);
  const one = list.value[at];
  const status = fieldAt(one, ["status"], TEXT);
  if (status.kind !== "known" || !["True", "False", "Unknown"].includes(status.value))
    return unreadable(`status.conditions[${at}].status (of ${type}) is not True, False or Unknown`);
  return known({
    type,
    status: status.value,
    reason: said(hint(one, ["reason"], TEXT)),
    message: said(hint(one, ["message"], TEXT)),
    transitionedAt: dated(hint(one, ["lastTransitionTime"], TIME)),
    updatedAt: dated(hint(one, ["lastUpdateTime"], TIME)),
    path: ["status", "conditions", at],
  });
};

const said = (text: string | undefined): string => (text === undefined ? "" : text);
const dated = (at: Instant | undefined): Instant | null => (at === undefined ? null : at);
