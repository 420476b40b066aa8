/**
 * `reported-ready` by a declared rule: facts against it first, then what keeps it open, then what shows it under way, and
 * proven only where all that is needed is there and says so.
 *
 * Laws: what the rule does not name decides nothing; what it names and cannot be told is never rounded up (V7); a
 * condition of an earlier generation never proves, nor refutes (O1, O4).
 */
import type { CustomRule, Sign } from "../../domain/custom-rule.ts";
import type { Case, Rule } from "../case.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import { hint, TEXT } from "../read.ts";
import { beingDeleted } from "../whole.ts";
import { listed, nameOf, quoted } from "../words.ts";
import { childrenDone } from "./children.ts";
import { statusNow } from "./generation.ts";
import { type Needed, needed } from "./needed.ts";
import { signTold } from "./sign.ts";

export const reportedReady =
  (rule: CustomRule): Rule =>
  (given) => {
    const inquiry = new Inquiry("reported-ready");
    inquiry.limit(byRule(rule));
    const stop = beingDeleted(inquiry, given.target) ?? statusNow(inquiry, given, rule);
    if (stop !== undefined) return stop;
    const unknown: string[] = [];
    return (
      holding(inquiry, given, rule, rule.failed, unknown, "reported-failed") ??
      holding(inquiry, given, rule, rule.undetermined, unknown, "reported-undetermined") ??
      holding(inquiry, given, rule, rule.progressing, unknown, "reported-progressing") ??
      untold(inquiry, given, unknown) ??
      done(inquiry, given, rule)
    );
  };

export const byRule = ({ group, kind, source }: CustomRule): string =>
  `by the rule for ${kind}${group === "" ? "" : ` (${group})`} ${source === null ? "that asfound has" : `in ${source}`}`;

const FINDING = {
  "reported-failed": "refuted",
  "reported-undetermined": "undetermined",
  "reported-progressing": "progressing",
} as const;

/** The first that holds; what cannot be told is added to `unknown`. */
const holding = (
  inquiry: Inquiry,
  { target }: Case,
  { generation, message }: CustomRule,
  signs: readonly Sign[],
  unknown: string[],
  reason: keyof typeof FINDING,
): Found | undefined => {
  const held: string[] = [];
  for (const sign of signs) {
    const told = signTold(target, sign, generation.kind === "conditions");
    if (told.kind === "unknown") unknown.push(told.why);
    if (told.kind !== "holds") continue;
    for (const path of told.cited) inquiry.cite(target, path);
    held.push(told.says);
  }
  if (held.length === 0) return undefined;
  const said = message === null ? undefined : hint(target.raw, message, TEXT);
  const words = said === undefined || said === "" ? "" : `: ${quoted(said)}`;
  return inquiry[FINDING[reason]](reason, `${listed([...new Set(held)])}${words}`);
};

const untold = (inquiry: Inquiry, { target }: Case, unknown: readonly string[]): Found | undefined => {
  if (unknown.length === 0) return undefined;
  for (const why of unknown) inquiry.miss(`${nameOf(target)} ${why}`);
  return inquiry.undetermined("unknown", `what its status comes to cannot be told: ${listed(unknown)}`);
};

const done = (inquiry: Inquiry, given: Case, rule: CustomRule): Found => {
  const each = rule.generation.kind === "conditions";
  const all = rule.ready.map((test) => needed(inquiry, given.target, test, each));
  if (all.some(({ kind }) => kind === "missing")) return inquiry.unknown();
  const of = (kind: Needed["kind"]): readonly string[] =>
    all.flatMap((one) => (one.kind === kind && one.kind !== "missing" ? [one.says] : []));
  const [stale, not] = [of("stale"), of("does-not")];
  if (stale.length > 0) return inquiry.progressing("generation-behind", listed(stale));
  if (not.length > 0)
    return inquiry.undetermined(
      "not-told",
      `${listed(not)}, and the rule says neither that this is under way nor that it failed`,
    );
  return (
    childrenDone(inquiry, given, rule) ??
    inquiry.proven("reported-ready", `its controller reports it done: ${listed(of("holds"))}`)
  );
};
