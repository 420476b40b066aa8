/** Who still names which config, for people: what nobody names first, then what is about to be lost. */
import type { RetentionInput } from "../../../wire/api/retention-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { RELEASE } from "../texts/release.ts";
import { WORDS } from "../texts/words.ts";
import { block } from "./block.ts";
import type { Page } from "./print.ts";
import { tableOf } from "./release-page.ts";

const MOST_HOLDERS = 4;

export const retentionPage = (report: RetentionInput, page: Page): readonly string[] => {
  const objects = [...report.objects].sort((a, b) => Number(b.proposed) - Number(a.proposed));
  return [
    page.style("bold", printable(report.statement)),
    printable(RELEASE.lookedIn(report.releases, report.place)),
    ...tableOf(
      RELEASE.config,
      [WORDS.headers.state, WORDS.headers.object, "NAMED BY", WORDS.headers.why],
      objects.map((one) => [
        { text: one.proposed ? RELEASE.proposed : RELEASE.kept, tone: one.proposed ? "yellow" : "plain" },
        { text: `${one.kind} ${one.name}${one.immutable ? ` (${RELEASE.immutable})` : ""}` },
        { text: holdersText(one.holders, page.wide) },
        { text: one.why },
      ]),
      page,
    ),
    ...block(
      RELEASE.nextToGo,
      report.next.map((one) =>
        RELEASE.goes(one, one.only.map(({ kind, name }) => `${kind} ${name}`).join(", ")),
      ),
      page,
    ),
    ...block(
      RELEASE.gone,
      report.gone.map(({ kind, name, release }) => RELEASE.goneOf(`${kind} ${name}`, release)),
      page,
    ),
    ...block(RELEASE.unread, report.unread, page),
    ...block(RELEASE.limits, report.limits, page),
    "",
    RELEASE.deletesNothing,
  ];
};

const holdersText = (holders: RetentionInput["objects"][number]["holders"], wide: boolean): string => {
  if (holders.length === 0) return "-";
  const shown = wide ? holders : holders.slice(0, MOST_HOLDERS);
  const more = holders.length - shown.length;
  return `${shown.map(({ kind, name }) => `${kind} ${name}`).join(", ")}${more > 0 ? `, ${more} more` : ""}`;
};
