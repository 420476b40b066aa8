/** Help as kubectl and terraform users know it: what the verb does, how it is called, each flag with its value. */
import type { Command } from "@stricli/core";
import type { Cli } from "./context.ts";
import { everywhere, place, tables, working } from "./flags.ts";
import { aligned } from "./help-lines.ts";
import { HELP } from "./texts/help.ts";

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

export const helpFor = (name: string, command: Command<Cli>): readonly string[] => {
  const { flags = {}, aliases = {}, positional } = command.parameters;
  const short = new Map(Object.entries(aliases).map(([alias, flag]) => [String(flag), alias]));
  const known = Object.entries(flags as Record<string, Flag>);
  const rows = (common: boolean) =>
    known
      .filter(([flag]) => COMMON.has(flag) === common)
      .map(([flag, its]) => [heading(flag, its, short.get(flag)), explained(its)] as const);
  const required = known.flatMap(([flag, its]) =>
    isRequired(its) ? [`--${kebab(flag)} ${valueName(its)}`] : [],
  );
  const names = positional === undefined ? [] : positionals(positional as Positional);
  const usage = ["asfound", name, ...names.map(({ usage: word }) => word), ...required, HELP.flagsUsage].join(
    " ",
  );
  return [
    command.fullDescription ?? command.brief,
    "",
    HELP.usage,
    `  ${usage}`,
    ...(names.length === 0
      ? []
      : ["", HELP.arguments, ...aligned(names.map(({ name: word, brief }) => [word, brief] as const))]),
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
