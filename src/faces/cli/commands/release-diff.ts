/** release diff: in what two recorded releases differ. No cluster is asked. */
import { EXIT } from "../../../domain/exit.ts";
import { configDifference, releaseDiff as diffDocument } from "../../../wire/api/release-diff.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { RecordFlags } from "../flags-release.ts";
import { quoted } from "../output/next.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { releaseDiffPage } from "../output/release-diff-page.ts";
import { RELEASE } from "../texts/release.ts";
import { placeIn, storeWords } from "./release.ts";
import { refuse } from "./where.ts";

type Flags = Pick<RecordFlags, "releases"> & PrintFlags & Everywhere;

export async function releaseDiff(this: Cli, flags: Flags, was: string, is: string): Promise<void> {
  const { diffReleases } = await import("../../../compose/release-read.ts");
  const diffed = await diffReleases(placeIn(this, flags), [was, is]);
  if (diffed.kind === "refused") return void (await refuse(this, diffed));
  const { difference } = diffed;
  const where = is.includes(":") ? ` --releases ${quoted(diffed.is.place)}` : storeWords(flags);
  const advice = {
    next: [RELEASE.show(`asfound release show ${diffed.is.release.id}${where}`)],
    notOffered: [],
  };
  await print(this, flags, {
    page: (page) => releaseDiffPage(diffed, advice, page),
    json: () => diffDocument(diffed),
    stream: () => difference.config.map(configDifference),
  });
  const isOpen = [...difference.template, ...difference.config].some(({ compared }) => compared === "open");
  this.exit(isOpen ? EXIT.undetermined : EXIT.proven);
}
