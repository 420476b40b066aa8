/** Pieces of sentences. Text from the cluster is cut here; the faces make it printable. */
import type { Seen } from "../domain/evidence.ts";

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** `a`, `a and b`, `a, b and c`; more than five are counted. */
export const listed = (names: readonly string[]): string => {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} more`] : names;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
};

/** A message of the cluster inside a sentence: on one line, at most 240 characters. */
export const quoted = (message: string): string => {
  const line = message.slice(0, 2_000).replace(/\s+/g, " ").trim();
  return line.length > 240 ? `${line.slice(0, 237)}...` : line;
};

/** `Pod shop/web-1`. */
export const nameOf = ({ kind, namespace, name }: Pick<Seen, "kind" | "namespace" | "name">): string =>
  `${kind} ${namespace === null ? "" : `${namespace}/`}${name}`;
