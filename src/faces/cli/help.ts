/** Help as kubectl and terraform users know it: what the verb does, how it is called, each flag with its value. */
import type { Command, RouteMap } from "@stricli/core";
import { app } from "./app.ts";
import type { Cli } from "./context.ts";
import { everywhere, place, tables, working } from "./flags.ts";
import { HELP } from "./texts/help.ts";

type RoutingTarget<C extends Cli> = Command<C> | RouteMap<C>;

/** What the parser knows of a flag, whatever its kind. */
interface Flag {
  readonly kind: string;
  readonly brief: string;
  readonly placeholder?: string;
  readonly optional?: boolean;
  readonly default?: unknown;
  readonly variadic?: boolean | string;
  readonly values?: readonly string[];
}

/** The help of what the words name, or undefined where they name nothing. */
export const helpFor = (words: readonly string[]): readonly string[] | undefined => {
  let target: RoutingTarget<Cli> = app.root as RoutingTarget<Cli>;
  const path: string[] = [];
  for (const word of words) {
    if (!isMap(target)) break;
    const next = target.getRoutingTargetForInput(word);
    if (next === undefined) return undefined;
    target = next;
    path.push(word);
  }
  return isMap(target) ? mapHelp(target, path) : commandHelp(target, path);
};

const isMap = (target: RoutingTarget<Cli>): target is RouteMap<Cli> => "getAllEntries" in target;

const mapHelp = (map: RouteMap<Cli>, path: readonly string[]): readonly string[] => {
  const entries = new Map(map.getAllEntries().map((entry) => [entry.name.original, entry.target.brief]));
  const listed = (names: Iterable<string>) =>
    aligned([...names].map((name) => [name, entries.get(name) ?? ""] as const));
  const head = [
    map.fullDescription ?? map.brief,
    "",
    HELP.usage,
    `  ${["asfound", ...path, HELP.mapUsage].join(" ")}`,
  ];
  if (path.length > 0)
    return [...head, "", HELP.commands, ...listed(entries.keys()), "", HELP.more(path.join(" "))];
  const groups = Object.entries(HELP.groups).map(
    ([title, names]) => [title, names.filter((name) => entries.has(name))] as const,
  );
  const grouped = new Set(groups.flatMap(([, names]) => names));
  const rest = [...entries.keys()].filter((name) => !grouped.has(name));
  return [
    ...head,
    ...groups.flatMap(([title, names]) => ["", title, ...listed(names)]),
    ...(rest.length === 0 ? [] : ["", HELP.commands, ...listed(rest)]),
    "",
    HELP.more(""),
  ];
};

const commandHelp = (command: Command<Cli>, path: readonly string[]): readonly string[] => {
  const { flags = {}, aliases = {}, positional } = command.parameters;
  const short = new Map(Object.entries(aliases).map(([alias, name]) => [String(name), alias]));
  const known = Object.entries(flags as Record<string, Flag>);
  const rows = (common: boolean) =>
    known
      .filter(([name]) => COMMON.has(name) === common)
      .map(([name, flag]) => [heading(name, flag, short.get(name)), explained(flag)] as const);
  const required = known.flatMap(([name, flag]) =>
    isRequired(flag) ? [`--${kebab(name)} ${valueName(flag)}`] : [],
  );
  const names = positional === undefined ? [] : positionals(positional as Positional);
  const usage = [
    "asfound",
    ...path,
    ...names.map(({ usage: word }) => word),
    ...required,
    HELP.flagsUsage,
  ].join(" ");
  return [
    command.fullDescription ?? command.brief,
    "",
    HELP.usage,
    `  ${usage}`,
    ...(names.length === 0
      ? []
      : ["", HELP.arguments, ...aligned(names.map(({ name, brief }) => [name, brief] as const))]),
    "",
    ...(rows(false).length === 0 ? [] : [HELP.flags, ...aligned(rows(false)), ""]),
    HELP.common,
    ...aligned([...rows(true), ["-h, --help", HELP.help]]),
  ];
};

/** Flags that most verbs have, told after those of the verb itself. */
const COMMON = new Set(Object.keys({ ...everywhere, ...place, ...tables, ...working, stack: null }));

interface Parameter {
  readonly brief: string;
  readonly placeholder?: string;
  readonly optional?: boolean;
}
type Positional =
  | { readonly kind: "tuple"; readonly parameters: readonly Parameter[] }
  | { readonly kind: "array"; readonly parameter: Parameter; readonly minimum?: number };

const positionals = (positional: Positional) => {
  const many = positional.kind === "array";
  const all = many ? [positional.parameter] : positional.parameters;
  return all.map(({ placeholder = "NAME", brief, optional }) => {
    const word = many ? `${placeholder}...` : placeholder;
    const needed = many ? (positional.minimum ?? 0) > 0 : optional !== true;
    return { name: placeholder, brief, usage: needed ? word : `[${word}]` };
  });
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const valueName = (flag: Flag): string => {
  if (flag.kind === "boolean") return "";
  return flag.placeholder ?? (flag.values ?? []).join("|");
};

const heading = (name: string, flag: Flag, alias: string | undefined): string =>
  `${alias === undefined ? "    " : `-${alias}, `}--${kebab(name)}${valueName(flag) === "" ? "" : ` ${valueName(flag)}`}`;

const isRequired = (flag: Flag): boolean => flag.optional !== true && flag.default === undefined;

const explained = (flag: Flag): string => {
  if (isRequired(flag)) return `${flag.brief} ${HELP.required}`;
  const usual =
    flag.kind === "boolean" || flag.default === undefined ? "" : ` ${HELP.usual(String(flag.default))}`;
  return `${flag.brief}${usual}`;
};

/** The second column begins at one place, unless the first is too long for that: then on the next line. */
const aligned = (rows: readonly (readonly [string, string])[]): readonly string[] => {
  const width = Math.min(30, Math.max(...rows.map(([first]) => first.length)));
  return rows.flatMap(([first, second]) =>
    first.length <= width
      ? [`  ${first.padEnd(width)}  ${second}`]
      : [`  ${first}`, `  ${" ".repeat(width)}  ${second}`],
  );
};
