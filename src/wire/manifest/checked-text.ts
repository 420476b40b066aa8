import type { JsonValue } from "../../domain/json.ts";
import type { Fault, FaultList } from "./fault.ts";
import { type About, locator, readYaml } from "./text.ts";

/** A YAML file's text as what `check` makes of its value, or all that is wrong with it, each at its field. */
export const checkedText = async <T>(
  text: string,
  file: string,
  about: About,
  check: (value: JsonValue) => Promise<{ readonly made: T } | { readonly faults: FaultList }>,
): Promise<{ readonly made: T } | { readonly faults: readonly Fault[] }> => {
  const read = await readYaml(text, about);
  if ("fault" in read) {
    const { at, message } = read.fault;
    return { faults: [{ file, line: at?.line ?? null, column: at?.column ?? null, field: "", message }] };
  }
  const checked = "faults" in read ? read : await check(read.value);
  return "made" in checked ? checked : { faults: checked.faults.placed(file, await locator(text)) };
};
