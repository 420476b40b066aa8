/** A record that an object was found proven: its state, less what is never written (E5), with the verdict that says so. */
import type { Seen } from "../domain/evidence.ts";
import { iso } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";
import { changesSince } from "../judge/changes.ts";
import type { ProvenStates } from "../ports/proven-states.ts";
import { document } from "../wire/api/document.ts";
import { verdictReport } from "../wire/api/verdict-report.ts";
import { withoutSecrets } from "../wire/objects/without-secrets.ts";
import { generationOf } from "./readings.ts";
import type { VerdictReport } from "./verify.ts";

/** `key`: of the digests that stand in place of what was removed; to be forgotten. */
export const recordOf = (
  report: VerdictReport,
  { raw, group, kind }: Seen,
  server: string,
  key: Uint8Array,
): JsonObject => {
  const { object, removed } = withoutSecrets(raw, group === "" && kind === "Secret", key, "/object");
  return document("ProvenState", {
    at: iso(report.judgedAt),
    cluster: { server },
    report: verdictReport({ ...report, changes: null }),
    object,
    removed: [...removed],
  });
};

/** The state that was recorded last is this very one: a second record would say nothing new. */
export const isAlreadyKept = (last: ReturnType<ProvenStates["last"]>, subject: Seen): boolean => {
  if (last === null || "fault" in last || last.uid !== subject.uid) return false;
  const { total, notCompared } = changesSince(
    {
      since: { kind: "record", verdict: "proven", at: last.at, name: last.name },
      says: "",
      object: last.object,
      uid: last.uid,
      generation: generationOf(last.object),
      only: [],
      limits: [],
    },
    subject,
  );
  return total === 0 && notCompared.length === 0;
};
