/** `config bind --check` for people: each finding with its place, as compilers write it. */
import { type ConfigCheckInput, placed } from "../../../wire/api/config-check.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { CONFIG } from "../texts/config.ts";
import { block } from "./block.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { findingTone } from "./style.ts";

export const configCheckPage = (checked: ConfigCheckInput, advice: Advice, page: Page): readonly string[] => {
  const { findings, templates, notJudged } = checked;
  const { style } = page;
  return [
    ...findings.flatMap((finding) => {
      const { file, line, column } = placed(finding);
      const where = line === null ? file : `${file}:${line}:${column}`;
      return [
        `${printable(where)}: ${style(findingTone("refuted"), finding.rule)}`,
        `  ${printable(finding.sentence)}`,
      ];
    }),
    ...(findings.length === 0 ? [] : [""]),
    templates === 0 ? CONFIG.nothingTakes : CONFIG.checked(templates, findings.length),
    ...block(CONFIG.notJudged, notJudged, page),
    ...adviceLines(advice, page),
  ];
};
