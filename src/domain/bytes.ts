/** Sizes as people write them, in units of 1,024. */

const UNITS: ReadonlyMap<string, number> = new Map([
  ["KiB", 2 ** 10],
  ["MiB", 2 ** 20],
  ["GiB", 2 ** 30],
]);

/** The fault is a clause that follows the flag's name. */
export const parseBytes = (text: string): { readonly bytes: number } | { readonly fault: string } => {
  const parts = /^([1-9]\d{0,5})(KiB|MiB|GiB)$/.exec(text);
  const unit = parts === null ? undefined : UNITS.get(String(parts[2]));
  return unit === undefined
    ? { fault: "must be a size, written as 64MiB (KiB, MiB or GiB)" }
    : { bytes: Number(parts?.[1]) * unit };
};
