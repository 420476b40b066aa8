import { EXIT, type ExitCode } from "./exit.ts";
import { isHistory, type StepState } from "./state.ts";

/** What a step's state alone would make of the exit code (DESIGN §6, `status`). */
export const exitOf = (state: StepState): ExitCode => {
  if (isHistory(state)) return EXIT.proven;
  // R3: not gone on one reading, and not proven to be there either.
  if ((state.status === "complete" || state.status === "unconfirmed") && state.missingSince !== null)
    return EXIT.unresolved;
  switch (state.status) {
    case "running":
    case "destroying":
    case "unresolved":
      return EXIT.unresolved;
    case "error":
      // `effect` speaks of the last call only: one before it may still be unsettled.
      return state.effect === "possible" || state.open.length > 0 ? EXIT.unresolved : EXIT.refuted;
    case "unconfirmed":
      if (state.confirmed?.finding === "refuted") return EXIT.refuted;
      return state.confirmed?.finding === "progressing" ? EXIT.progressing : EXIT.undetermined;
    case "destroyed":
      return state.disappeared ? EXIT.refuted : EXIT.proven;
    case "complete":
      return state.owes.length > 0 ? EXIT.refuted : EXIT.proven;
    case "pending":
    case "retained":
      return EXIT.proven;
  }
};
