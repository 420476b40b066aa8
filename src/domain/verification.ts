/** What a Verification file asks: one target, what is expected of it, and which claims count (DESIGN §9). */
import type { Bystander } from "./bystander.ts";
import type { ClaimName } from "./claim.ts";
import type { ResponseExpectation } from "./response.ts";

export interface Verification {
  readonly kind: string;
  readonly name: string;
  /** null: not told. */
  readonly namespace: string | null;
  readonly expected: {
    readonly uid: string | null;
    readonly replicas: number | null;
    readonly images: ReadonlyMap<string, string>;
    readonly injected: readonly string[];
    readonly response: ResponseExpectation | null;
    /** null: none are named. */
    readonly bystanders: readonly Bystander[] | null;
  };
  readonly claims: readonly ClaimName[] | null;
  /** Rule files, as they are written: from where the file stands. */
  readonly rules: readonly string[];
}
