/**
 * A report as one HTML file that holds no script, loads nothing and forbids both to whatever got into it: all text is escaped, and
 * made printable first.
 */
import { printable } from "../../../wire/redact/printable.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapedHtml = (text: string): string =>
  printable(text).replace(/[&<>"']/g, (character) => ESCAPES[character] as string);

const STYLE =
  "body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}th,td{border:1px solid #bbb;padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}th{background:#eee}";

export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | {
      readonly kind: "table";
      readonly headers: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export const htmlPage = (title: string, sections: readonly Section[]): string =>
  `${[
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapedHtml(title)}</title><style>${STYLE}</style></head><body>`,
    `<h1>${escapedHtml(title)}</h1>`,
    ...sections.flatMap((section) => [
      ...(section.title === "" ? [] : [`<h2>${escapedHtml(section.title)}</h2>`]),
      ...section.blocks.map(blockOf),
    ]),
    "</body></html>",
  ].join("\n")}\n`;

const blockOf = (block: Block): string => {
  switch (block.kind) {
    case "text":
      return `<p>${escapedHtml(block.text)}</p>`;
    case "list":
      return `<ul>${block.items.map((item) => `<li>${escapedHtml(item)}</li>`).join("")}</ul>`;
    case "table":
      return `<table><tr>${cells("th", block.headers)}</tr>${block.rows.map((row) => `<tr>${cells("td", row)}</tr>`).join("")}</table>`;
  }
};

const cells = (tag: string, texts: readonly string[]): string =>
  texts.map((text) => `<${tag}>${escapedHtml(text)}</${tag}>`).join("");
