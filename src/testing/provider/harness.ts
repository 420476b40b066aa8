/**
 * One step over a provider under test: apply, reconcile and destroy it through the real use cases and a ledger in
 * memory, with faults on request. What the ledger believes after each is told, so that a test compares it with what its
 * tool really holds.
 */
import { resolve } from "node:path";
import { stackName } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Provider } from "../../ports/provider.ts";
import type { ProgressEvent } from "../../ports/reporter.ts";
import { apply } from "../../runtime/apply.ts";
import { describeStack } from "../../runtime/describe.ts";
import { destroy } from "../../runtime/destroy.ts";
import type { Done } from "../../runtime/operation.ts";
import { reconcile } from "../../runtime/reconcile.ts";
import { isRefused, type Refused } from "../../runtime/runtime.ts";
import { type StepReport, statusOf } from "../../runtime/status.ts";
import { digestOf } from "../../wire/digest.ts";
import type { StackDefinition, StepDefinition } from "../../wire/manifest/define-stack.ts";
import { parseStackObject } from "../../wire/manifest/parse.ts";
import { type Faulty, faulty } from "./faulty.ts";
import { memoryRuntime } from "./memory-runtime.ts";

export interface HarnessOptions {
  readonly provider: Provider;
  /** The step's inputs. */
  readonly with: JsonObject;
  /** Other fields of the step. `settle` is 200ms and `deadline` 5s unless given, so that a test need not wait for minutes. */
  readonly step?: Omit<StepDefinition, "uses" | "with" | "needs" | "partOf">;
  /** Where relative paths in `with` start; default: the working directory. */
  readonly directory?: string;
  /** What `${secret.env.NAME}` is read from; default: nothing. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly onProgress?: (event: ProgressEvent) => void;
}

/** How one operation ended, and what the ledger believes of the step since. */
export interface After {
  /** As on the command line. */
  readonly exit: number;
  /** Why the operation did not begin, or how the step ended short of complete; else its status's reason. */
  readonly why: string;
  readonly step: StepReport;
}

export interface Harness extends Pick<Faulty, "calls" | "readings" | "breakNext" | "breakReadings"> {
  /** With today's inputs, or others; the last given stay. */
  apply(inputs?: JsonObject): Promise<After>;
  reconcile(): Promise<After>;
  destroy(): Promise<After>;
  status(): Promise<StepReport>;
}

const STACK = stackName("harness");
const STEP = "thing";
const OPTIONS = { only: [], allowDestroy: false, failFast: false, parallelism: 1 } as const;

export const harness = (options: HarnessOptions): Harness => {
  const broken = faulty(options.provider);
  const runtime = memoryRuntime({
    provider: broken.provider,
    directory: resolve(options.directory ?? "."),
    environment: options.environment ?? {},
    onProgress: options.onProgress ?? (() => undefined),
  });
  let inputs = options.with;

  const status = async (): Promise<StepReport> => {
    const report = await statusOf(runtime, STACK);
    const step = report?.steps.find((one) => one.step === STEP);
    if (step === undefined) throw new Error("nothing was applied through this harness yet");
    return step;
  };
  const after = async (ended: Done | Refused): Promise<After> => {
    const step = await status();
    if (isRefused(ended)) return { exit: ended.exit, why: ended.why, step };
    const [ending] = ended.endings.values();
    return { exit: ended.exit, why: ending?.kind === "stopped" ? ending.why : step.reason, step };
  };
  const common = { stack: STACK, stackId: null, file: null, reason: null, leaseWaitMs: 0 };

  return {
    calls: broken.calls,
    readings: broken.readings,
    breakNext: broken.breakNext,
    breakReadings: broken.breakReadings,
    status,
    apply: async (changed) => {
      inputs = changed ?? inputs;
      const today = await todayOf(runtime, definition(options, inputs));
      return after(
        await apply(runtime, {
          ...today,
          stackId: null,
          options: OPTIONS,
          reason: null,
          leaseWaitMs: 0,
          plan: null,
        }),
      );
    },
    reconcile: async () =>
      after(await reconcile(runtime, { ...common, parallelism: 1, wait: true, endSurvivors: false })),
    destroy: async () => after(await destroy(runtime, { ...common, fileDigest: null, options: OPTIONS })),
  };
};

const definition = (options: HarnessOptions, inputs: JsonObject): StackDefinition => ({
  apiVersion: "asfound.dev/v1alpha1",
  kind: "Stack",
  metadata: { name: STACK },
  steps: {
    [STEP]: { settle: "200ms", deadline: "5s", ...options.step, uses: options.provider.name, with: inputs },
  },
});

const todayOf = async (runtime: Parameters<typeof describeStack>[0], written: StackDefinition) => {
  const parsed = await parseStackObject(written, { file: "(harness)", vars: new Map() });
  if ("faults" in parsed) throw new Error(sentences(parsed.faults));
  const described = await describeStack(runtime, parsed.stack);
  if ("faults" in described) throw new Error(sentences(described.faults));
  return { stack: parsed.stack, described: described.steps, fileDigest: digestOf(parsed.written) };
};

const sentences = (faults: readonly { readonly message: string }[]): string =>
  `the step is not valid: ${faults.map((fault) => fault.message).join("; ")}`;
