/** The list of verbs, of asfound or of a group of them. Text alone: nothing is loaded for it but texts. */
import { aligned } from "./help-lines.ts";
import { HELP } from "./texts/help.ts";
import { APP_BRIEF, VERB, type VerbText } from "./texts/verbs.ts";

const TEXTS: Readonly<Record<string, VerbText | undefined>> = VERB;

/** `group`: no word, or the one that names a group. */
export const helpList = (group: readonly string[]): readonly string[] => {
  const [name] = group;
  return name === undefined ? everything() : oneGroup(name);
};

const usage = (words: readonly string[]): readonly string[] => [
  "",
  HELP.usage,
  `  ${["asfound", ...words, HELP.mapUsage].join(" ")}`,
];

const everything = (): readonly string[] => [
  APP_BRIEF,
  ...usage([]),
  ...Object.entries(HELP.groups).flatMap(([title, names]) => [
    "",
    title,
    ...aligned(names.map((name) => [name, TEXTS[name]?.brief ?? ""] as const)),
  ]),
  "",
  HELP.more(""),
];

const oneGroup = (group: string): readonly string[] => {
  const below = Object.entries(VERB).filter(([name]) => name.startsWith(`${group} `));
  return [
    TEXTS[group]?.full ?? "",
    ...usage([group]),
    "",
    HELP.commands,
    ...aligned(below.map(([name, { brief }]) => [name.slice(group.length + 1), brief] as const)),
    "",
    HELP.more(group),
  ];
};
