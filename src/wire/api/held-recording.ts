/** `watch -o json`: kind `HeldRecording`, what a recorder did from its beginning to its end; `-o jsonl`: each record of it. */
import type { HeldRecord, HeldScope } from "../../domain/held-record.ts";
import type { JsonObject } from "../../domain/json.ts";
import { heldRecordJson } from "../held/record.ts";
import { API_VERSION, document, time } from "./document.ts";

export interface HeldRecordingInput {
  readonly scope: HeldScope;
  readonly from: number | null;
  readonly to: number | null;
  readonly objects: number;
  readonly versions: number;
  readonly blind: readonly {
    readonly of: string;
    readonly from: number | null;
    readonly to: number;
    readonly why: string;
  }[];
  readonly moreBlind: number;
  readonly statement: string;
  readonly exit: number;
}

export const heldRecording = (recording: HeldRecordingInput, folder: string): JsonObject =>
  document("HeldRecording", {
    folder,
    scope: { ...recording.scope, kinds: [...recording.scope.kinds] },
    window: { from: time(recording.from), to: time(recording.to) },
    objects: recording.objects,
    versions: recording.versions,
    blind: recording.blind.map((one) => ({ ...one, from: time(one.from), to: time(one.to) })),
    moreBlind: recording.moreBlind,
    statement: recording.statement,
    exit: recording.exit,
  });

/** The first line of the stream. */
export const heldRecordStream: JsonObject = { apiVersion: API_VERSION, kind: "HeldRecordStream", version: 1 };

/** A line of the stream: as it stands in the folder's files. */
export const heldRecordLine = (record: HeldRecord): JsonObject => heldRecordJson(record);
