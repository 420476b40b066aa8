/**
 * Conditions (`status.conditions`, or another list of them), by their type. Order never matters, and a type that is there
 * twice is unreadable.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import type { Known } from "../domain/known.ts";
import { absent, known, unreadable } from "../domain/known.ts";
import type { Path } from "./read.ts";
import { dotted, fieldAt, hint, LIST, TEXT, TIME } from "./read.ts";

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

export const conditionOf = (
  object: Seen,
  type: string,
  at: Path = ["status", "conditions"],
): Known<Condition> => {
  const list = fieldAt(object.raw, at, LIST);
  if (list.kind !== "known") return list;
  const places = list.value.flatMap((one, place) => (hint(one, ["type"], TEXT) === type ? [place] : []));
  const [place, another] = places;
  if (place === undefined) return absent;
  if (another !== undefined) return unreadable(`${dotted(at)} has ${type} twice`);
  const one = list.value[place];
  const status = fieldAt(one, ["status"], TEXT);
  if (status.kind !== "known" || !["True", "False", "Unknown"].includes(status.value))
    return unreadable(`${dotted(at)}: the status of ${type} is not True, False or Unknown`);
  return known({
    type,
    status: status.value,
    reason: said(hint(one, ["reason"], TEXT)),
    message: said(hint(one, ["message"], TEXT)),
    transitionedAt: dated(hint(one, ["lastTransitionTime"], TIME)),
    updatedAt: dated(hint(one, ["lastUpdateTime"], TIME)),
    path: [...at, place],
  });
};

const said = (text: string | undefined): string => (text === undefined ? "" : text);
const dated = (at: Instant | undefined): Instant | null => (at === undefined ? null : at);
