/** An object as an Application's status lists it, for a person. */
import type { JsonValue } from "../../domain/json.ts";
import { hint, TEXT } from "../read.ts";
import { quoted } from "../words.ts";

export const objectText = (one: JsonValue): string => {
  const [kind, namespace, name] = ["kind", "namespace", "name"].map((field) => hint(one, [field], TEXT));
  const where = namespace === undefined || namespace === "" ? "" : `${quoted(namespace)}/`;
  return `${quoted(kind === undefined ? "an object" : kind)} ${where}${quoted(name === undefined ? "without a name" : name)}`;
};
