/** Values that a declared rule compares: a text, a number, true or false. */
import type { FieldPath, Scalar } from "../../domain/custom-rule.ts";
import type { Shape } from "../read.ts";
import { dotted, TEXT, WHOLE } from "../read.ts";
import { quoted } from "../words.ts";

export const SCALAR: Shape<Scalar> = {
  what: "a text, a number, or true or false",
  read: (value) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined,
};

/** Generations that a controller writes as a text. */
const DIGITS: Shape<number> = {
  what: "a whole number written as a text",
  read: (value) => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : undefined),
};

const EITHER: Shape<number> = {
  what: "a whole number, or one written as a text",
  read: (value) => {
    const number = WHOLE.read(value);
    return number === undefined ? DIGITS.read(value) : number;
  },
};

export const GENERATION: Readonly<Record<"number" | "text" | "either", Shape<number>>> = {
  number: WHOLE,
  text: DIGITS,
  either: EITHER,
};

/** What a field that is compared with these has to be. */
export const ofTheirType = (values: readonly Scalar[]): Shape<Scalar> => {
  const types = new Set(values.map((value) => typeof value));
  return {
    what: [...types].map((type) => TYPE[type as keyof typeof TYPE]).join(" or "),
    read: (value) => {
      const scalar = SCALAR.read(value);
      return scalar !== undefined && types.has(typeof scalar) ? scalar : undefined;
    },
  };
};

const TYPE = { string: TEXT.what, number: "a number", boolean: "true or false" } as const;

export const shownScalar = (value: Scalar): string =>
  typeof value === "string" ? (value === "" ? '""' : quoted(value)) : String(value);

export const isOf = (path: FieldPath, value: Scalar): string => `${dotted(path)} is ${shownScalar(value)}`;
