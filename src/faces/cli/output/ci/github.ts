/**
 * Workflow commands that GitHub Actions shows as annotations, the worst first (it shows ten of each kind for a step).
 * Refuted is an error, what is not proven yet or cannot be told a warning; the exit code is what fails the step.
 */
import { printable } from "../../../../wire/redact/printable.ts";
import { printedLine } from "../line.ts";
import { placeOf, type Told, toldOf, toldOfSelection, type Verdicts } from "./verdicts.ts";

export const github = (verdicts: Verdicts): string => {
  const told = [
    ...toldOfSelection(verdicts).map((one) => ({ where: "selection", one })),
    ...verdicts.items.flatMap((report) =>
      toldOf(report).map((one) => ({ where: placeOf(report.target), one })),
    ),
  ].filter(({ one }) => one.standing === "failed" || one.standing === "open");
  const errors = told.filter(({ one }) => levelOf(one) === "error");
  const warnings = told.filter(({ one }) => levelOf(one) === "warning");
  const lines = [...errors, ...warnings].map(
    ({ where, one }) =>
      `::${levelOf(one)} title=${property(`${where}: ${one.rule} ${one.finding}`)}::${data(one.sentence)}`,
  );
  const closing = `${verdicts.verdict}: ${verdicts.statement}`;
  const notice = lines.length === 0 ? [`::notice title=asfound verify::${data(closing)}`] : [];
  return [...lines, ...notice, printedLine(printable(closing))].map((line) => `${line}\n`).join("");
};

const levelOf = ({ finding }: Told): "error" | "warning" => (finding === "refuted" ? "error" : "warning");

/** As actions/toolkit's `escapeData` has it; `printable` leaves no line break that could end the command. */
export const data = (text: string): string =>
  printable(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

export const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
