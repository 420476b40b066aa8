/** What the next start comes to, by what the judge of the next container's config found. */
import { expect, it } from "vitest";
import type { Finding } from "../domain/finding.ts";
import type { ConfigTraceRow } from "../wire/api/config-trace.ts";
import { outlookOf } from "./config-outlook.ts";
import type { ConfigTrace } from "./config-trace.ts";

const traced = (
  state: ConfigTraceRow["state"],
  bound: readonly [Finding["finding"], string],
): ConfigTrace => ({
  report: {
    findings: [
      { claim: "config-bound", finding: bound[0], reason: bound[1], sentence: "the judge's sentence" },
    ],
  } as unknown as ConfigTrace["report"],
  rows: [
    {
      pod: "web-1",
      template: "new",
      container: "web",
      kind: "ConfigMap",
      name: "settings",
      keys: null,
      delivery: "env",
      as: "MODE",
      serviceAccount: false,
      state,
      why: "the row's",
    } as unknown as ConfigTraceRow,
  ],
  untraceable: [],
  checksums: [],
});

it.each([
  ["fresh", ["proven", "immutable"], "same", false],
  ["fresh", ["undetermined", "mutable"], "same", false],
  ["stale", ["refuted", "time-bomb"], "changes", true],
  // Its Pods were given what is there, and the template says that it was made for something else.
  ["fresh", ["refuted", "checksum-of-earlier"], "changes", true],
  ["fresh", ["refuted", "other-content"], "changes", true],
  ["reference-missing", ["refuted", "reference-missing"], "breaks", false],
] as const)("%s, and config-bound %j: %s", (state, bound, outlook, isTimeBomb) => {
  const next = outlookOf(traced(state, bound));
  expect(next).toMatchObject({ outlook, isTimeBomb });
  if (isTimeBomb && state === "fresh") expect(next.why).toBe("the judge's sentence");
});
