/** What retention deleted, as later runs of the chain say. */
import { join } from "node:path";
import type { RunId, RunLink } from "../../../domain/evidence-run.ts";
import { iso } from "../../../domain/ids.ts";
import { sha256Hex } from "../../../wire/digest.ts";
import { runsDeletedIn } from "../../../wire/evidence/retention.ts";
import { digestOfHex } from "../../../wire/evidence/sums.ts";
import { readBytes } from "./files.ts";
import { runPath, slotsIn } from "./layout.ts";
import { MOST_BYTES, readLink, type WholeLink } from "./link.ts";

export interface Deleted {
  readonly by: RunLink;
  readonly sequence: number;
  /** ISO 8601. */
  readonly at: string;
}

export class Retention {
  readonly #place: string;
  readonly #isSound: (link: WholeLink) => boolean;
  readonly #deleted = new Map<RunId, Deleted>();
  #isLookedThrough: boolean;

  /** `isSound`: whether its signature is as it has to be. `isTold`: each is added by somebody who walks from the newest one. */
  constructor(
    place: string,
    isSound: (link: WholeLink) => boolean,
    { isTold }: { readonly isTold: boolean },
  ) {
    this.#place = place;
    this.#isSound = isSound;
    this.#isLookedThrough = isTold;
  }

  /** null: nothing of it was. The chain above is looked through once, and only when something is missing. */
  of(link: WholeLink): Deleted | null {
    if (!this.#isLookedThrough) this.#lookThrough();
    const deleted = this.#deleted.get(link.run);
    // A record from before the run is about another one.
    return deleted !== undefined && deleted.sequence > link.sequence ? deleted : null;
  }

  /** As far as it is known without looking through the chain. */
  knownOf(link: WholeLink): Deleted | null {
    return this.#isLookedThrough ? this.of(link) : null;
  }

  add(link: WholeLink): void {
    const { run, sequence, sha256, statement } = link;
    const read = readBytes(join(this.#place, runPath(run), "report.json"), MOST_BYTES);
    if ("fault" in read) return;
    const digest = digestOfHex(sha256Hex(read.bytes));
    const runs = statement.subjects.get("report.json") === digest ? runsDeletedIn(read.bytes) : undefined;
    const deleted = { by: { run, sha256 }, sequence, at: iso(statement.recordedAt) };
    // The first record of it stands: a later one would only go on with what that one began.
    for (const its of runs ?? [])
      if ((this.#deleted.get(its)?.sequence ?? Number.POSITIVE_INFINITY) > sequence)
        this.#deleted.set(its, deleted);
  }

  #lookThrough(): void {
    this.#isLookedThrough = true;
    for (const sequence of slotsIn(this.#place).sequences) {
      const link = readLink(this.#place, sequence);
      if (link.kind === "whole" && link.statement.kind === "retention" && this.#isSound(link)) this.add(link);
    }
  }
}
