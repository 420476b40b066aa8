/**
 * W1: no mutating call without a committed intent.
 *
 * A `CommittedIntent<A>` is the only thing a provider's mutating method takes. It cannot be written down by hand:
 * the class has a `#private` field and a private constructor, and the one function that makes it is handed out once,
 * to `runtime/ledger.ts`, when that module loads. It is single use: `open()` checks the fences right before sending
 * (N2 epoch, N5 call-by) and throws at the second call.
 */
import type { Epoch, Instant, IntentId, Key, OperationId, StackName, StepName } from "./ids.ts";
import type { JsonObject } from "./json.ts";
import type { Action } from "./step.ts";

/** Everything a provider needs for one mutating call. Secrets are resolved in here: it is never stored or shown. */
export interface Call<A extends Action = Action> {
  readonly intent: IntentId;
  readonly action: A;
  readonly stack: StackName;
  readonly step: StepName;
  readonly operation: OperationId;
  /** Counts the calls of this action for this step in this operation, from 1. */
  readonly attempt: number;
  /** The key of the create that began this incarnation. */
  readonly key: Key;
  /** All keys ever sent for this incarnation. */
  readonly keys: readonly Key[];
  readonly epoch: Epoch;
  readonly callBy: Instant;
  /** The step's `with`, resolved. */
  readonly inputs: JsonObject;
  readonly identity: { readonly id: string } | null;
  readonly outputs: JsonObject;
  /** The inputs last applied, secrets as far as they can be resolved again; null before the first. */
  readonly previousInputs: JsonObject | null;
  /** For `owed`: what is owed. Else empty. */
  readonly owes: readonly string[];
}

export type Fence = () => Promise<void>;

type Mint = <A extends Action>(call: Call<A>, fence: Fence) => CommittedIntent<A>;
let mint: Mint | undefined;

export class CommittedIntent<A extends Action> {
  readonly #call: Call<A>;
  readonly #fence: Fence;
  #opened = false;
  /** Facts that may be read before the call, for messages. */
  readonly action: A;
  readonly step: StepName;
  readonly id: IntentId;

  private constructor(call: Call<A>, fence: Fence) {
    this.#call = call;
    this.#fence = fence;
    this.action = call.action;
    this.step = call.step;
    this.id = call.intent;
  }

  static {
    mint = (call, fence) => new CommittedIntent(call, fence);
  }

  /** True once `open()` was asked for: from then on a call may have been sent. */
  get opened(): boolean {
    return this.#opened;
  }

  /**
   * Hands out the call, once. Call it directly before sending: it throws `NotSent` when the call-by has passed or
   * another operation has taken the stack over, and an ordinary Error when it was opened before.
   */
  async open(): Promise<Call<A>> {
    if (this.#opened)
      throw new Error(`intent ${this.id} was already used for a call; a second one is never sent`);
    this.#opened = true;
    await this.#fence();
    return this.#call;
  }
}

/** The one mint. The second to ask gets an error, so no other module can make intents even at run time. */
export const claimMint = (): Mint => {
  const claimed = mint;
  if (claimed === undefined) throw new Error("intents are minted in runtime/ledger.ts only");
  mint = undefined;
  return claimed;
};
