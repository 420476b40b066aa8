/** In what two readings of a release differ. What one of them does not tell is a difference: nothing shows that it is the same. */
import type { Changed, GateSubject } from "../../domain/gate-decision.ts";

export interface SubjectChange {
  readonly what: Changed;
  /** A clause: from what to what. */
  readonly sentence: string;
}

export const changedBetween = (was: GateSubject, is: GateSubject): readonly SubjectChange[] => [
  ...one("UID", was.uid, is.uid),
  ...one("generation", was.generation, is.generation),
  ...one("template", short(was.template), short(is.template), was.template === is.template),
  ...several("image", was.images, is.images, (digests) => [...digests].sort().map(short).join(" ")),
  ...several("config", was.config, is.config, (digest) => digest),
  ...one("revision", was.revisions.map(short).join(" "), is.revisions.map(short).join(" ")),
];

const short = (text: string | null): string | null =>
  text === null ? null : text.replace(/^sha256:/, "").slice(0, 12);

const said = (value: string | number | null): string =>
  value === null || value === "" ? "not told" : String(value);

const one = (
  what: Changed,
  was: string | number | null,
  is: string | number | null,
  same: boolean = was === is,
): readonly SubjectChange[] =>
  same ? [] : [{ what, sentence: `its ${what} was ${said(was)}, and is ${said(is)}` }];

const several = <T>(
  what: Changed,
  was: ReadonlyMap<string, T>,
  is: ReadonlyMap<string, T>,
  text: (value: T) => string,
): readonly SubjectChange[] =>
  [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((name) => {
    const [before, after] = [was.get(name), is.get(name)];
    const [from, to] = [
      before === undefined ? "not there" : text(before),
      after === undefined ? "not there" : text(after),
    ];
    return from === to ? [] : [{ what, sentence: `${what} of ${name} was ${from}, and is ${to}` }];
  });
