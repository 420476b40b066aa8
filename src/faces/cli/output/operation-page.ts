/** What an operation came to, for people: its summary, then the stack as it is now. */
import type { ExitCode } from "../../../domain/exit.ts";
import { EXIT_MEANING } from "../../../domain/exit.ts";
import type { DoneInput } from "../../../wire/api/operation.ts";
import type { StackStatusInput } from "../../../wire/api/stack-status.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { WORDS } from "../texts/words.ts";
import type { Page } from "./print.ts";
import { statusPage } from "./status-page.ts";

export const operationPage = (
  done: DoneInput,
  status: StackStatusInput | null,
  page: Page,
): readonly string[] => {
  const { style } = page;
  const exit = done.exit as ExitCode;
  const verb = WORDS.operation(done.operation.verb, done.operation.id);
  const came = exit === 0 ? [] : [WORDS.exitIs(exit, EXIT_MEANING[exit])];
  return [
    `${style("bold", printable(verb))}: ${printable(done.summary)}`,
    ...came,
    ...stops(done),
    ...(done.notes.length === 0 ? [] : ["", style("bold", WORDS.notes)]),
    ...done.notes.map((note) => `  ${printable(note)}`),
    ...(status === null ? [] : ["", ...statusPage(status, page)]),
  ];
};

/** Why steps were not gone through with; what the table of the status cannot tell. */
const stops = (done: DoneInput): readonly string[] =>
  [...done.endings].flatMap(([step, ending]) =>
    ending.kind === "stopped" ? [`  ${printable(step)}: ${printable(ending.why)}`] : [],
  );
