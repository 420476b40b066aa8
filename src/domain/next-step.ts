/** The next safe commands after a report, and why the unsafe ones are not offered. Pure. */
import type { StepName } from "./ids.ts";
import type { StepStatus } from "./status.ts";

export interface Suggestion {
  readonly command: string;
  readonly why: string;
}

export interface Standing {
  readonly step: StepName;
  readonly status: StepStatus;
  readonly effect: "none" | "known" | "possible";
  readonly observable: boolean;
  readonly owes: boolean;
  readonly failedCommand: string | null;
  readonly alive: boolean;
  readonly surplus: readonly string[];
  /** The latest look found several things, or one that nothing proves to be this step's. */
  readonly ambiguous: boolean;
  /** Nobody knows whether what it owes (P3) was done. */
  readonly owedInDoubt: boolean;
  /** Its id is known. */
  readonly identified: boolean;
  /** It waits for a person's approval before it may be created. */
  readonly approval: boolean;
}

const few = (some: readonly string[]): string =>
  some.length <= 3 ? some.join(", ") : `${some.slice(0, 3).join(", ")} and ${some.length - 3} more`;

export interface Advice {
  readonly next: readonly Suggestion[];
  readonly notOffered: readonly Suggestion[];
}

const names = (steps: readonly Standing[]): string => few(steps.map((s) => s.step));

const isInDoubt = (s: Standing): boolean =>
  s.status === "unresolved" || (s.status === "error" && s.effect === "possible");

/** `last`: what `resume` would do again; null when nothing was applied or destroyed yet. */
export const nextCommands = (steps: readonly Standing[], last: "apply" | "destroy" | null): Advice => {
  const running = steps.filter((s) => s.status === "running" || s.status === "destroying");
  if (running.length > 0)
    return {
      next: [{ command: "asfound status", why: `an operation is at work on ${names(running)}` }],
      notOffered: [{ command: "asfound apply", why: "another operation holds the stack" }],
    };
  const doubt = steps.filter(isInDoubt);
  // What would call a provider again is offered only when nothing is in doubt.
  const next = doubt.length > 0 ? settling(doubt) : goingOn(steps, last);
  return { next: unique([...next, ...seconds(steps)]), notOffered: withheld(steps, doubt) };
};

/** What ends a doubt: asking, or a person's word where asking cannot. */
const settling = (doubt: readonly Standing[]): Suggestion[] => {
  const askable = doubt.filter((s) => s.observable && !s.owedInDoubt);
  const asking: Suggestion[] =
    askable.length === 0
      ? []
      : [
          {
            command: "asfound reconcile",
            why: `asks what is there of ${names(askable)}; it changes nothing outside`,
          },
        ];
  return [...asking, ...doubt.flatMap((s) => deciding(s)).slice(0, SHOWN)];
};

const SHOWN = 5;

const deciding = (s: Standing): Suggestion[] => {
  if (s.owedInDoubt)
    return [
      {
        command: `asfound resolve ${s.step} --as present --owed done|again --reason TEXT`,
        why: "no reading can tell whether what it owes was done, so a person has to say",
      },
    ];
  if (!s.observable)
    return [
      {
        command: `asfound resolve ${s.step} --as present|absent --reason TEXT`,
        why: "nothing can observe it, so a person has to say",
      },
    ];
  if (!s.ambiguous) return [];
  return [
    {
      command: `asfound resolve ${s.step} --as present --id ID --reason TEXT`,
      why: "asking again will not tell which thing is this step's: a person has to choose its id",
    },
  ];
};

const seconds = (steps: readonly Standing[]): Suggestion[] =>
  steps
    .filter((s) => s.surplus.length > 0)
    .slice(0, SHOWN)
    .map((s) => ({
      command: `asfound forget ${s.step} --id ${s.surplus[0]} --reason TEXT`,
      why: "only if that second object is not this step's to remove; destroy removes it",
    }));

/** Nothing is in doubt. */
const goingOn = (steps: readonly Standing[], last: "apply" | "destroy" | null): Suggestion[] => {
  const found: Suggestion[] = [];
  const owing = steps.filter((s) => s.owes);
  const failed = steps.filter((s) => s.status === "error");
  const approvals = steps.filter((s) => s.approval);
  const pending = steps.filter((s) => s.status === "pending" && !s.step.includes("~") && !s.approval);
  const unconfirmed = steps.filter((s) => s.status === "unconfirmed");
  const gone = steps.filter((s) => s.status === "destroyed");
  if (owing.length > 0)
    found.push({ command: "asfound apply", why: `${names(owing)} still owes work, which runs first` });
  found.push(...mending(failed, last));
  for (const s of approvals.slice(0, SHOWN))
    found.push({
      command: `asfound approve ${s.step} --reason TEXT`,
      why: "it waits for an approval, and apply would refuse it again",
    });
  if (failed.length === 0 && pending.length > 0)
    found.push({
      command: "asfound apply",
      why: `${pending.length} ${pending.length === 1 ? "step has" : "steps have"} not run: ${names(pending)}`,
    });
  if (unconfirmed.length > 0)
    found.push({ command: "asfound apply", why: `asks again whether ${names(unconfirmed)} is confirmed` });
  if (gone.length > 0)
    found.push({
      command: "asfound apply",
      why:
        gone.length === steps.length
          ? "everything is destroyed; this creates it again"
          : `creates again what is destroyed: ${names(gone)}`,
    });
  if (found.length === 0 && steps.length > 0)
    found.push({
      command: "asfound plan",
      why: "nothing is left to do; this shows what a change of the file would do",
    });
  return found;
};

/** `resume` does the last operation again: offered only where that is what mends. */
const mending = (failed: readonly Standing[], last: "apply" | "destroy" | null): Suggestion[] => {
  const why = (some: readonly Standing[]) =>
    `after the cause is mended: ${names(some)} failed, and what each did is known`;
  const removing = failed.filter((s) => s.failedCommand === "destroy");
  const making = failed.filter((s) => s.failedCommand !== "destroy");
  const offer = (some: readonly Standing[], verb: "apply" | "destroy"): Suggestion[] => {
    if (some.length === 0) return [];
    const again = last === verb ? `; it does the last ${verb} again` : "";
    return [{ command: last === verb ? "asfound resume" : `asfound ${verb}`, why: why(some) + again }];
  };
  return [...offer(making, "apply"), ...offer(removing, "destroy")];
};

const withheld = (steps: readonly Standing[], doubt: readonly Standing[]): Suggestion[] => {
  const unresolved = doubt.filter((s) => s.status === "unresolved");
  if (unresolved.length === 0) return [];
  const apply = {
    command: "asfound apply",
    why: `it would look once and then refuse to repeat the call in doubt (${names(unresolved)})`,
  };
  const lost = unresolved.filter((s) => !s.identified);
  if (!steps.some((s) => s.alive) || lost.length === 0) return [apply];
  return [
    apply,
    {
      command: "asfound destroy",
      why: `possible, but what is in doubt (${names(lost)}) can only be removed once it is found`,
    },
  ];
};

/** One line a command: the first reason for it stands. */
const unique = (suggestions: readonly Suggestion[]): Suggestion[] =>
  [...new Map([...suggestions].reverse().map((one) => [one.command, one] as const)).values()].reverse();
