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
  /** It waits for a person's approval before it may be created. */
  readonly approval: boolean;
}

const few = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;

export const nextCommands = (
  steps: readonly Standing[],
): { readonly next: readonly Suggestion[]; readonly notOffered: readonly Suggestion[] } => {
  const next: Suggestion[] = [];
  const notOffered: Suggestion[] = [];
  const having = (wanted: (s: Standing) => boolean) => steps.filter(wanted).map((s) => s.step);
  const running = having((s) => s.status === "running" || s.status === "destroying");
  if (running.length > 0) {
    next.push({ command: "asfound status", why: `an operation is at work on ${few(running)}` });
    notOffered.push({ command: "asfound apply", why: "another operation holds the stack" });
    return { next, notOffered };
  }
  const doubt = having((s) => s.status === "unresolved");
  const askable = having((s) => s.status === "unresolved" && s.observable);
  const inDoubt = (s: Standing) =>
    s.status === "unresolved" || (s.status === "error" && s.effect === "possible");
  const unaskable = having((s) => inDoubt(s) && !s.observable);
  const possible = having((s) => s.status === "error" && s.effect === "possible" && s.observable);
  const failed = having((s) => s.status === "error" && s.effect !== "possible");
  const isCompensation = (s: Standing) => s.step.includes("~");
  const pending = having((s) => s.status === "pending" && !isCompensation(s));
  const unconfirmed = having((s) => s.status === "unconfirmed");
  const gone = having((s) => s.status === "destroyed");
  if (askable.length > 0 || possible.length > 0)
    next.push({
      command: "asfound reconcile",
      why: `asks what is there of ${few([...askable, ...possible])}; it changes nothing outside`,
    });
  for (const step of unaskable.slice(0, 3))
    next.push({
      command: `asfound resolve ${step} --as present|absent --reason TEXT`,
      why: "nothing can observe it, so a person has to say",
    });
  for (const s of steps.filter((one) => one.ambiguous && one.status === "unresolved").slice(0, 3))
    next.push({
      command: `asfound resolve ${s.step} --as present --id ID --reason TEXT`,
      why: "asking again will not tell which thing is this step's: a person has to choose its id",
    });
  for (const s of steps.filter((one) => one.surplus.length > 0).slice(0, 3))
    next.push({
      command: `asfound forget ${s.step} --id ${s.surplus[0]} --reason TEXT`,
      why: "only if that second object is not this step's to remove; destroy removes it",
    });
  if (doubt.length > 0)
    notOffered.push({
      command: "asfound apply",
      why: `it would look once and then refuse to repeat the call in doubt (${few(doubt)})`,
    });
  // What would call a provider again is offered only when nothing is in doubt.
  const isSettled = !steps.some(inDoubt);
  for (const s of steps.filter((one) => isSettled && one.owes).slice(0, 3))
    next.push({ command: "asfound resume", why: `${s.step} still owes work that runs first` });
  if (isSettled && failed.length > 0)
    next.push({
      command: "asfound resume",
      why: `after the cause is mended: ${few(failed)} failed, and what each did is known`,
    });
  if (isSettled && failed.length === 0 && pending.length > 0)
    next.push({
      command: "asfound apply",
      why: `${pending.length} ${pending.length === 1 ? "step has" : "steps have"} not run: ${few(pending)}`,
    });
  if (isSettled && unconfirmed.length > 0)
    next.push({ command: "asfound apply", why: `asks again whether ${few(unconfirmed)} is confirmed` });
  if (isSettled && gone.length > 0 && gone.length < steps.length)
    next.push({ command: "asfound apply", why: `creates again what is destroyed: ${few(gone)}` });
  if (isSettled && gone.length === steps.length && steps.length > 0)
    next.push({ command: "asfound apply", why: "everything is destroyed; this creates it again" });
  if (next.length === 0 && steps.length > 0)
    next.push({
      command: "asfound plan",
      why: "everything is complete; this shows what a change of the file would do",
    });
  if (steps.some((s) => s.alive) && doubt.length > 0)
    notOffered.push({
      command: "asfound destroy",
      why: `possible, but what is in doubt (${few(doubt)}) can only be removed once it is found`,
    });
  return { next, notOffered };
};
