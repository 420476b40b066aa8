/**
 * What apply is to do with a step, decided from facts alone. `plan` shows it; `apply` decides it again after it looked.
 */
import { isRefutedOnly } from "./confirm.ts";
import type { Capabilities, InputsDigest } from "./journal.ts";
import type { StepState } from "./state.ts";
import { isAlive, retainOf } from "./state.ts";
import type { Action } from "./step.ts";

export type Change =
  | { readonly do: "create"; readonly why: string }
  | { readonly do: "update"; readonly why: string }
  | { readonly do: "replace"; readonly why: string }
  | { readonly do: "destroy"; readonly why: string }
  /** An earlier call is in doubt, or something recorded has to be looked at: what follows depends on what is seen. */
  | { readonly do: "observe-first"; readonly why: string }
  | { readonly do: "leave"; readonly why: string }
  /** Nothing is done without a person's decision. */
  | { readonly do: "decide"; readonly why: string };

/** The calls that a change is made of; of `observe-first` nobody knows yet. */
export const CALLS_OF: Readonly<Record<Change["do"], readonly Action[]>> = {
  create: ["create"],
  update: ["update"],
  replace: ["destroy", "create"],
  destroy: ["destroy"],
  "observe-first": [],
  leave: [],
  decide: [],
};

/** What the file says of the step today. */
export interface Today {
  readonly can: Capabilities;
  readonly onChange: "update" | "replace" | null;
  /** null: not known before other steps ran. */
  readonly inputsDigest: InputsDigest | null;
}

/** How the recorded inputs compare with today's. */
export type InputsChange = "same" | "changed" | "not-comparable" | "not-known";

export const compareInputs = (applied: InputsDigest | null, today: InputsDigest | null): InputsChange => {
  if (today === null) return "not-known";
  if (applied === null) return "changed";
  if (applied.digest === today.digest) return "same";
  if (applied.keyId !== null && today.keyId !== null && applied.keyId !== today.keyId)
    return "not-comparable";
  return "changed";
};

/** For a step that is in the file. `state` is what is recorded, after any look that was taken. */
export const changeFor = (state: StepState | undefined, today: Today): Change => {
  if (state === undefined) return { do: "create", why: "it was never created" };
  const doubt = state.open.at(-1);
  if (doubt !== undefined) {
    const what = doubt.outcome === null ? "no outcome was recorded" : `its outcome is ${doubt.outcome}`;
    return { do: "observe-first", why: `an earlier ${doubt.action} is in doubt: ${what}` };
  }
  if (state.surplus.length > 0)
    return {
      do: "decide",
      why: `a second object exists (${state.surplus.map((s) => s.id).join(", ")}); destroy or forget it first`,
    };
  if (!isAlive(state)) {
    if (state.disappeared) return { do: "create", why: `it has to be created again: it ${state.reason}` };
    if (state.failedCommand !== null) return { do: "create", why: "the last attempt left nothing" };
    return { do: "create", why: state.attempts === 0 ? "it was never created" : "nothing of it exists" };
  }
  return alive(state, today);
};

const alive = (state: StepState, today: Today): Change => {
  // What a look could not place is nothing to send a change at (R4).
  if (state.status === "unresolved") return { do: "observe-first", why: state.reason };
  // There and as declared: what was refuted is asked again, not made again.
  if (state.status === "error" && !isRefutedOnly(state)) {
    const cause =
      state.failedCommand === null
        ? "it is not as declared"
        : `the last ${state.failedCommand} did not end well`;
    return renew(today, cause);
  }
  switch (compareInputs(state.applied?.inputsDigest ?? null, today.inputsDigest)) {
    case "same":
      return { do: "leave", why: "its inputs are those last applied" };
    case "not-known":
      return { do: "leave", why: "its inputs are known only after the steps it needs have run" };
    case "not-comparable":
      return {
        do: "leave",
        why: "its secrets were digested with another ledger key, so a change cannot be told",
      };
    case "changed":
      return renew(today, "its inputs changed");
  }
};

const renew = (today: Today, cause: string): Change => {
  if (today.onChange === "replace") return { do: "replace", why: `${cause}, and onChange is replace` };
  if (today.can.update) return { do: "update", why: cause };
  return {
    do: "decide",
    why: `${cause}, and its provider cannot update it here; set onChange: replace to have it replaced`,
  };
};

/** For a step that is recorded but no longer in the file. */
export const changeForLeft = (state: StepState, allowDestroy: boolean): Change => {
  const retain = retainOf(state);
  if (!isAlive(state)) return { do: "leave", why: "it left the file, and nothing of it exists" };
  if (retain !== null)
    return { do: "leave", why: `it left the file and is retained (${retain.owner}: ${retain.reason})` };
  if (allowDestroy) return { do: "destroy", why: "it left the file" };
  const exists = state.present ? "still exists" : "may still exist";
  return { do: "leave", why: `it left the file and ${exists}; --allow-destroy, or destroy, removes it` };
};

/** Pointers at what differs between two inputs, for the plan's lines; at most `limit`. */
export const differences = (before: unknown, after: unknown, limit = 20): string[] => {
  const found: string[] = [];
  const pending: [unknown, unknown, string][] = [[before, after, ""]];
  while (pending.length > 0 && found.length < limit) {
    const [a, b, path] = pending.pop() as [unknown, unknown, string];
    if (a === b) continue;
    if (isRecord(a) && isRecord(b)) {
      const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort().reverse();
      for (const name of names)
        pending.push([a[name], b[name], `${path}/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`]);
    } else if (JSON.stringify(a) !== JSON.stringify(b)) found.push(path === "" ? "/" : path);
  }
  return found;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
