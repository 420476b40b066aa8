/**
 * The verdict over findings (DESIGN §3). Laws: any refuted one, required or not, refutes (a default hides nothing); then
 * any required undetermined, then any required progressing; proven is only what is left. No required claim proves nothing.
 */
import type { ExitCode } from "./exit.ts";
import { EXIT } from "./exit.ts";
import type { Finding, Judgement } from "./finding.ts";

export const verdictOf = (findings: readonly Pick<Finding, "finding" | "required">[]): Judgement => {
  if (findings.some(({ finding }) => finding === "refuted")) return "refuted";
  const required = findings.filter((one) => one.required);
  if (required.length === 0) return "undetermined";
  for (const judgement of ["undetermined", "progressing"] as const)
    if (required.some(({ finding }) => finding === judgement)) return judgement;
  return "proven";
};

export const EXIT_OF_VERDICT: Readonly<Record<Judgement, ExitCode>> = {
  proven: EXIT.proven,
  refuted: EXIT.refuted,
  undetermined: EXIT.undetermined,
  progressing: EXIT.progressing,
};
