/**
 * The failure record's two files (seed 000): what to run again with, and what was resolved. For people: neither holds a
 * secret, and neither is evidence.
 */
import type { StepName } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";
import { RERUN_NAME, resolvedName } from "../domain/run-file.ts";
import type { Stack } from "../domain/step.ts";
import { writeStack } from "../wire/manifest/write-stack.ts";
import { storableWritten } from "./secrecy.ts";
import type { Work } from "./work.ts";

/** Written when a step stopped. The stack as it was loaded, so that it can be applied again as it was. */
export const writeRunFiles = async (work: Work, stack: Stack, step: StepName): Promise<void> => {
  const { runtime, session } = work;
  const operation = session.operation.id;
  const state = session.state(step);
  const written = stack.steps.get(step);
  if (written === undefined || state === undefined || state.failedIn !== operation) return;
  if (!work.wroteRerun.has(operation)) {
    work.wroteRerun.add(operation);
    await runtime.runFiles.write(operation, RERUN_NAME, rerunText(work, stack));
  }
  const resolved: JsonObject = {
    apiVersion: "asfound.dev/v1alpha1",
    kind: "ResolvedInputs",
    stack: stack.name,
    step,
    operation,
    inputsDigest: state.declared?.inputsDigest.digest ?? null,
    with: state.declared?.inputs ?? null,
    outputs: state.outputs,
  };
  await runtime.runFiles.write(
    operation,
    resolvedName(step),
    `${JSON.stringify(runtime.scrubber.json(resolved), null, 2)}\n`,
  );
};

const rerunText = (work: Work, stack: Stack): string => {
  const { runtime } = work;
  const steps = new Map(
    [...stack.steps].map(([name, step]) => [
      name,
      { ...step, with: storableWritten(runtime, step.with, { public: step.public, keepSecrets: false }) },
    ]),
  );
  return runtime.scrubber.text(
    writeStack({ ...stack, steps }, { directory: runtime.baseDirectory, ledger: runtime.store.location }),
  );
};
