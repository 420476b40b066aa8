/** The graph as text, and as drawings for Mermaid and Graphviz. Names come from outside, so each form quotes them. */

import type { GraphInput } from "../../../wire/api/graph.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { WORDS } from "../texts/words.ts";
import type { Page } from "./print.ts";
import { table } from "./table.ts";

export const graphPage = ({ steps }: GraphInput, page: Page): readonly string[] => {
  const { headers } = WORDS;
  const rows = steps.map(({ step, provider, needs, partOf, depth }) => [
    { text: `${"  ".repeat(Math.min(depth, 20))}${step}` },
    { text: provider },
    {
      text:
        [
          ...needs.filter((need) => need !== partOf),
          ...(partOf === null ? [] : [`${partOf} (part of it)`]),
        ].join(", ") || "-",
    },
  ]);
  return table(rows, {
    headers: page.headers ? [headers.step, headers.provider, headers.needs] : null,
    style: page.style,
    columns: page.columns,
  });
};

export const graphMermaid = ({ steps }: GraphInput): readonly string[] => {
  const ids = new Map(steps.map(({ step }, at) => [step, `s${at}`]));
  const label = (name: string) => printable(name).replaceAll('"', "#quot;");
  return [
    "flowchart LR",
    ...steps.map(({ step, provider }) => `  ${ids.get(step)}["${label(step)} (${label(provider)})"]`),
    ...arrows(
      { stack: "", steps },
      (from, to, part) => `  ${ids.get(from)} ${part ? "-. part .->" : "-->"} ${ids.get(to)}`,
    ),
  ];
};

export const graphDot = ({ stack, steps }: GraphInput): readonly string[] => {
  const word = (name: string) => `"${printable(name).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  return [
    `digraph ${word(stack)} {`,
    "  rankdir=LR;",
    ...steps.map(({ step }) => `  ${word(step)};`),
    ...arrows(
      { stack, steps },
      (from, to, part) => `  ${word(from)} -> ${word(to)}${part ? " [style=dashed]" : ""};`,
    ),
    "}",
  ];
};

/** From what is needed to what needs it: the order in which they run. */
const arrows = (
  { steps }: GraphInput,
  draw: (from: string, to: string, part: boolean) => string,
): readonly string[] =>
  steps.flatMap(({ step, needs, partOf }) => [
    ...needs.filter((need) => need !== partOf).map((need) => draw(need, step, false)),
    ...(partOf === null ? [] : [draw(partOf, step, true)]),
  ]);
