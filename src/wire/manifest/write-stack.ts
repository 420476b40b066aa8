/**
 * A stack written back as a file, so that what was applied can be applied again: everything explicit, nothing that only
 * its first file knew. Parsing it gives the same stack again. It holds what `stack` holds, so secrets must be out of that
 * before (`keepInputs`).
 */
import { formatDuration } from "../../domain/duration.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Stack, Step } from "../../domain/step.ts";

/** `directory`: where the relative paths in it start. `ledger`: where its history is. */
export const writeStack = (
  stack: Stack,
  place: { readonly directory: string; readonly ledger: string },
): string => {
  const lines = [
    "# Written by asfound: this stack as it was loaded, its variables filled in.",
    "apiVersion: asfound.dev/v1alpha1",
    "kind: Stack",
    `metadata: { name: ${json(stack.name)}, directory: ${json(place.directory)} }`,
    `ledger: ${json(place.ledger)}`,
    stack.steps.size === 0 ? "steps: {}" : "steps:",
  ];
  for (const step of stack.steps.values()) {
    lines.push(`  ${json(step.name)}:`);
    for (const [field, value] of Object.entries(fieldsOf(step)))
      if (value !== null) lines.push(`    ${field}: ${json(value).replaceAll("\n", "\n    ")}`);
  }
  return `${lines.join("\n")}\n`;
};

/** JSON is YAML, but for a few characters that YAML wants escaped. */
const json = (value: JsonValue): string =>
  JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Every field as the file writes it; null where the field is left out. */
const fieldsOf = (step: Step): Readonly<Record<string, JsonValue>> => ({
  uses: step.uses,
  with: step.with,
  needs: unlessEmpty(step.needs),
  partOf: step.partOf,
  confirm: unlessEmpty(step.confirm),
  retry: step.retry,
  keyLifetime: formatDuration(step.keyLifetimeMs),
  settle: formatDuration(step.settleMs),
  deadline: formatDuration(step.deadlineMs),
  window: formatDuration(step.windowMs),
  files: unlessEmpty(step.files),
  onChange: step.onChange,
  retain: step.retain === null ? null : { ...step.retain },
  approve: step.approve === null ? null : { ...step.approve },
  compensate: step.compensate,
  public: unlessEmpty(step.public),
  keepSecrets: step.keepSecrets ? true : null,
  renamedFrom: step.renamedFrom,
});

const unlessEmpty = (list: readonly JsonValue[]): JsonValue => (list.length === 0 ? null : list);
