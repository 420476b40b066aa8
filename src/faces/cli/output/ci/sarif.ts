/**
 * SARIF 2.1.0: a rule a claim, each of which says that it is proven; so a result is what keeps a claim from being so. What
 * is proven is no result, since viewers make an alert of each. Refuted is an error; progressing and undetermined are
 * warnings; what does not count is `informational`, which has the level `none` (§3.27.10).
 */
import { CLAIMS, isClaimName } from "../../../../domain/claim.ts";
import type { JsonObject } from "../../../../domain/json.ts";
import { printable } from "../../../../wire/redact/printable.ts";
import { VERDICT } from "../../texts/verdict.ts";
import { placeOf, type Told, toldOf, toldOfSelection, type Verdicts } from "./verdicts.ts";

export const sarif = (verdicts: Verdicts, version: string): JsonObject => {
  const found = [
    ...verdicts.items.flatMap((report) =>
      toldOf(report).map((one) => ({ one, where: placeOf(report.target), source: fileOf(report) })),
    ),
    ...toldOfSelection(verdicts).map((one) => ({ one, where: "selection", source: null })),
  ].filter(({ one }) => one.standing !== "passed");
  const rules = [...new Set(found.map(({ one }) => one.rule))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "asfound", version, rules: rules.map(ruleOf) } },
        invocations: [{ executionSuccessful: true }],
        columnKind: "utf16CodeUnits",
        results: found.map(({ one, where, source }) => ({
          ruleId: one.rule,
          ruleIndex: rules.indexOf(one.rule),
          kind: one.standing === "not-counted" ? "informational" : "fail",
          level: levelOf(one),
          message: { text: plain(`${where}: ${one.finding}: ${one.sentence}`) },
          locations: [locationOf(where, source)],
          properties: { finding: one.finding, reason: one.reason },
        })),
        properties: { verdict: verdicts.verdict, statement: printable(verdicts.statement) },
      },
    ],
  };
};

const levelOf = ({ standing, finding }: Told): string =>
  standing === "not-counted" ? "none" : finding === "refuted" ? "error" : "warning";

const ruleOf = (id: string): JsonObject => ({
  id,
  shortDescription: { text: isClaimName(id) ? CLAIMS[id].says : VERDICT.wholeRule },
  ...(isClaimName(id) ? { help: { text: `a proof of it does not tell ${CLAIMS[id].doesNotTell}` } } : {}),
});

/** The file that a target was saved in; what a cluster was asked is no file. */
const fileOf = ({ target }: Verdicts["items"][number]): string | null => {
  const reading = target.source === null ? null : target.source.evidence;
  return reading === null || /^[A-Z]+ /.test(reading) ? null : reading;
};

const locationOf = (where: string, file: string | null): JsonObject => ({
  ...(file === null
    ? {}
    : {
        physicalLocation: {
          artifactLocation: { uri: printable(file).split("/").map(encodeURIComponent).join("/") },
        },
      }),
  logicalLocations: [{ fullyQualifiedName: printable(where), kind: "resource" }],
});

/** A plain text message makes a link of `[text](target)` (§3.11.6). */
export const plain = (text: string): string => printable(text).replaceAll("[", "\\[").replaceAll("]", "\\]");
