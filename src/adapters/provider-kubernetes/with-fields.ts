/** What every `with` of this family is checked for: no unknown field, texts that are texts, and which commands may run. */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { InputFault } from "../../ports/provider.ts";

export const isText = (value: JsonValue | undefined): value is string =>
  typeof value === "string" && value !== "";

export const isTexts = (value: JsonValue | undefined): value is readonly string[] =>
  Array.isArray(value) && (value as readonly JsonValue[]).every(isText);

/** How a reference begins (DESIGN §6). */
export const REFERENCE = "$" + "{";

export class WithFields {
  readonly faults: InputFault[] = [];
  readonly #inputs: JsonObject;

  constructor(inputs: JsonObject, known: readonly string[]) {
    this.#inputs = inputs;
    for (const name of Object.keys(inputs))
      if (!known.includes(name)) this.say(`'${name}' is not known here; known are ${known.join(", ")}`, name);
  }

  readonly say = (message: string, ...path: readonly (string | number)[]): void => {
    this.faults.push({ path, message });
  };

  own(name: string): JsonValue | undefined {
    return Object.hasOwn(this.#inputs, name) ? this.#inputs[name] : undefined;
  }

  /** null: it is not there, or is none. */
  text(name: string): string | null {
    const value = this.own(name);
    return isText(value) ? value : null;
  }

  /** Those that are there have to be texts that are not empty. */
  checkTexts(names: readonly string[]): void {
    for (const name of names)
      if (this.own(name) !== undefined && !isText(this.own(name)))
        this.say(`'${name}' must be a text that is not empty`, name);
  }

  checkYesOrNo(names: readonly string[]): void {
    for (const name of names)
      if (this.own(name) !== undefined && typeof this.own(name) !== "boolean")
        this.say(`'${name}' must be true or false`, name);
  }

  allowExec(): readonly string[] {
    const value = this.own("allowExec") ?? [];
    if (isTexts(value)) return value;
    this.say("'allowExec' is a list of commands", "allowExec");
    return [];
  }
}
