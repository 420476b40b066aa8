/** A release for people: what it is of, images and config in a table each, then what it does not tell. */
import { iso } from "../../../domain/ids.ts";
import type { Release, ReleasedConfig } from "../../../domain/release.ts";
import type { ReleaseListInput } from "../../../wire/api/release-list.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { RELEASE } from "../texts/release.ts";
import { WORDS } from "../texts/words.ts";
import { block } from "./block.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { type Cell, table } from "./table.ts";

export const releasePage = (release: Release, advice: Advice, page: Page): readonly string[] => {
  const { style } = page;
  const { target, source, revision, cluster } = release;
  return [
    style("bold", printable(`${target.kind} ${target.namespace}/${target.name}: ${titleOf(release)}`)),
    `proven at ${iso(release.provenAt)}, ${printable(serverText(cluster.server))}, UID ${printable(target.uid)}, generation ${target.generation}`,
    ...(source === null ? [] : [printable(RELEASE.source(source.commit, source.tree))]),
    printable(
      `template ${release.templateDigest}${revision === null ? "" : `, held by ${revision.kind} ${revision.name} (UID ${revision.uid})`}`,
    ),
    ...tableOf(
      RELEASE.images,
      [WORDS.headers.container, "IMAGE", "DIGEST"],
      cells(release.images.map(({ container, image, digests }) => [container, image, digests.join(", ")])),
      page,
    ),
    ...tableOf(
      RELEASE.config,
      [WORDS.headers.object, "KEYS", "SHA256", ""],
      cells([
        ...release.config.map((one) => [
          `${one.kind} ${one.name}`,
          page.wide ? [...one.keys.keys()].join(",") : RELEASE.keys(one.keys.size),
          digestText(one),
          one.immutable ? RELEASE.immutable : RELEASE.mutable,
        ]),
        ...release.unheld.map(({ kind, name, reason }) => [
          `${kind} ${name}`,
          "-",
          "-",
          RELEASE.unheld[reason],
        ]),
      ]),
      page,
    ),
    ...block(RELEASE.removed, [...release.removed.keys()], page),
    ...block(RELEASE.irreversible, release.irreversible, page),
    ...block(RELEASE.limits, release.limits, page),
    ...adviceLines(advice, page),
  ];
};

export const releaseListPage = (list: ReleaseListInput, advice: Advice, page: Page): readonly string[] => {
  const rows = list.releases.map(({ release }) => [
    release.name === null ? "-" : release.name,
    release.id,
    `${release.target.kind.toLowerCase()}/${release.target.name}`,
    release.target.namespace,
    iso(release.provenAt),
    imagesText(release),
    configText(release.config),
    ...(page.wide
      ? [serverText(release.cluster.server), release.source === null ? "-" : release.source.commit]
      : []),
  ]);
  const wide = page.wide ? ["CLUSTER", "COMMIT"] : [];
  const headers = ["NAME", WORDS.headers.id, WORDS.headers.target, "NAMESPACE", "PROVEN", "IMAGES", "CONFIG"];
  return [
    ...(rows.length === 0 && list.altered.length === 0
      ? [printable(RELEASE.none(list.place))]
      : table(cells(rows), {
          headers: page.headers ? [...headers, ...wide] : null,
          style: page.style,
          columns: page.columns,
        })),
    ...block(
      RELEASE.altered,
      list.altered.map(({ id, fault }) => `${id}: ${fault}`),
      page,
    ),
    ...block(RELEASE.unfinished, list.unfinished, page),
    ...adviceLines(advice, page),
  ];
};

export const titleOf = ({ id, name }: Pick<Release, "id" | "name">): string =>
  name === null ? id : `${name} (${id})`;

const cells = (rows: readonly (readonly string[])[]): readonly (readonly Cell[])[] =>
  rows.map((row) => row.map((text) => ({ text })));

/** A titled table; nothing where it has no rows. */
export const tableOf = (
  title: string,
  headers: readonly string[],
  rows: readonly (readonly Cell[])[],
  page: Page,
): readonly string[] =>
  rows.length === 0
    ? []
    : [
        "",
        page.style("bold", title),
        ...table(rows, { headers: page.headers ? headers : null, style: page.style, columns: null }),
      ];

const digestText = ({ kind, digest }: ReleasedConfig): string =>
  kind === "Secret" ? RELEASE.keyed(digest) : digest;

const serverText = (server: string | null): string => (server === null ? "from saved files" : server);

const SHORT = 12;

const imagesText = ({ images }: Release): string =>
  images
    .map(({ container, digests }) => `${container}=${digests.map((one) => shortDigest(one)).join("+")}`)
    .join(" ");

const configText = (config: readonly ReleasedConfig[]): string =>
  config.length === 0 ? "-" : config.map(({ name, digest }) => `${name}=${digest.slice(0, SHORT)}`).join(" ");

const shortDigest = (digest: string): string => digest.replace(/^sha256:/, "").slice(0, SHORT);
