/** The real command, asking the cluster that KUBECONFIG names. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Need } from "../support/cluster-needs.ts";
import { needing } from "./lack.ts";

export const LAUNCHER = fileURLToPath(new URL("../../bin/asfound", import.meta.url));

/** Of a VerdictReport, what these tests read. */
export interface Verdict {
  readonly verdict: string;
  readonly statement: string;
  readonly window: { readonly ended: boolean };
  readonly target: { readonly uid: string | null };
  readonly findings: readonly {
    readonly claim: string;
    readonly finding: string;
    readonly reason: string;
    readonly sentence: string;
    readonly missing: readonly string[];
    readonly limits: readonly string[];
  }[];
}

export interface Verified {
  readonly exit: number | null;
  readonly report: Verdict;
  /** What was said while it went on. */
  readonly told: string;
}

export interface Verifying {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Verified>;
}

/** `through`: what runs the command; nothing: it is run as it is. */
export const startVerify = (words: readonly string[], through: readonly string[] = []): Verifying => {
  const [program = LAUNCHER, ...rest] = [...through, LAUNCHER, "verify", ...words, "-o", "json"];
  const child = spawn(program, rest);
  child.stdin.end();
  let stdout = "";
  let told = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    told += text;
  });
  const ended = new Promise<Verified>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exit) => {
      try {
        resolve({ exit, report: JSON.parse(stdout) as Verdict, told });
      } catch {
        reject(
          new Error(`verify ${words.join(" ")} ended with ${exit} and printed no report: ${stdout}${told}`),
        );
      }
    });
  });
  return { child, ended };
};

/** Any verb, as it ends. */
export const asfound = (
  words: readonly string[],
): Promise<{ readonly exit: number; readonly out: string; readonly err: string }> =>
  new Promise((resolve) => {
    execFile(LAUNCHER, words, { env: { ...process.env, CI: "" } }, (error, out, err) => {
      resolve({ exit: error === null ? 0 : Number(error.code), out, err });
    });
  });

export const verify = (...words: readonly string[]): Promise<Verified> => startVerify(words).ended;

const EXIT_OF: Readonly<Record<string, number>> = {
  proven: 0,
  refuted: 10,
  undetermined: 20,
  progressing: 30,
};

/** What has to come of it: the verdict, and of the claims that are named, finding and reason. */
export interface Wanted {
  readonly verdict: string;
  readonly findings?: Readonly<Record<string, readonly [finding: string, reason: string]>>;
  readonly says?: RegExp;
}

export const expectVerdict = ({ exit, report }: Verified, { verdict, findings = {}, says }: Wanted): void => {
  const all = `${report.statement}\n${report.findings.map((one) => `${one.claim} ${one.finding} ${one.reason}: ${one.sentence}`).join("\n")}`;
  expect(report.verdict, all).toBe(verdict);
  expect(exit).toBe(EXIT_OF[verdict]);
  for (const [claim, wanted] of Object.entries(findings)) {
    const found = report.findings.find((one) => one.claim === claim);
    expect([claim, found?.finding, found?.reason], all).toEqual([claim, ...wanted]);
  }
  if (says !== undefined) expect(report.statement, all).toMatch(says);
};

/** By one look, and by a watch whose window is over before anything changes. */
export const seenBoth = async (words: readonly string[], wanted: Wanted): Promise<void> => {
  expectVerdict(await verify(...words), wanted);
  expectVerdict(await verify(...words, "--watch", "--window", "2s"), wanted);
};

/** Tests that mostly wait go on side by side; such a test is handed its own context, so no hook can skip it. */
export const storyWith =
  (...needs: readonly Need[]) =>
  (name: string, test: () => Promise<void>): void =>
    it.concurrent(name, async (context) => {
      needing(...needs)(context);
      await test();
    });
