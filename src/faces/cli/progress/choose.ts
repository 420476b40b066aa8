/** Which progress is shown: what was asked for, else a tree on a terminal and plain lines elsewhere. */
import type { Clock } from "../../../ports/clock.ts";
import type { Cli } from "../context.ts";
import type { ProgressMode } from "../flags.ts";
import { styleFor } from "../output/style.ts";
import { type Progress, quiet, realTicker } from "./progress.ts";

export const progressFor = async (
  cli: Cli,
  flags: { readonly progress: ProgressMode; readonly color: "auto" | "always" | "never" },
  clock: Clock,
): Promise<Progress> => {
  const sink = cli.terminal.err;
  const { environment } = cli.terminal;
  const style = styleFor({ isTTY: sink.isTTY, environment, color: flags.color });
  const drawable = sink.isTTY && environment["TERM"] !== "dumb";
  switch (flags.progress) {
    case "quiet":
      return quiet;
    case "json":
      return (await import("./json.ts")).jsonProgress(sink, clock);
    case "plain":
      return (await import("./plain.ts")).plainProgress({ sink, clock, style, ticker: realTicker });
    default:
      if (flags.progress === "auto" && !drawable)
        return (await import("./plain.ts")).plainProgress({ sink, clock, style, ticker: realTicker });
      return (await import("./tree.ts")).treeProgress({ sink, clock, style, ticker: realTicker });
  }
};
