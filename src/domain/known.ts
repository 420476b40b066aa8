/**
 * How a value travels to a judgement. Never `undefined`, `0` or `[]` in disguise:
 * a value that could not be read says so and why, and a judge must look before it uses one.
 */
export type Known<T> =
  | { readonly kind: "known"; readonly value: T }
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly why: string }
  | { readonly kind: "not-asked" };

export const known = <T>(value: T): Known<T> => ({ kind: "known", value });
export const absent: Known<never> = { kind: "absent" };
export const notAsked: Known<never> = { kind: "not-asked" };
export const unreadable = (why: string): Known<never> => ({ kind: "unreadable", why });
