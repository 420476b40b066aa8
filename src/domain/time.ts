/** Times as Kubernetes writes them (RFC 3339, `metav1.Time` and `MicroTime`), and ages for people. */
import type { Instant } from "./ids.ts";
import { instant } from "./ids.ts";

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** undefined: it is not such a time. */
export const parseTime = (text: string): Instant | undefined => {
  if (!RFC3339.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : instant(at);
};

/** An age in its two largest units, as kubectl shows ages: `20s`, `5m3s`, `2h10m`, `3d4h`. */
export const age = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "m"],
    [seconds % 60, "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return "0s";
  return parts
    .slice(first, first + 2)
    .map(([count, unit]) => (count === 0 ? "" : `${count}${unit}`))
    .join("");
};
