/** release ls, release show: what was recorded. No cluster is asked. */
import type { ReleasesPlace } from "../../../compose/releases.ts";
import { EXIT } from "../../../domain/exit.ts";
import { releaseList as listDocument } from "../../../wire/api/release-list.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { releaseDocument } from "../../../wire/releases/document.ts";
import { verificationOf } from "../../../wire/releases/verification.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { ReleaseFlags } from "../flags-release.ts";
import { quoted } from "../output/next.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { releaseListPage, releasePage } from "../output/release-page.ts";
import { RELEASE } from "../texts/release.ts";
import { targetIn } from "./cluster.ts";
import { refuse } from "./where.ts";

type Flags = ReleaseFlags & PrintFlags & Everywhere;

export const placeIn = (cli: Cli, flags: { readonly releases?: string }): ReleasesPlace => ({
  releases: flags.releases ?? null,
  cwd: cli.terminal.cwd,
  environment: cli.terminal.environment,
});

/** The store as it has to be typed again. */
export const storeWords = ({ releases }: { readonly releases?: string }): string =>
  releases === undefined ? "" : ` --releases ${quoted(releases)}`;

export async function releaseList(this: Cli, flags: Flags, typed?: string): Promise<void> {
  const { listReleases } = await import("../../../compose/release-read.ts");
  const target = typed === undefined ? null : { ...targetIn(typed), namespace: flags.namespace ?? "default" };
  const listed = await listReleases(placeIn(this, flags), target);
  if (listed.kind === "refused") return void (await refuse(this, listed));
  const { namespace } = flags;
  const releases =
    namespace === undefined
      ? listed.releases
      : listed.releases.filter(({ release }) => release.target.namespace === namespace);
  const list = { ...listed, releases };
  const [last, before] = [releases.at(-1), releases.at(-2)];
  const where = storeWords(flags);
  const next = [
    ...(last === undefined
      ? [RELEASE.record("asfound release record deployment/NAME -n NAMESPACE --name v1")]
      : [RELEASE.show(`asfound release show ${last.release.id}${where}`)]),
    ...(last === undefined || before === undefined
      ? []
      : [RELEASE.diff(`asfound release diff ${before.release.id} ${last.release.id}${where}`)]),
  ];
  await print(this, flags, {
    page: (page) => releaseListPage(list, { next, notOffered: [] }, page),
    json: () => listDocument(list),
    stream: () => releases.map(({ release }) => releaseDocument(release)),
    names: () => releases.map(({ release }) => release.id),
  });
  this.exit(listed.altered.length === 0 ? EXIT.proven : EXIT.undetermined);
}

export async function releaseShow(this: Cli, flags: Flags, idOrName: string): Promise<void> {
  const { oneRelease } = await import("../../../compose/release-read.ts");
  const read = await oneRelease(placeIn(this, flags), idOrName);
  if (read.kind === "refused") return void (await refuse(this, read));
  const { release, report } = read;
  const where = storeWords(flags);
  const next = [RELEASE.expect(`asfound release show ${release.id}${where} -o verification`)];
  await print(this, flags, {
    page: (page) => releasePage(release, { next, notOffered: [] }, page),
    json: () => releaseDocument(release),
    names: () => [release.id],
    forms: {
      verification: () => {
        const { text, limits } = verificationOf(release, report);
        for (const limit of limits) this.terminal.err.write(`asfound: ${printable(limit)}\n`);
        return text;
      },
    },
  });
  this.exit(EXIT.proven);
}
