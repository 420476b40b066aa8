/** What stops the testbed: one sentence for the person, with what to do about it. */

/** `cannot-run`: the machine lacks something; nothing was started. `failed`: something was tried. `usage`: a wrong call. */
export type FaultKind = "cannot-run" | "failed" | "usage";

export class TestbedFault extends Error {
  override readonly name = "TestbedFault";
  readonly kind: FaultKind;

  constructor(kind: FaultKind, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.kind = kind;
  }
}

/** As in DESIGN §7: 2 usage, 23 a precondition is missing and nothing was called, 10 it failed. */
export const EXIT_OF: Readonly<Record<FaultKind, number>> = { usage: 2, "cannot-run": 23, failed: 10 };
