/** A gate file's text as a gate, or all that is wrong with it, each at its field. Never throws for what is in it. */
import type { ClaimName } from "../../domain/claim.ts";
import { parseDuration } from "../../domain/duration.ts";
import { type Gate, USUAL_MAX_AGE_MS } from "../../domain/gate.ts";
import type { RefusalName } from "../../domain/gate-refusal.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Verification } from "../../domain/verification.ts";
import { checkedText } from "../manifest/checked-text.ts";
import { type Fault, FaultList, type Path, shown } from "../manifest/fault.ts";
import type { About } from "../manifest/text.ts";
import { verificationOf } from "../verification/parse.ts";
import type { GateFile } from "./schema.ts";

/** A gate whose Verification files are still to be read, each from where the gate's file stands. */
export interface WrittenGate extends Omit<Gate, "verifications"> {
  readonly verifications: readonly (Verification | { readonly file: string })[];
}

export type ParsedGate = { readonly gate: WrittenGate } | { readonly faults: readonly Fault[] };

const ABOUT: About = {
  tooLarge: "a gate has a few lines; put its Verifications into files of their own",
  second: "write one file for each gate",
  directive: "leave it out",
  empty: "the file is empty; write apiVersion, kind: Gate and verifications",
};

export const parseGate = async (text: string, file: string): Promise<ParsedGate> => {
  const checked = await checkedText(text, file, ABOUT, check);
  return "made" in checked ? { gate: checked.made } : checked;
};

const check = async (
  value: JsonValue,
): Promise<{ readonly made: WrittenGate } | { readonly faults: FaultList }> => {
  const [{ gateSchema }, { schemaFaults }] = await Promise.all([
    import("./schema.ts"),
    import("../manifest/schema-faults.ts"),
  ]);
  const parsed = gateSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) return { faults: schemaFaults(parsed.error) };
  const faults = new FaultList();
  const gate = gateOf(parsed.data, faults);
  return faults.empty ? { made: gate } : { faults };
};

const gateOf = (
  { verifications, claims = [], evidence = {}, approvals, accepts = {}, cases = [] }: GateFile,
  faults: FaultList,
): WrittenGate => {
  const maxAgeMs = evidence.maxAge === undefined ? USUAL_MAX_AGE_MS : durationOf(evidence.maxAge);
  checkApprovals(approvals, faults);
  checkTrust(evidence, faults);
  checkCases({ verifications, cases }, faults);
  return {
    verifications: verifications.map((one, at) => verificationIn(one, at, faults)),
    claims: claims as ClaimName[],
    maxAgeMs,
    keys: evidence.keys ?? [],
    trust: evidence.trust ?? "T0",
    approvals:
      approvals === undefined
        ? null
        : {
            by: approvals.by,
            count: approvals.count ?? 1,
            maxAgeMs: approvals.maxAge === undefined ? maxAgeMs : durationOf(approvals.maxAge),
          },
    accepts: new Map(Object.entries(accepts) as [RefusalName, string][]),
    cases: cases.map(({ name, from, expect, ...told }) => ({
      name,
      from,
      expect,
      of: told.of ?? 0,
      claims: (told.claims ?? []) as ClaimName[],
    })),
  };
};

/** What the schema let pass is one. */
const durationOf = (text: string): number => {
  const parsed = parseDuration(text);
  return "ms" in parsed ? parsed.ms : USUAL_MAX_AGE_MS;
};

const verificationIn = (
  { file, target, ...beside }: GateFile["verifications"][number],
  at: number,
  faults: FaultList,
): WrittenGate["verifications"][number] => {
  const here: Path = ["verifications", at];
  if (file !== undefined) {
    const [other] = target === undefined ? Object.keys(beside) : ["target"];
    if (other !== undefined)
      faults.add([...here, other], () => "stands in the file that is named beside it; leave one of them out");
    return { file };
  }
  if (target === undefined) {
    faults.add(here, () => "says neither target nor file; write one of them");
    return { file: "" };
  }
  const own = new FaultList();
  const made = verificationOf({ ...beside, target }, own);
  for (const { path, message } of own.found) faults.add([...here, ...path], () => message);
  return made;
};

const checkApprovals = (approvals: GateFile["approvals"], faults: FaultList): void => {
  if (approvals === undefined) return;
  const twice = approvals.by.find((actor, at) => approvals.by.indexOf(actor) !== at);
  const at: Path = ["approvals", "by"];
  if (twice !== undefined) faults.add(at, () => `names ${shown(twice)} twice`);
  const { count = 1 } = approvals;
  if (count > new Set(approvals.by).size)
    faults.add(
      ["approvals", "count"],
      () =>
        `asks for ${count} approvals, and ${approvals.by.length} may give one; nothing could ever be promoted`,
    );
};

/** A tier above T0 is by a key that somebody named: those beside the evidence prove nothing. */
const checkTrust = ({ trust = "T0", keys }: NonNullable<GateFile["evidence"]>, faults: FaultList): void => {
  if (trust !== "T0" && keys === undefined)
    faults.add(
      ["evidence", "trust"],
      () => `asks for ${trust}, which takes a key that is named: write evidence.keys`,
    );
};

const checkCases = (
  {
    verifications,
    cases,
  }: { readonly verifications: readonly unknown[]; readonly cases: NonNullable<GateFile["cases"]> },
  faults: FaultList,
): void => {
  const names = new Set<string>();
  for (const [at, { name, of = 0, expect, claims }] of cases.entries()) {
    if (names.has(name)) faults.add(["cases", at, "name"], () => `${shown(name)} names a case above already`);
    names.add(name);
    if (of >= verifications.length)
      faults.add(
        ["cases", at, "of"],
        () => `there is no verification ${of}; the last is ${verifications.length - 1}`,
      );
    if (claims !== undefined && expect === "promote")
      faults.add(["cases", at, "claims"], () => "says what it is refused for, and it is expected to promote");
  }
};
