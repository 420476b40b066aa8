/** resume: the last apply or destroy again, with its flags and permissions, on today's file; it says what changed since. */
import type { Digest, StackName } from "../domain/ids.ts";
import type { Operation } from "../domain/operation.ts";
import { type Refused, type Runtime, refused } from "./runtime.ts";

export interface Resumable {
  readonly kind: "resumable";
  readonly operation: Operation;
  /** One sentence where today's file is not the one that operation had. */
  readonly changed: string | null;
}

const LOOK_BACK = 200;

export const lastResumable = async (
  runtime: Pick<Runtime, "store">,
  stack: StackName,
  fileDigest: Digest | null,
): Promise<Resumable | Refused> => {
  const operations = await runtime.store.operations(stack, LOOK_BACK);
  const last = operations.find((operation) => operation.verb === "apply" || operation.verb === "destroy");
  if (last === undefined)
    return refused(23, `nothing was applied or destroyed in ${stack} yet, so there is nothing to resume`);
  const same = last.fileDigest === null || fileDigest === null || last.fileDigest === fileDigest;
  const changed = same
    ? null
    : `the stack file has changed since ${last.verb} ${last.id}: today's file is used`;
  return { kind: "resumable", operation: last, changed };
};
