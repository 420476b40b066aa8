/** Which steps are at work, with what, and since when: what both drawings of progress keep. */
import type { ProgressEvent } from "../../../ports/reporter.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { PROGRESS } from "../texts/progress.ts";
import { doing, waitingText } from "./sentence.ts";

export interface Work {
  readonly what: string;
  readonly sinceMs: number;
  /** The latest line, or what is waited for. */
  readonly detail: string;
}

/** Steps by name, the longest at work first; the empty name is the operation itself, waiting. */
export class AtWork {
  readonly #steps = new Map<string, Work>();

  get steps(): ReadonlyMap<string, Work> {
    return this.#steps;
  }

  take(event: ProgressEvent, nowMs: number): void {
    switch (event.kind) {
      case "calling":
        this.#set(event.step, doing(event.action), nowMs, "");
        return;
      case "observing":
        this.#set(event.step, PROGRESS.observing, nowMs, "");
        return;
      case "progress":
        this.#detail(event.step, nowMs, printable(event.text));
        return;
      case "waiting":
        this.#detail(event.step ?? "", nowMs, waitingText(event.why, event.untilMs));
        return;
      case "step":
        this.#steps.delete(event.step);
        return;
      case "operation-began":
        this.#steps.delete("");
        return;
      case "operation-ended":
        this.#steps.clear();
        return;
      case "note":
      case "finding":
      case "looking":
      case "looked":
    }
  }

  /** A new look at the same thing does not begin its time anew. */
  #set(step: string, what: string, nowMs: number, detail: string): void {
    const before = this.#steps.get(step);
    this.#steps.set(step, { what, sinceMs: before?.what === what ? before.sinceMs : nowMs, detail });
  }

  #detail(step: string, nowMs: number, detail: string): void {
    const before = this.#steps.get(step) ?? { what: "", sinceMs: nowMs, detail: "" };
    this.#steps.set(step, { ...before, detail });
  }
}
