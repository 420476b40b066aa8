/** The flags of the gate verbs, and of an approval of a verdict. */
import { type Asking, askingFlags, everywhereAliases, type Flags, text } from "./flags.ts";
import { type EvidenceFlags, evidence, type SigningFlags, signing } from "./flags-evidence.ts";
import { FLAG } from "./texts/flags.ts";

export interface GateTestFlags {
  readonly file?: string;
}

export const testing: Flags<GateTestFlags> = { file: text(FLAG.gateFile, "FILE") };

export interface GateCheckFlags extends GateTestFlags, Asking, EvidenceFlags {
  readonly run?: string;
  readonly checkpoint?: string;
}

export const checking: Flags<GateCheckFlags> = {
  ...testing,
  ...askingFlags,
  ...evidence,
  run: text(FLAG.gateRun, "RUN"),
  checkpoint: text(FLAG.checkpoint, "FILE|RUN@SHA256"),
};

/** What approve takes beside its flags about steps. */
export interface ApprovingFlags extends Asking, EvidenceFlags, SigningFlags {
  readonly gate?: string;
  readonly run?: string;
  readonly checkpoint?: string;
}

export const approving: Flags<ApprovingFlags> = {
  gate: text(FLAG.gate, "FILE"),
  run: text(FLAG.approvedRun, "RUN"),
  ...evidence,
  ...signing,
  checkpoint: text(FLAG.checkpoint, "FILE|RUN@SHA256"),
  ...askingFlags,
};

export const aliases = { ...everywhereAliases, f: "file", n: "namespace", o: "output" } as const;
