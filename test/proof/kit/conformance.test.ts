/** The kit against the real thing: exec over a shell script, http over the cloud, each as a tool of every class. */
import { describe, expect, it } from "vitest";
import type { RetryClass } from "../../../src/provider.ts";
import { conformance, conformanceText, type Subject } from "../../../src/testing.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import { execSubject } from "./exec-subject.ts";
import { httpSubject } from "./http-subject.ts";
import { rackSubject } from "./rack.ts";

ownTempFolder("kit");

const CLASSES: readonly RetryClass[] = ["once", "named", "keyed", "idempotent"];

const PROVIDERS: Readonly<Record<string, (keeps: RetryClass) => () => Promise<Subject>>> = {
  "a provider in code": rackSubject,
  "exec over a shell script": execSubject,
  "http over the cloud": httpSubject,
};

for (const [what, subjectOf] of Object.entries(PROVIDERS))
  describe(what, () => {
    it.for(CLASSES)("as a tool of class %s keeps that class, and it is the highest", async (keeps) => {
      const report = await conformance(subjectOf(keeps));
      const text = conformanceText(report);
      expect(report.classes[keeps], text).toEqual({ result: "kept", because: [] });
      expect(report.highest, text).toBe(keeps);
      expect(report.checks.filter(({ result }) => result === "not-run")).toEqual([]);
      expect(report.checks.every(({ saw }) => saw.length > 3)).toBe(true);
    });
  });
