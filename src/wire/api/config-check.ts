/** `config bind --check -o json`: kind `ConfigCheck`. Pure; every field is always there. */
import type { JsonObject } from "../../domain/json.ts";
import type { Checked, CheckFinding } from "../bind/check.ts";
import { document } from "./document.ts";

export interface ConfigCheckInput extends Checked {
  readonly exit: number;
}

export const configCheck = ({ findings, templates, notJudged, exit }: ConfigCheckInput): JsonObject =>
  document("ConfigCheck", {
    templates,
    findings: findings.map((finding) => ({
      rule: finding.rule,
      of: finding.of,
      ...placed(finding),
      path: finding.path.join("."),
      sentence: finding.sentence,
    })),
    notJudged: [...notJudged],
    exit,
  });

/** Where it stands; null in no text. */
export const placed = ({
  manifest,
  path,
}: CheckFinding): { readonly file: string; readonly line: number | null; readonly column: number | null } => {
  const at = manifest.place(path);
  return { file: manifest.file, line: at?.line ?? null, column: at?.column ?? null };
};
