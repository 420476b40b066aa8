/** `config bind --check` for CI: SARIF 2.1.0 with a rule for each kind of fault, and GitHub's workflow commands; each at its line. */

import { type ConfigCheckInput, placed } from "../../../../wire/api/config-check.ts";
import { CHECK_RULES } from "../../../../wire/bind/check.ts";
import { printable, printableJson } from "../../../../wire/redact/printable.ts";
import { CONFIG } from "../../texts/config.ts";
import { printedLine } from "../line.ts";
import { data, property } from "./github.ts";
import { plain } from "./sarif.ts";

export const checkSarif = ({ findings }: ConfigCheckInput, version: string): string => {
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  const document = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "asfound",
            version,
            rules: rules.map((id) => ({ id, shortDescription: { text: CHECK_RULES[id] } })),
          },
        },
        invocations: [{ executionSuccessful: true }],
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => {
          const { file, line, column } = placed(finding);
          const region = line === null ? {} : { region: { startLine: line, startColumn: column } };
          const uri = printable(file).split("/").map(encodeURIComponent).join("/");
          return {
            ruleId: finding.rule,
            ruleIndex: rules.indexOf(finding.rule),
            kind: "fail",
            level: "error",
            message: { text: plain(finding.sentence) },
            locations: [
              {
                physicalLocation: { artifactLocation: { uri }, ...region },
                logicalLocations: [{ fullyQualifiedName: printable(finding.of), kind: "resource" }],
              },
            ],
          };
        }),
      },
    ],
  };
  return `${printableJson(JSON.stringify(document, null, 2))}\n`;
};

export const checkCommands = ({ findings, templates }: ConfigCheckInput): string => {
  const lines = findings.map((finding) => {
    const { file, line, column } = placed(finding);
    const at = line === null ? "" : `,line=${line},col=${column}`;
    return `::error file=${property(file)}${at},title=${property(finding.rule)}::${data(finding.sentence)}`;
  });
  const closing = templates === 0 ? CONFIG.nothingTakes : CONFIG.checked(templates, findings.length);
  return [...lines, printedLine(closing)].map((line) => `${line}\n`).join("");
};
