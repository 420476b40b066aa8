/** What is wrong with a command line. */
const meant = (names: readonly string[]): string =>
  names.length === 0 ? "" : `; did you mean ${names.slice(0, 3).join(" or ")}?`;

export const PARSER = {
  unreadable: "cannot be read",
  noVerb: (typed: string, near: readonly string[]) => `there is no command ${typed}${meant(near)}`,
  noFlag: (typed: string, near: readonly string[]) => `there is no flag ${typed} here${meant(near)}`,
  badValue: (name: string, why: string, typed: string) => `${name} ${why}, not ${JSON.stringify(typed)}`,
  notOneOf: (name: string, typed: string, values: string, near: string | null) =>
    `--${name} is ${values}, not ${JSON.stringify(typed)}${meant(near === null ? [] : [near])}`,
  missing: (name: string) => `${name} needs to be given with its value`,
  missingName: (name: string) => `${name} is missing`,
  tooMany: (typed: string, expected: number) =>
    `${JSON.stringify(typed)} is one word too many: ${expected === 0 ? "this command takes none" : `this command takes ${expected}`}`,
  twice: (name: string, first: string, second: string) =>
    `${name} is given twice, as ${JSON.stringify(first)} and as ${JSON.stringify(second)}; give it once`,
  noValue: (name: string) => `${name} takes no value`,
  help: (verb: string) => `see asfound ${verb}${verb === "" ? "" : " "}--help`,
  bug: "this is a fault of asfound itself; please report it with the lines below",
} as const;
