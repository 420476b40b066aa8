/**
 * A reply's headers, from the names and values as they came. Not from Node's own object of them, which leaves out one called
 * `__proto__` and the second of some that are sent twice.
 */

/** `raw`: name, value, name, value. By name in lower case; several of one name are joined as HTTP has it (RFC 9110, 5.2). */
export const joinedHeaders = (raw: readonly string[]): Readonly<Record<string, string>> => {
  const all = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = String(raw[at]).toLowerCase();
    const before = all.get(name);
    const value = String(raw[at + 1]);
    all.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(all);
};
