/** Prints a result in the format that was asked for. stdout holds nothing else (DESIGN §7). */
import type { JsonObject } from "../../../domain/json.ts";
import { isUnsafe, printableJson } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Everywhere, Format, Printed } from "../flags.ts";
import { jsonPieces, type Long } from "./json-pieces.ts";
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
  /** `short`: without the items of `long()`. */
  json(short?: boolean): JsonObject;
  /** Of `json()`, a member that is too long to be held as a whole; it is empty in `json(true)`. */
  long?(): Long;
  /** The lines after the first of `-o jsonl`. */
  stream?(): Iterable<JsonObject>;
  names?(): readonly string[];
  /** Forms that this result alone has, by the output's name. */
  readonly forms?: Readonly<Partial<Record<Format, () => string | Promise<string>>>>;
}

export type PrintFlags = Everywhere & Printed;

export const print = async (cli: Cli, flags: PrintFlags, result: Printable): Promise<void> => {
  const { out } = cli.terminal;
  for (const piece of await rendered(cli, flags, result)) {
    out.write(piece);
    await out.ready();
  }
};

/** In pieces, each made when the one before is written. */
const rendered = async (cli: Cli, flags: PrintFlags, result: Printable): Promise<Iterable<string>> => {
  switch (flags.output) {
    case "json":
      return asJson(result);
    case "yaml":
      return [await toYaml(result.json())];
    case "jsonl":
      return toLines(result.json(true), result.stream?.() ?? []);
    case "name":
      return [lines(result.names?.() ?? [])];
    default: {
      const form = result.forms?.[flags.output];
      if (form !== undefined) return [await form()];
      return [lines(result.page(pageOn(cli, flags, "out")))];
    }
  }
};

function* asJson(result: Printable): Generator<string> {
  const long = result.long?.();
  if (long === undefined) yield printableJson(JSON.stringify(result.json(), null, 2));
  else for (const piece of jsonPieces(result.json(true), long)) yield printableJson(piece);
  yield "\n";
}

const lines = (all: readonly string[]): string => all.map((line) => `${printedLine(line)}\n`).join("");

/** The first line names what follows, so that a reader of the stream knows it has the right one. */
function* toLines(json: JsonObject, stream: Iterable<JsonObject>): Generator<string> {
  const line = (value: JsonObject): string => lines([printableJson(JSON.stringify(value))]);
  yield line({ apiVersion: json["apiVersion"] ?? null, kind: `${json["kind"]}Stream`, version: 1 });
  for (const value of stream) yield line(value);
}

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
