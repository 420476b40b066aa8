/**
 * A stack written in TypeScript: `export const stack = defineStack({ … })`, in `asfound.ts`. The types are the stack
 * file's format; the same schema checks the object when it is loaded.
 */
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** As Go writes them: `500ms`, `30s`, `1h30m`. */
type Duration = string;

export interface StepDefinition {
  /** The provider that carries this step out. */
  readonly uses: string;
  /** The provider's inputs; references (`${steps.NAME.outputs.KEY}` and the others) work in every value. */
  readonly with?: { readonly [key: string]: Json };
  /** Steps that must be complete before this one runs; references to outputs imply it. */
  readonly needs?: readonly string[];
  /** The step that contains this one: gone only when that one is proven gone. */
  readonly partOf?: string;
  /** Claims that must be proven for the step to be complete. Not in this version yet. */
  readonly confirm?: readonly (string | { readonly [key: string]: Json })[];
  /** What may be sent again while an earlier attempt is in doubt. Default: what the provider knows, else `once`. */
  readonly retry?: "once" | "named" | "keyed" | "idempotent";
  /** Default 24h. */
  readonly keyLifetime?: Duration;
  /** How long after a call ended the provider may still show the old picture. Default 30s. */
  readonly settle?: Duration;
  /** Of one call. Default 10m. */
  readonly deadline?: Duration;
  /** For `confirm`. Default 5m. */
  readonly window?: Duration;
  /** Globs of input files, relative to the stack file's folder. */
  readonly files?: readonly string[];
  readonly onChange?: "update" | "replace";
  readonly retain?: { readonly owner: string; readonly reason: string; readonly reviewBy: string };
  readonly approve?: {
    readonly before: "create" | "update" | "destroy" | "any";
    readonly by: readonly string[];
  };
  readonly compensate?: { readonly uses?: string; readonly with: { readonly [key: string]: Json } };
  /** Input and output keys that look secret but are not. */
  readonly public?: readonly string[];
  /** Keep secret outputs encrypted with the ledger's key. */
  readonly keepSecrets?: boolean;
  readonly renamedFrom?: string;
}

export interface StackDefinition {
  readonly apiVersion: "asfound.dev/v1alpha1";
  readonly kind: "Stack";
  readonly metadata: { readonly name: string; readonly directory?: string };
  /** A path relative to the file, or a `postgres://` URL. */
  readonly ledger?: string;
  readonly steps: { readonly [name: string]: StepDefinition };
}

/** Gives the object back, with its type checked. */
export const defineStack = (stack: StackDefinition): StackDefinition => stack;
