/** Prints a result in the format that was asked for. stdout holds nothing else (DESIGN §7). */
import type { JsonObject } from "../../../domain/json.ts";
import { isUnsafe, printableJson } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Everywhere, Format, Printed } from "../flags.ts";
import { printedLine } from "./line.ts";
import { type Style, styleFor } from "./style.ts";

/** What a page for people needs to know of where it is shown. */
export interface Page {
  readonly style: Style;
  /** null: nothing is cut. */
  readonly columns: number | null;
  readonly headers: boolean;
  readonly wide: boolean;
}

/** One result in all the forms it has; each is made only when it is asked for. */
export interface Printable {
  page(page: Page): readonly string[];
  json(): JsonObject;
  /** The lines after the first of `-o jsonl`. */
  stream?(): readonly JsonObject[];
  names?(): readonly string[];
  /** Forms that this result alone has, by the output's name. */
  readonly forms?: Readonly<Partial<Record<Format, () => string | Promise<string>>>>;
}

export type PrintFlags = Everywhere & Printed;

export const print = async (cli: Cli, flags: PrintFlags, result: Printable): Promise<void> => {
  cli.terminal.out.write(await rendered(cli, flags, result));
};

const rendered = async (cli: Cli, flags: PrintFlags, result: Printable): Promise<string> => {
  switch (flags.output) {
    case "json":
      return `${printableJson(JSON.stringify(result.json(), null, 2))}\n`;
    case "yaml":
      return toYaml(result.json());
    case "jsonl":
      return toLines(result.json(), result.stream?.() ?? []);
    case "name":
      return lines(result.names?.() ?? []);
    default: {
      const form = result.forms?.[flags.output];
      if (form !== undefined) return form();
      return lines(result.page(pageOn(cli, flags, "out")));
    }
  }
};

const lines = (all: readonly string[]): string => all.map((line) => `${printedLine(line)}\n`).join("");

/** The first line names what follows, so that a reader of the stream knows it has the right one. */
const toLines = (json: JsonObject, stream: readonly JsonObject[]): string => {
  const first = { apiVersion: json["apiVersion"] ?? null, kind: `${json["kind"]}Stream`, version: 1 };
  return lines([first, ...stream].map((value) => printableJson(JSON.stringify(value))));
};

const toYaml = async (json: JsonObject): Promise<string> => {
  const { Document, visit } = await import("yaml");
  const document = new Document(json, { aliasDuplicateObjects: false, version: "1.2" });
  // Only double quotes can hold an escape.
  visit(document, {
    Scalar: (_, scalar) => {
      const { value } = scalar;
      // A block of lines would begin each of them with what is in it.
      if (typeof value === "string" && (isUnsafe(value) || value.includes("\n")))
        scalar.type = "QUOTE_DOUBLE";
    },
  });
  return printableJson(document.toString({ lineWidth: 0 }));
};

export const pageOn = (cli: Cli, flags: PrintFlags, where: "out" | "err"): Page => {
  const sink = cli.terminal[where];
  const wide = flags.output === "wide";
  return {
    style: styleFor({ isTTY: sink.isTTY, environment: cli.terminal.environment, color: flags.color }),
    columns: wide || !sink.isTTY ? null : sink.columns,
    headers: !flags.noHeaders,
    wide,
  };
};
