/** Opens the folder that a verdict is recorded in, with whoever signs. Asked before a cluster is: a key that cannot be used is known then. */
import { systemClock } from "../adapters/system/clock.ts";
import { passingKey } from "../adapters/system/snapshot-folder.ts";
import { EXIT } from "../domain/exit.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { actorOf } from "./actor.ts";
import { type EvidencePlace, evidenceIn, newRunId, signerFor } from "./evidence.ts";
import type { Recording } from "./recording.ts";

export interface ToRecord extends EvidencePlace {
  /** A private key, as the person wrote it; null: as the place has it. */
  readonly key: string | null;
  /** `verify`, `evidence replay`, … */
  readonly verb: string;
  /** Of asfound. */
  readonly version: string;
}

const isNamed = ({ key, environment }: ToRecord): boolean =>
  key !== null || (environment["ASFOUND_SIGNING_KEY"] ?? "") !== "";

export const openRecording = async (
  asked: ToRecord,
): Promise<{ readonly kind: "opened"; readonly recording: Recording } | Refused> => {
  const signing = signerFor(asked, asked.key);
  if ("fault" in signing && isNamed(asked)) return refused(EXIT.usage, `${signing.fault}; nothing was asked`);
  const runs = evidenceIn(asked);
  const found = await runs.key({ create: true });
  // Without the place's own key there will be no run either, and that is told with the verdict.
  const key = found.kind === "key" ? found.key.bytes : passingKey();
  const { verb, version, environment } = asked;
  // One beside the evidence that cannot be used: nothing is kept unsigned where somebody made a key for it.
  const unsigned = "fault" in signing ? signing.fault : null;
  const actor = actorOf(null, environment);
  return {
    kind: "opened",
    recording: {
      runs,
      key,
      fault: found.kind === "key" ? unsigned : found.kind === "fault" ? found.fault : "its key is gone again",
      signer: "fault" in signing ? null : signing.signer,
      of: () => ({ run: newRunId(), verb, actor, at: systemClock.now(), version }),
    },
  };
};
