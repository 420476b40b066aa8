/** `irreversible`: what the release declared that no rollback brings back (Y5): a person has to have read it. */
import type { Check } from "../../domain/rollback.ts";
import { counted, listed, quoted } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Given } from "./given.ts";

export const irreversible = ({ target }: Given): Check => {
  const checking = new Checking("irreversible");
  const { release } = target;
  if (release === null) {
    checking.limit(
      "a revision of the cluster declares no effects: what it has left behind elsewhere is not known",
    );
    return checking.proven("none-declared", "nothing was declared, since there is no recorded release");
  }
  checking.limit("only what was declared when the release was recorded can be listed");
  return release.irreversible.length === 0
    ? checking.proven("none-declared", "the release declared no effect that a rollback would leave behind")
    : checking.refuted(
        "declared",
        `${counted(release.irreversible.length, "effect")} would stay as ${release.irreversible.length === 1 ? "it is" : "they are"}: ${listed(release.irreversible.map(quoted))}`,
        "read them, and say --accept-irreversible",
      );
};
