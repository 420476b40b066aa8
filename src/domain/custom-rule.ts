/**
 * What a rule file says of one kind of object that asfound has no rule of its own for: where its status says what, as data
 * (docs/guide/custom-kinds.md). Checked where it is read (`wire/rules/`); judged by `judge/custom/`.
 */

/** Keys into an object, from its top: `status`, `phase`. */
export type FieldPath = readonly (string | number)[];

export type Scalar = string | number | boolean;

export type ConditionStatus = "True" | "False" | "Unknown";

/** One fact that holds of an object, or does not, or cannot be told. */
export type Test =
  | {
      readonly kind: "condition";
      readonly type: string;
      readonly is: readonly ConditionStatus[];
      /** null: any. */
      readonly reasons: readonly string[] | null;
    }
  | { readonly kind: "is"; readonly path: FieldPath; readonly values: readonly Scalar[] }
  | { readonly kind: "is-not"; readonly path: FieldPath; readonly values: readonly Scalar[] }
  /** Whether something stands there; an empty list, object or text is nothing. */
  | { readonly kind: "there"; readonly path: FieldPath; readonly there: boolean }
  | { readonly kind: "same"; readonly path: FieldPath; readonly as: FieldPath }
  | { readonly kind: "other"; readonly path: FieldPath; readonly as: FieldPath };

/** What is needed to be done: said outright, so that no value that nobody thought of passes for it (V7). */
export type Need = Extract<Test, { kind: "condition" | "is" | "same" }>;

/** Holds when all its tests do. */
export interface Sign {
  readonly tests: readonly [Test, ...Test[]];
  /** What it means, for a person; null: the facts speak for themselves. */
  readonly says: string | null;
}

/** How the object says which generation its status speaks of. */
export type GenerationAt =
  | { readonly kind: "field"; readonly path: FieldPath; readonly as: "number" | "text" | "either" }
  /** Each condition says it of itself (`conditions[].observedGeneration`). */
  | { readonly kind: "conditions" }
  /** Nothing does. */
  | { readonly kind: "none" };

/** Of which version something is: by a label that has the value of a field of the object. */
export interface VersionBy {
  readonly path: FieldPath;
  readonly label: string;
}

/** How its Pods are found and counted. */
export interface CustomPods {
  /** Kinds between it and its Pods, from the top; empty: it controls them itself. */
  readonly owners: readonly string[];
  readonly selector: FieldPath;
  /** Its Pod template. */
  readonly template: FieldPath;
  /** null: old and new Pods cannot be told apart. */
  readonly version: VersionBy | null;
  readonly wanted: FieldPath;
  /** Counters, each a member of status. `total` null: there is none. */
  readonly total: string | null;
  readonly updated: string;
  readonly available: string;
}

/** Objects that it controls, and what each of them has to say before it is done itself. */
export interface CustomChildren {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** null: all that it controls. */
  readonly version: VersionBy | null;
  readonly path: FieldPath;
  readonly done: readonly Scalar[];
  readonly progressing: readonly Scalar[];
}

export interface CustomRule {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly short: readonly string[];
  /** The file that says it; null: asfound's own. */
  readonly source: string | null;
  readonly generation: GenerationAt;
  /** All hold: its controller reports it done. */
  readonly ready: readonly [Need, ...Need[]];
  /** One holds: it failed. */
  readonly failed: readonly Sign[];
  /** One holds: nothing is to be said either way. */
  readonly undetermined: readonly Sign[];
  /** One holds: it is under way. */
  readonly progressing: readonly Sign[];
  /** Where its controller says something to a person; null: nowhere. */
  readonly message: FieldPath | null;
  /** null: it has none. */
  readonly pods: CustomPods | null;
  readonly children: readonly CustomChildren[];
}
