/** What the providers themselves say happened, from both clouds' own logs in one form, in the order of the effects. */
import type { Action } from "../../../src/domain/step.ts";
import type { LogEntry } from "../../../src/testing/cloud/log.ts";

export type Happened =
  | { readonly kind: "created"; readonly step: string; readonly id: string; readonly key: string | null }
  | { readonly kind: "destroyed"; readonly id: string };

/** A changing request that arrived. */
export interface Sent {
  readonly step: string;
  readonly action: Action;
  readonly key: string | null;
  /** Which call it was, where the protocol tells. */
  readonly attempt: string | null;
}

/** An id that was handed out whole: whoever asked lived, or was killed by then. */
export interface Told {
  readonly step: string;
  readonly id: string;
  readonly key: string | null;
}

export interface Evidence {
  readonly happened: readonly Happened[];
  readonly sent: readonly Sent[];
  readonly told: readonly Told[];
  /** How often each kind of fault struck. */
  readonly faults: readonly string[];
}

const HTTP_STEP = "app";

/** The lines of log-cloud.sh. */
export const execEvidence = (log: readonly string[]): Evidence => {
  const happened: Happened[] = [];
  const sent: Sent[] = [];
  const told: Told[] = [];
  const faults: string[] = [];
  const steps = new Map<string, string>();
  for (const line of log) {
    const [what, first = "", second = "", third = "", fourth = "", fifth = ""] = line.split(" ");
    if (what === "created") {
      steps.set(first, second);
      happened.push({ kind: "created", step: second, id: first, key: third });
    } else if (what === "destroyed") happened.push({ kind: "destroyed", id: first });
    else if (what === "call")
      sent.push({ action: first as Action, step: second, key: third, attempt: `${fourth} ${fifth}` });
    else if (what === "told") told.push({ step: steps.get(first) ?? "?", id: first, key: second });
    else if (what === "fault") faults.push(`exec ${third} ${fourth}`);
  }
  return { happened, sent, told, faults };
};

const ACTIONS: Readonly<Record<string, Action>> = { create: "create", update: "update", delete: "destroy" };

/** The entries of one kind, which is one stack's. */
export const httpEvidence = (log: readonly LogEntry[], kind: string): Evidence => {
  const ours = log.filter((entry) => entry.kind === kind);
  const key = new Map(
    ours.flatMap((entry) => entry.effects.map((effect) => [effect.nth, entry.key] as const)),
  );
  const effects = ours.flatMap((entry) => entry.effects).sort((a, b) => a.nth - b.nth);
  return {
    happened: effects.flatMap(({ what, id, nth }): readonly Happened[] => {
      if (what === "created") return [{ kind: "created", step: HTTP_STEP, id, key: key.get(nth) ?? null }];
      return what === "deleted" ? [{ kind: "destroyed", id }] : [];
    }),
    sent: ours.flatMap((entry): readonly Sent[] => {
      const action = ACTIONS[entry.verb];
      if (action === undefined) return [];
      return [{ step: HTTP_STEP, action, key: action === "create" ? entry.key : null, attempt: null }];
    }),
    told: ours.flatMap((entry): readonly Told[] => {
      const [made] = entry.effects;
      const isWhole = entry.status === 201 && !entry.faults.includes("cut");
      return isWhole && made?.what === "created" ? [{ step: HTTP_STEP, id: made.id, key: entry.key }] : [];
    }),
    faults: ours.flatMap((entry) => entry.faults.map((fault) => `http ${fault}`)),
  };
};

export const together = (parts: readonly Evidence[]): Evidence => ({
  happened: parts.flatMap((part) => part.happened),
  sent: parts.flatMap((part) => part.sent),
  told: parts.flatMap((part) => part.told),
  faults: parts.flatMap((part) => part.faults),
});

/** What lives at the end, by id. */
export const alive = (happened: readonly Happened[]): ReadonlyMap<string, string> => {
  const live = new Map<string, string>();
  for (const event of happened)
    if (event.kind === "created") live.set(event.id, event.step);
    else live.delete(event.id);
  return live;
};
