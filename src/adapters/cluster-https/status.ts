/** The API server's own word on what went wrong: a `Status` (apimachinery, meta/v1), told from pages of others. */
import type { JsonObject } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Exchange, ObjectRef } from "../../ports/cluster.ts";
import { objectOf } from "./body.ts";

export interface Status {
  readonly reason: string | null;
  readonly message: string;
  readonly details: JsonObject;
}

export const isStatus = (object: JsonObject): boolean =>
  object["kind"] === "Status" && (object["apiVersion"] === "v1" || object["apiVersion"] === "meta.k8s.io/v1");

const textIn = (object: JsonObject, name: string): string | null => {
  const value = object[name];
  return typeof value === "string" ? value : null;
};

export const statusIn = (object: JsonObject): Status => {
  const { details } = object;
  return {
    reason: textIn(object, "reason"),
    message: textIn(object, "message") ?? "",
    details: isJsonObject(details) ? details : {},
  };
};

/** null: what answered is no API server, or does not speak for one (a proxy, a gateway). */
export const statusOf = (exchange: Exchange): Status | null => {
  const parsed = objectOf(exchange);
  return "object" in parsed && isStatus(parsed.object) ? statusIn(parsed.object) : null;
};

/**
 * R2: a 404 is an absence only if it names exactly what was asked for. The 404 of a resource or path that the server does
 * not serve is plain text; an aggregated API that is gone has an empty body; another object's name is another's absence.
 */
export const saysAbsent = ({ reason, details }: Status, { resource, name }: ObjectRef): boolean =>
  reason === "NotFound" &&
  details["name"] === name &&
  details["kind"] === resource.resource &&
  (textIn(details, "group") ?? "") === resource.group;
