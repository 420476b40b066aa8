/** Colours, as an addition only: whatever is coloured also has its word. */

/** SGR parameters; written here since a library that looks at the terminal itself cannot obey `--color`. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  magenta: [35, 39],
} as const;

export type Tone = keyof typeof CODES | "plain";
/** Wraps a text in a tone, or gives it back where nothing is coloured. */
export type Style = (tone: Tone, text: string) => string;

export const plainStyle: Style = (_, text) => text;

const colouredStyle: Style = (tone, text) => {
  if (tone === "plain") return text;
  const [on, off] = CODES[tone];
  return `\x1b[${on}m${text}\x1b[${off}m`;
};

interface Where {
  readonly isTTY: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly color: "auto" | "always" | "never";
}

/** https://no-color.org: NO_COLOR set and not empty means none, unless a person asks for it by the flag. */
export const styleFor = ({ isTTY, environment, color }: Where): Style => {
  if (color === "always") return colouredStyle;
  if (color === "never" || !isTTY) return plainStyle;
  return (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb"
    ? colouredStyle
    : plainStyle;
};

const STATUS_TONE: Readonly<Record<string, Tone | undefined>> = {
  complete: "green",
  retained: "cyan",
  destroyed: "dim",
  pending: "dim",
  running: "cyan",
  destroying: "cyan",
  unconfirmed: "yellow",
  unresolved: "yellow",
  error: "red",
};

export const statusTone = (status: string): Tone => STATUS_TONE[status] ?? "plain";

const CHANGE_TONE: Readonly<Record<string, Tone | undefined>> = {
  create: "green",
  update: "yellow",
  replace: "magenta",
  destroy: "red",
  "observe-first": "cyan",
  decide: "yellow",
  leave: "dim",
};

export const changeTone = (change: string): Tone => CHANGE_TONE[change] ?? "plain";

const FINDING_TONE: Readonly<Record<string, Tone | undefined>> = {
  proven: "green",
  refuted: "red",
  progressing: "cyan",
  undetermined: "yellow",
};

export const findingTone = (finding: string): Tone => FINDING_TONE[finding] ?? "plain";
