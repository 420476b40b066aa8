/** The next safe commands, and why the others are not offered: how every report for people ends. */
import { looksSecret } from "../../../domain/secret-name.ts";
import type { Suggested } from "../../../wire/api/stack-status.ts";
import { printable } from "../../../wire/redact/printable.ts";
import type { Place } from "../flags.ts";
import { WORDS } from "../texts/words.ts";
import type { Page } from "./print.ts";

export interface Advice {
  readonly next: readonly Suggested[];
  readonly notOffered: readonly Suggested[];
}

/** The commands as they have to be typed here: with the file and the ledger that were named. */
export const located = <A extends Advice>(advice: A, place: Place & { readonly stack?: string }): A => {
  const said = [
    ...(place.file === undefined ? [] : ["-f", place.file]),
    ...(place.ledger === undefined ? [] : ["--ledger", place.ledger]),
    ...(place.stack === undefined ? [] : ["--stack", place.stack]),
    ...(place.var ?? []).flatMap(([name, value]) => [
      "--var",
      `${name}=${looksSecret(name) ? "VALUE" : value}`,
    ]),
  ];
  if (said.length === 0) return advice;
  const there = said.map(quoted).join(" ");
  const at = (one: Suggested): Suggested => ({ ...one, command: `${one.command} ${there}` });
  return { ...advice, next: advice.next.map(at), notOffered: advice.notOffered.map(at) };
};

/** As a POSIX shell takes it for one word. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

export const adviceLines = ({ next, notOffered }: Advice, { style }: Page): readonly string[] => [
  ...(next.length === 0 ? [] : ["", style("bold", WORDS.next)]),
  ...next.flatMap(({ command, why }) => [`  ${printable(command)}`, `      ${style("dim", printable(why))}`]),
  ...(notOffered.length === 0 ? [] : ["", style("bold", WORDS.notOffered)]),
  ...notOffered.map(({ command, why }) => `  ${printable(command)}: ${style("dim", printable(why))}`),
];
