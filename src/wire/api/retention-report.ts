/** `release retention -o json`: kind `RetentionReport`. Pure; every field is always there. */
import type { JsonObject } from "../../domain/json.ts";
import { document, time } from "./document.ts";

interface ObjectNamed {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
}

export interface RetentionInput {
  readonly namespace: string;
  readonly place: string;
  readonly releases: number;
  readonly at: number;
  readonly statement: string;
  readonly objects: readonly (ObjectNamed & {
    readonly uid: string | null;
    readonly immutable: boolean;
    readonly holders: readonly { readonly by: string; readonly kind: string; readonly name: string }[];
    readonly proposed: boolean;
    readonly why: string;
  })[];
  readonly next: readonly {
    readonly of: string;
    readonly kind: string;
    readonly name: string;
    readonly number: number;
    readonly kept: number;
    readonly limit: number;
    readonly only: readonly ObjectNamed[];
  }[];
  readonly gone: readonly (ObjectNamed & { readonly release: string })[];
  readonly unread: readonly string[];
  readonly limits: readonly string[];
  readonly exit: number;
}

export const retentionReport = (report: RetentionInput): JsonObject =>
  document("RetentionReport", {
    namespace: report.namespace,
    place: report.place,
    releases: report.releases,
    at: time(report.at),
    statement: report.statement,
    objects: report.objects.map(retentionObject),
    next: report.next.map((one) => ({ ...one, only: one.only.map((object) => ({ ...object })) })),
    gone: report.gone.map((one) => ({ ...one })),
    unread: [...report.unread],
    limits: [...report.limits],
    exit: report.exit,
  });

export const retentionObject = (one: RetentionInput["objects"][number]): JsonObject => ({
  ...one,
  holders: one.holders.map((holder) => ({ ...holder })),
});
