/**
 * A provider reaches one kind of tool. It says what it can do and what it cannot know, asks what is there, and carries
 * out single calls. Its mutating methods take a `CommittedIntent`, which only the ledger can make (W1), and are called
 * by `runtime/intend.ts` alone.
 *
 * Every provider passes the conformance kit of `asfound/testing`.
 */
import type { CommittedIntent } from "../domain/committed-intent.ts";
import type { Key, OperationId, StackName, StepName } from "../domain/ids.ts";
import type { Capabilities } from "../domain/journal.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Outcome, Reading } from "../domain/outcome.ts";
import type { RetryClass } from "../domain/step.ts";

/** What is wrong with a `with`, and where: a path inside it, as keys and indexes. */
export interface InputFault {
  readonly path: readonly (string | number)[];
  /** One sentence: what, and what to do. */
  readonly message: string;
}

/** What a provider says of one step before anything is called (W5). */
export interface ProviderFacts {
  readonly can: Capabilities;
  /** The class it keeps by itself; null when only the person can know. */
  readonly retry: RetryClass | null;
  /** Globs of files it reads, relative to the stack file's folder. */
  readonly inputFiles: readonly string[];
  /** What it cannot know of this step, each one sentence for `plan`. */
  readonly cannotKnow: readonly string[];
}

export interface Question {
  readonly stack: StackName;
  readonly step: StepName;
  readonly operation: OperationId;
  readonly attempt: number;
  /** The create's key of this incarnation; null when nothing was ever sent (a first look). */
  readonly key: Key | null;
  /** All keys ever sent for this incarnation: look for each. */
  readonly keys: readonly Key[];
  readonly epoch: number;
  readonly inputs: JsonObject;
  readonly identity: { readonly id: string } | null;
  readonly outputs: JsonObject;
  readonly previousInputs: JsonObject | null;
  /** Whether a call of this step is in doubt, so that this is asked to settle it. Left out: no. */
  readonly inDoubt?: boolean;
}

/** What a call would do to one thing of a step, for a person who reads a plan. */
export interface Previewed {
  /** `refused`: the call would not be taken. `unknown`: it could not be told. */
  readonly what: "create" | "change" | "remove" | "leave" | "refused" | "unknown";
  /** `ConfigMap shop/settings` */
  readonly of: string;
  /** Each one line, without secrets: a place with what it is and what it would be, or why. */
  readonly lines: readonly string[];
}

/** What a call may use while it runs. */
export interface CallIo {
  /** The whole call, retries within it included, ends by then. */
  readonly deadlineMs: number;
  /** Aborted: stop now. A process group gets TERM, after 5 s KILL; a request is cut. The outcome is then `unknown`. */
  readonly stop: AbortSignal;
  /** W7: commits an id the moment it is known. Never throws: what the ledger cannot take now goes with the outcome. */
  identity(id: string, outputs?: JsonObject): Promise<void>;
  /** One line for the person; scrubbed and shortened by the runtime. */
  progress(text: string): void;
  /** The folder of the stack file: relative paths in `with` start here. */
  readonly baseDirectory: string;
}

export interface Provider {
  readonly name: string;
  /** Pure: looks at `with` as written (references unresolved), reads nothing, calls nothing. */
  describe(inputs: JsonObject): ProviderFacts | readonly InputFault[];
  /**
   * Read only, and calls nothing: what is wrong with files that the inputs name, one sentence; undefined: nothing. Asked with
   * the inputs resolved, before there is an intent (W5).
   */
  precheck?(inputs: JsonObject, baseDirectory: string): Promise<string | undefined>;
  /** Read only. Throws never: what went wrong is a reading. */
  observe(question: Question, io: CallIo): Promise<Reading>;
  /** Read only, and throws never: what create or update would do now, told to nobody but the reader of a plan. */
  preview?(question: Question, io: CallIo): Promise<readonly Previewed[]>;
  create(intent: CommittedIntent<"create">, io: CallIo): Promise<Outcome>;
  update(intent: CommittedIntent<"update">, io: CallIo): Promise<Outcome>;
  destroy(intent: CommittedIntent<"destroy">, io: CallIo): Promise<Outcome>;
  compensate(intent: CommittedIntent<"compensate">, io: CallIo): Promise<Outcome>;
  owed(intent: CommittedIntent<"owed">, io: CallIo): Promise<Outcome>;
}

export const isFaults = (answer: ProviderFacts | readonly InputFault[]): answer is readonly InputFault[] =>
  Array.isArray(answer);
