/**
 * Places that a person declares for kinds that are not known here: `KIND[.GROUP]:PATH`, where PATH is dotted and `[]` stands for
 * each item of a list: `Prometheus.monitoring.coreos.com:spec.configMaps[]`.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { Path } from "../manifest/fault.ts";
import { at, kindOf } from "./templates.ts";

export interface DeclaredPath {
  /** `Kind.group`; the core group is empty. */
  readonly kind: string;
  /** null: each item of a list. */
  readonly path: readonly (string | null)[];
}

const MOST_STEPS = 50;

/** The fault is a clause. */
export const parseDeclaredPath = (text: string): DeclaredPath | { readonly fault: string } => {
  const [, kind, path] = /^([A-Za-z][A-Za-z0-9]*(?:\.[a-z0-9.-]+)?):([^\s:]+)$/.exec(text) ?? [];
  if (kind === undefined || path === undefined)
    return { fault: "must be KIND[.GROUP]:PATH, like Prometheus.monitoring.coreos.com:spec.configMaps[]" };
  const steps = path.split(".").flatMap((part): readonly (string | null)[] => {
    const name = part.replace(/(\[\])+$/, "");
    const lists = (part.length - name.length) / 2;
    return [...(name === "" ? [] : [name]), ...Array.from({ length: lists }, () => null)];
  });
  if (steps.length === 0 || steps.length > MOST_STEPS || path.split(".").some((part) => part === ""))
    return { fault: "must have a dotted path of at most 50 names behind the colon" };
  return { kind: kind.includes(".") ? kind : `${kind}.`, path: steps };
};

/** All places in the object that it means; where something on the way is missing there are none. */
export const placesOf = (object: JsonObject, declared: readonly DeclaredPath[]): readonly Path[] => {
  const kind = kindOf(object);
  return declared.flatMap((one) => (one.kind === kind ? spread(object, one.path) : []));
};

const spread = (object: JsonObject, steps: DeclaredPath["path"]): readonly Path[] => {
  let paths: readonly Path[] = [[]];
  for (const step of steps)
    paths = paths.flatMap((path): readonly Path[] => {
      const here: JsonValue | undefined = at(object, path);
      if (step === null) return Array.isArray(here) ? [...here.keys()].map((index) => [...path, index]) : [];
      return isJsonObject(here) && Object.hasOwn(here, step) ? [[...path, step]] : [];
    });
  return paths;
};
