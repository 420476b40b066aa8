/** What exec says of one step before anything is called (W5). Pure. */
import type { JsonObject } from "../../domain/json.ts";
import type { InputFault, ProviderFacts } from "../../ports/provider.ts";
import type { ExecWith } from "./with.ts";
import { readWith } from "./with.ts";

export const describeExec = (written: JsonObject): ProviderFacts | readonly InputFault[] => {
  const read = readWith(written, false);
  if ("commands" in read) return factsOf(read);
  return read;
};

const factsOf = ({ commands, protocol }: ExecWith): ProviderFacts => ({
  can: {
    observe: commands.observe !== undefined,
    create: commands.create !== undefined,
    update: commands.update !== undefined,
    destroy: commands.destroy !== undefined,
    compensate: commands.compensate !== undefined,
    owed: commands.owed !== undefined,
  },
  // What may be repeated is a property of the program, which only the person knows.
  retry: null,
  inputFiles: [],
  cannotKnow: [
    ...(commands.observe === undefined
      ? ["it has no observe command, so it is complete by its own word only"]
      : []),
    ...(commands.destroy === undefined
      ? ["it has no destroy command, so nothing is removed, and it is destroyed by its own word only"]
      : []),
    ...(protocol === "exit-code" ? [EXIT_CODE] : []),
  ],
});

const EXIT_CODE =
  "its protocol is exit-code: it can tell no id and no outputs, and an exit other than 0 may have had an effect";
