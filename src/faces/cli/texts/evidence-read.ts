/** Words of evidence ls, show, replay and export. */
import type { EvidenceRun, RunLink } from "../../../domain/evidence-run.ts";
import { iso } from "../../../domain/ids.ts";
import { hexOf } from "../../../wire/evidence/sums.ts";

const headers = ["NO", "RUN", "RECORDED", "VERB", "TARGET", "VERDICT", "TRUST"] as const;

export const EVIDENCE_READ = {
  headers,
  none: (place: string): string => `Nothing that was asked for is recorded in ${place}.`,
  incomplete: "never finished: proves nothing",
  altered: "not as asfound writes it",
  deleted: "observations deleted",
  older: "There are older ones (--limit N).",
  recorded: (run: EvidenceRun): string =>
    `${run.run} (${run.sequence}), ${run.verb} by ${run.actor}, at ${iso(run.recordedAt)}`,
  digest: (link: RunLink): string => `${link.run}@${hexOf(link.sha256)}`,
  trust: ({ tier, limit }: { readonly tier: string; readonly limit: string }): string =>
    `Trust when it was recorded: ${tier}: ${limit}.`,
  said: "As it was said:",
  files: "Files (SHA-256):",
  chain: "Chain:",
  previous: (link: string | null): string => (link === null ? "it is the first" : `after ${link}`),
  next: (link: string | null): string => (link === null ? "nothing whole comes after it" : `before ${link}`),
  replays: (link: string): string => `judges ${link} again`,
  removed: "Never written (a keyed digest stands in its place):",
  gone: (by: string, at: string): string => `What was observed was deleted by retention: ${by}, at ${at}.`,
  again: (sequence: number, run: string): string => `Run ${sequence} (${run}) judged again by today's rules`,
  same: "Nothing differs from what was said then.",
  differs: "What differs from what was said then:",
  difference: (target: string, claim: string, was: string | null, is: string | null): string =>
    `${target} ${claim}: was ${was ?? "not judged"}; is ${is ?? "not judged"}`,
  past: "Only what was kept was judged. What is there now, this does not tell.",
  exported: (files: number, run: string, to: string): string =>
    `${files} files of ${run} were written to ${to}`,
  show: (command: string) => ({ command, why: "shows it whole" }),
  verify: (command: string) => ({ command, why: "says whether all of it is as it was recorded" }),
  record: (command: string) => ({ command, why: "records a verdict with what it was made from" }),
  replay: (command: string) => ({ command, why: "judges what was kept again by today's rules" }),
  hand: (command: string) => ({ command, why: "writes it for somebody who checks it with stock tools" }),
  readme: ({
    run,
    link,
    hasKey,
  }: {
    readonly run: EvidenceRun;
    readonly link: RunLink;
    readonly hasKey: boolean;
  }): string => `One run of evidence, as asfound recorded it.

run       ${link.run}
number    ${run.sequence}
statement ${hexOf(link.sha256)} (SHA-256 of statement.json)
trust     ${run.trust.tier} when it was recorded: ${run.trust.limit}

To check it with sha256sum and openssl (3 or later) alone:

    sh check.sh ${link.run}${run.signer === null ? "" : " SIGNER.pub"}

${
  run.signer === null
    ? "Nobody signed it: whoever could write where it was kept could have made all of it anew."
    : `It is signed by ${hexOf(run.signer)} (SHA-256 over the public key in DER).
${hasKey ? "signer.pub is what lay beside the evidence: it proves nothing by itself. Get the key from whoever signs." : "The public key is not here. Get it from whoever signs."}`
}

What was observed is in ${link.run}/snapshot, less what is never written; what was asked is in question.json, what was said in
report.json. Whether this is the newest run, or one was cut off after it, this copy does not tell.
`,
} as const;
