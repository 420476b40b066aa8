/** The outputs that only verdicts have, each loaded when it is asked for. */
import type { VerdictListInput } from "../../../wire/api/verdict-list.ts";
import type { VerdictReportInput } from "../../../wire/api/verdict-report.ts";
import { printableJson } from "../../../wire/redact/printable.ts";
import type { Printable } from "./print.ts";

export const verdictForms = (
  given: VerdictReportInput | VerdictListInput,
): NonNullable<Printable["forms"]> => ({
  junit: async () => (await import("./ci/junit.ts")).junit(await verdictsIn(given)),
  github: async () => (await import("./ci/github.ts")).github(await verdictsIn(given)),
  markdown: () => markdownOf(given),
  sarif: async () => {
    const { sarif } = await import("./ci/sarif.ts");
    const { version } = await import("../version.ts");
    return `${printableJson(JSON.stringify(sarif(await verdictsIn(given), await version()), null, 2))}\n`;
  },
});

export const markdownOf = async (given: VerdictReportInput | VerdictListInput): Promise<string> =>
  (await import("./ci/markdown.ts")).markdown(await verdictsIn(given));

const verdictsIn = async (given: VerdictReportInput | VerdictListInput) =>
  (await import("./ci/verdicts.ts")).verdictsOf(given);
