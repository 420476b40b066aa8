/** `config trace configmap/NAME` for people: who takes something from it, in which state, and whom an edit would reach. */
import type { ConfigReference } from "../../../domain/config.ts";
import type { ConfigConsumer, ConfigConsumersInput } from "../../../wire/api/config-consumers.ts";
import type { ConfigTraceRow } from "../../../wire/api/config-trace.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { CONFIG } from "../texts/config.ts";
import { VERDICT } from "../texts/verdict.ts";
import { WORDS } from "../texts/words.ts";
import { block } from "./block.ts";
import { STATE_TONE } from "./config-trace-page.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { findingTone } from "./style.ts";
import { type Cell, table } from "./table.ts";

export const configConsumersPage = (
  given: ConfigConsumersInput,
  advice: Advice,
  page: Page,
): readonly string[] => {
  const { object, verdict, consumers } = given;
  const { style } = page;
  return [
    `${style("bold", printable(`${object.kind} ${object.namespace}/${object.name}`))}: ${style(findingTone(verdict), verdict)}`,
    printable(given.statement),
    ...(consumers.length === 0 ? [] : ["", style("bold", CONFIG.consumers), ...consumerTable(given, page)]),
    ...block(
      CONFIG.kept,
      given.kept.map(({ name, owner, revision }) => CONFIG.revision(name, owner, revision)),
      page,
    ),
    ...block(CONFIG.edit, editLines(given), page),
    ...block(VERDICT.notRead, given.unread, page),
    ...block(VERDICT.trust(given.trust.tier), given.trust.limits, page),
    ...adviceLines(advice, page),
  ];
};

const consumerTable = ({ consumers }: ConfigConsumersInput, page: Page): readonly string[] => {
  const { headers } = WORDS;
  return table(
    consumers.flatMap((one) => linesOf(one, page)),
    {
      headers: page.headers
        ? [
            headers.state,
            headers.target,
            headers.container,
            headers.keys,
            headers.delivery,
            headers.pods,
            headers.why,
          ]
        : null,
      style: page.style,
      columns: null,
    },
  );
};

/** A line for each reference in one state; in wide, of each Pod. */
const linesOf = ({ target, rows, template }: ConfigConsumer, page: Page): readonly (readonly Cell[])[] => {
  const name = `${target.kind} ${target.namespace === null ? "" : `${target.namespace}/`}${target.name}`;
  const groups = new Map<string, ConfigTraceRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([
      row.container,
      row.role,
      row.delivery,
      row.as,
      row.keys,
      row.state,
      page.wide ? row.pod : "",
    ]);
    const there = groups.get(key);
    if (there === undefined) groups.set(key, [row]);
    else there.push(row);
  }
  const running = [...groups.values()].flatMap((its) => {
    const [first] = its;
    if (first === undefined) return [];
    const pods = page.wide ? first.pod : CONFIG.inPods(new Set(its.map(({ pod }) => pod)).size);
    return [
      [
        { text: first.state, tone: STATE_TONE[first.state] },
        { text: name },
        ...placeOf(first),
        { text: pods },
        { text: first.why },
      ],
    ];
  });
  // What runs says it already.
  if (running.length > 0) return running;
  return template.map((one) => [
    { text: "-" },
    { text: name },
    ...placeOf(one),
    { text: CONFIG.template },
    { text: CONFIG.noContainer },
  ]);
};

const placeOf = ({ container, role, keys, delivery, as }: ConfigReference): readonly Cell[] => [
  { text: role === "app" ? container : `${container} (${role})` },
  { text: keys === null ? "*" : keys.join(",") },
  { text: `${delivery} ${as}`.trimEnd() },
];

const FOLLOWS: ReadonlySet<string> = new Set(["volume", "projected"]);

const editLines = ({ object, consumers }: ConfigConsumersInput): readonly string[] => {
  const rows = consumers.flatMap((one) => one.rows);
  if (rows.length === 0 || object.found !== "there") return [];
  if (object.immutable) return [CONFIG.editImmutable];
  const following = rows.filter(({ delivery }) => FOLLOWS.has(delivery)).length;
  const { start, follow } = CONFIG.editOf;
  return [
    ...(rows.length === following ? [] : [start(rows.length - following)]),
    ...(following === 0 ? [] : [follow(following)]),
  ];
};
