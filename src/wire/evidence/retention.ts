/** `report.json` of a run of the kind `retention` (kind `RetentionRecord`): what was deleted by age, each file by its digest. */
import type { DeletedFile, DeletedRun, RunId } from "../../domain/evidence-run.ts";
import { isRunId } from "../../domain/evidence-run.ts";
import type { Instant } from "../../domain/ids.ts";
import { iso } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import { document } from "../api/document.ts";
import { parseStrictJson } from "../objects/strict-json.ts";
import { count, is, listOf, objectOf, oneOf, sha256, text } from "../shape.ts";
import { hexOf } from "./sums.ts";

export const retentionRecord = (before: Instant, deleted: readonly DeletedRun[]): JsonObject =>
  document("RetentionRecord", {
    before: iso(before),
    deleted: deleted.map(({ run, sequence, files }) => ({
      run,
      sequence,
      files: files.map((file) => ({ ...file, sha256: hexOf(file.sha256) })),
    })),
  });

interface Written {
  readonly deleted: readonly { readonly run: RunId }[];
}

const SHAPE = objectOf<Written & { readonly kindOfDocument: unknown; readonly before: string }>({
  kindOfDocument: is("", () => true),
  before: text,
  deleted: listOf(
    objectOf<{ run: string; sequence: number; files: unknown }>({
      run: is("a run's id", (value) => typeof value === "string" && isRunId(value)),
      sequence: count,
      files: listOf(objectOf<DeletedFile>({ path: text, sha256, bytes: count })),
    }),
  ),
});

/** The runs of which observations were deleted; undefined: it is no such record. */
export const runsDeletedIn = (bytes: Uint8Array): readonly RunId[] | undefined => {
  const json = parseStrictJson(Buffer.from(bytes).toString("utf8"));
  if ("fault" in json || SHAPE(json.value, "record") !== null) return undefined;
  const record = json.value as unknown as Written & { readonly kind: unknown };
  return oneOf("RetentionRecord")(record.kind, "kind") === null
    ? record.deleted.map(({ run }) => run)
    : undefined;
};
