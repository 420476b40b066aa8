/** In what two releases differ, for people: images, fields, config; then the lines of each key that differs. */
import type { ReleasedImage } from "../../../domain/release.ts";
import type { ReleaseDiffInput } from "../../../wire/api/release-diff.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { RELEASE } from "../texts/release.ts";
import { WORDS } from "../texts/words.ts";
import { block } from "./block.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { tableOf, titleOf } from "./release-page.ts";
import type { Tone } from "./style.ts";
import type { Cell } from "./table.ts";

const MOST_FIELDS = 20;

type Difference = ReleaseDiffInput["difference"];
type Compared = Difference["config"][number]["compared"];

const TONE: Readonly<Record<Compared, Tone>> = {
  same: "plain",
  differs: "yellow",
  added: "green",
  removed: "red",
  open: "magenta",
};

export const releaseDiffPage = (diff: ReleaseDiffInput, advice: Advice, page: Page): readonly string[] => {
  const { was, is, difference } = diff;
  const { style } = page;
  const fields = page.wide ? difference.template : difference.template.slice(0, MOST_FIELDS);
  const more = difference.template.length - fields.length;
  return [
    `${style("bold", printable(titleOf(was.release)))} -> ${style("bold", printable(titleOf(is.release)))}`,
    printable(difference.statement),
    ...tableOf(
      RELEASE.images,
      [WORDS.headers.state, WORDS.headers.container, "WAS", "IS"],
      difference.images.map(({ compared, container, was: before, is: now }) => [
        word(compared),
        { text: container },
        { text: imageText(before) },
        { text: imageText(now) },
      ]),
      page,
    ),
    ...tableOf(
      RELEASE.template,
      [WORDS.headers.state, "FIELD", "WAS", "IS"],
      fields.map(({ compared, path, was: before, is: now }) => [
        word(compared),
        { text: path },
        { text: before === null ? RELEASE.notThere : before },
        { text: now === null ? RELEASE.notThere : now },
      ]),
      page,
    ),
    ...(more > 0 ? [RELEASE.moreFields(more)] : []),
    ...tableOf(
      RELEASE.config,
      [WORDS.headers.state, WORDS.headers.object, "WAS", "IS", "SAYS"],
      difference.config.map((one) => [
        word(one.compared),
        { text: `${one.kind} ${one.name}` },
        { text: one.was === null ? RELEASE.noDifference : shortened(one.was, page) },
        { text: one.is === null ? RELEASE.noDifference : shortened(one.is, page) },
        { text: [...(one.recreated ? [RELEASE.recreated] : []), ...one.says].join("; ") },
      ]),
      page,
    ),
    ...difference.config.flatMap((one) => keyLines(one, page)),
    ...block(RELEASE.around, difference.around, page),
    ...adviceLines(advice, page),
  ];
};

const SHORT = 12;
const shortened = (digest: string, { wide }: Page): string => (wide ? digest : digest.slice(0, SHORT));

const word = (compared: Compared): Cell => ({ text: compared, tone: TONE[compared] });

const imageText = (image: ReleasedImage | null): string =>
  image === null ? RELEASE.notThere : `${image.image} ${image.digests.join(", ")}`;

const keyLines = ({ kind, name, keys }: Difference["config"][number], page: Page): readonly string[] =>
  keys.flatMap(({ key, compared, lines }) => [
    "",
    `${page.style("bold", printable(`${kind} ${name} ${key}:`))} ${page.style(TONE[compared], compared)}`,
    ...(lines === null ? (kind === "Secret" ? [] : [`  ${RELEASE.notText}`]) : drawn(lines, page)),
  ]);

const LINE_TONE = { "-": "red", "+": "green", " ": "dim" } as const;

const drawn = (
  { runs, left }: NonNullable<Difference["config"][number]["keys"][number]["lines"]>,
  { style }: Page,
): readonly string[] => [
  ...runs.flatMap((run, at) => [
    ...(at === 0 ? [] : [style("dim", "  …")]),
    ...run.map(({ sign, text }) => style(LINE_TONE[sign], `  ${sign} ${printable(text)}`)),
  ]),
  ...(left > 0 ? [`  ${RELEASE.moreLines(left)}`] : []),
];
