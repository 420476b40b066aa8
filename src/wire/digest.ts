/** SHA-256, in the forms asfound writes it. */
import { hash } from "node:crypto";
import type { Digest } from "../domain/ids.ts";
import { digest } from "../domain/ids.ts";
import type { JsonValue } from "../domain/json.ts";
import { canonicalJson } from "./canonical.ts";

/** 64 lower-case hex digits, as `sha256sum` prints them. A string is digested as its UTF-8 bytes. */
export const sha256Hex = (data: string | Uint8Array): string => hash("sha256", data, "hex");

/** `sha256:` + hex over the canonical JSON of `value`. Throws `NotCanonical`. */
export const digestOf = (value: JsonValue): Digest => digest(`sha256:${sha256Hex(canonicalJson(value))}`);
