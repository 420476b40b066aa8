/**
 * Versioned names (ADR 0041): `NAME-` and the first ten hex digits of the object's digest (C3), so equal bytes have equal
 * names on every machine. A name that would be longer than the API's 253 characters is shortened at its end, before the digits.
 */

/** On what was bound: the name by which people know it. */
export const CONFIG_MARK = "asfound.dev/config";
/** On a Pod template: over what it takes (`checksumOf`). */
export const CHECKSUM = "checksum/config";

const DIGITS = 10;
const MOST = 253;
const MOST_BASE = MOST - DIGITS - 1;

const shortened = (base: string): string =>
  base.length <= MOST_BASE ? base : base.slice(0, MOST_BASE).replace(/[-.]+$/, "");

/** `digest`: 64 hex digits. */
export const versionedName = (base: string, digest: string): string =>
  `${shortened(base)}-${digest.slice(0, DIGITS)}`;

/** What all versions of `base` begin with. */
export const stemOf = (base: string): string => shortened(base);

/** The stem of a name that can be a version; null: it cannot. */
export const stemIn = (name: string): string | null => {
  const cut = name.length - DIGITS - 1;
  return cut > 0 && name[cut] === "-" && /^[0-9a-f]+$/.test(name.slice(cut + 1)) ? name.slice(0, cut) : null;
};

/** Whether `name` can be some version of `base`. */
export const isVersionOf = (name: string, base: string): boolean => stemIn(name) === stemOf(base);

/** What the API takes for the name of a ConfigMap (RFC 1123 subdomain). */
export const isObjectName = (name: string): boolean =>
  name.length <= MOST && name.split(".").every((part) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(part));
