/**
 * Command lines as people type them, in the one form that the parser reads: `help VERB` is `VERB --help`, a short flag
 * may carry its value (`-ojson`), and flags that every verb has may stand before the verb.
 */

/** Short flags that take a value. */
const WITH_VALUE = "fon";
/** Long flags that take a value and may come before the verb. */
const LEADING = new Set([
  "--file",
  "--ledger",
  "--var",
  "--actor",
  "--reason",
  "--output",
  "--progress",
  "--color",
]);

/** Words that have verbs below them and are none themselves: `ledger export` is one name of two words. */
export const GROUPS: ReadonlySet<string> = new Set([
  "config",
  "evidence",
  "gate",
  "key",
  "lab",
  "ledger",
  "release",
  "rollback",
]);

export const normalArguments = (typed: readonly string[]): readonly string[] => {
  const [first, ...rest] = verbFirst(separated(typed));
  if (first !== "help") return first === undefined ? ["--help"] : [first, ...rest];
  return [...rest.filter((word) => !word.startsWith("-")), "--help"];
};

/** `-ojson` and `-o=json` as `-o json`; what follows `--` stays as it is. */
const separated = (typed: readonly string[]): readonly string[] => {
  const end = typed.indexOf("--");
  const before = end < 0 ? typed : typed.slice(0, end);
  const joined = new RegExp(`^-([${WITH_VALUE}])=?(.+)$`, "s");
  const apart = before.flatMap((word) => {
    const match = joined.exec(word);
    return match === null ? [word] : [`-${match[1]}`, String(match[2])];
  });
  return end < 0 ? apart : [...apart, ...typed.slice(end)];
};

const verbFirst = (typed: readonly string[]): readonly string[] => {
  let at = 0;
  for (let word = typed[at]; word?.startsWith("-") && !STAYS.has(word); word = typed[at])
    at += takesNext(word) ? 2 : 1;
  const verb = typed[at];
  if (at === 0 || verb === undefined) return typed;
  return [verb, ...typed.slice(at + 1), ...typed.slice(0, at)];
};

const STAYS = new Set(["--help", "-h", "--version", "-v", "--"]);

const takesNext = (word: string): boolean =>
  LEADING.has(word) || (word.length === 2 && WITH_VALUE.includes(word.charAt(1)));
