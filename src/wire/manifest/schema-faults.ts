/** What a schema says is wrong with a file that a person wrote, each at its field. */
import type * as z from "zod";
import { FaultList, type Path, shown } from "./fault.ts";
import { sentence } from "./issues.ts";

export const schemaFaults = (error: z.ZodError): FaultList => {
  const faults = new FaultList();
  for (const issue of error.issues) {
    const path = issue.path as Path;
    if (issue.code === "unrecognized_keys")
      for (const key of issue.keys) faults.add([...path, key], () => `${shown(key)} is no field here`);
    else
      faults.add(path, () =>
        issue.input === undefined
          ? "is missing"
          : `${path.length === 0 ? "the file " : ""}${sentence(issue)}`,
      );
  }
  return faults;
};
