/** `recover report` for people: one list of sections, as lines, as Markdown and as HTML. */
import type { GitRecoveryInput } from "../../../wire/api/git-recovery-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { GIT_RECOVERY } from "../texts/git-recovery.ts";
import { code, tableOf } from "./ci/markdown.ts";
import { htmlPage, type Section } from "./html.ts";
import { type Advice, adviceLines } from "./next.ts";
import type { Page } from "./print.ts";
import { findingTone } from "./style.ts";
import { table } from "./table.ts";

const named = ({ target }: GitRecoveryInput): string =>
  `${target.kind} ${target.namespace === null ? "" : `${target.namespace}/`}${target.name}`;

type Told = GitRecoveryInput["commits"][number];

const commitCells = ({ role, commit, why, tree, parents, author, committer, subject, signature }: Told) => [
  GIT_RECOVERY.roles[role],
  commit.slice(0, 12),
  tree === null ? GIT_RECOVERY.unread(why) : tree.slice(0, 12),
  parents === null ? "" : parents.map((parent) => parent.slice(0, 12)).join(", "),
  committer === null ? "" : (committer.at ?? "?"),
  author === null ? "" : author.name,
  subject ?? "",
  signature === null ? "" : GIT_RECOVERY.signature[signature],
];

const list = (items: readonly string[]): Section["blocks"] =>
  items.length === 0 ? [] : [{ kind: "list", items }];

const changeText = ({ kind, objects, why }: GitRecoveryInput["changes"]["failing"]): readonly string[] => [
  `${GIT_RECOVERY.change[kind]}${why === null ? "" : `: ${why}`}`,
  ...objects.map(({ object, what }) => `${object}: ${what}`),
];

const sectionsOf = (report: GitRecoveryInput): readonly Section[] => {
  const { parts, headers } = GIT_RECOVERY;
  const { content, lineage, changes, timeline } = report;
  const all: readonly Section[] = [
    { title: "", blocks: [{ kind: "text", text: report.statement }] },
    {
      title: parts.commits,
      blocks: [
        { kind: "table", headers: headers.commits, rows: report.commits.map(commitCells) },
        ...list([
          GIT_RECOVERY.failureIs(lineage.failureAfterNormal),
          GIT_RECOVERY.recoveryIs(lineage.recoveryAfterFailure),
          GIT_RECOVERY.reverts(report.saysItReverts),
          `${GIT_RECOVERY.content(content.equal, report.path)}${content.why === null ? "" : `: ${content.why}`}`,
          ...content.differs.map(({ path, how }) => `${path}: ${how}`),
        ]),
      ],
    },
    { title: parts.failing, blocks: list(changeText(changes.failing)) },
    { title: parts.recovering, blocks: list(changeText(changes.recovering)) },
    {
      title: parts.findings,
      blocks: [
        {
          kind: "table",
          headers: headers.findings,
          rows: report.findings.map(({ claim, finding, sentence }) => [claim, finding, sentence]),
        },
      ],
    },
    { title: parts.identity, blocks: list(report.identity) },
    { title: parts.firstAid, blocks: list(report.firstAid) },
    { title: parts.permanent, blocks: list(report.permanent) },
    {
      title: parts.git,
      blocks: [
        {
          kind: "table",
          headers: headers.git,
          rows: timeline.git.map(({ at, commit, author, subject, role }) => [
            at ?? "?",
            commit.slice(0, 12),
            role === null ? "" : GIT_RECOVERY.roles[role],
            author ?? "",
            subject ?? "",
          ]),
        },
      ],
    },
    {
      title: parts.cluster,
      blocks:
        timeline.cluster.length === 0
          ? []
          : [
              {
                kind: "table",
                headers: headers.cluster,
                rows: timeline.cluster.map(({ at, what, evidence }) => [at, what, evidence]),
              },
            ],
    },
    { title: parts.limits, blocks: list(report.limits) },
  ];
  return all.filter(({ blocks }) => blocks.length > 0);
};

const titleOf = (report: GitRecoveryInput): string =>
  `asfound recover report: ${named(report)}: ${report.verdict}`;

export const gitRecoveryHtml = (report: GitRecoveryInput): string =>
  htmlPage(titleOf(report), sectionsOf(report));

export const gitRecoveryMarkdown = (report: GitRecoveryInput): string =>
  `${[
    `# asfound recover report: ${report.verdict}`,
    "",
    code(named(report)),
    ...sectionsOf(report).flatMap(({ title, blocks }) => [
      ...(title === "" ? [] : ["", `## ${title}`]),
      ...blocks.flatMap((block) => {
        if (block.kind === "text") return ["", code(block.text)];
        if (block.kind === "list") return ["", ...block.items.map((item) => `- ${code(item)}`)];
        return [
          "",
          ...tableOf(
            block.headers,
            block.rows.map((row) => row.map((cell) => (cell === "" ? "" : code(cell)))),
          ),
        ];
      }),
    ]),
  ].join("\n")}\n`;

export const gitRecoveryPage = (report: GitRecoveryInput, advice: Advice, page: Page): readonly string[] => {
  const { style } = page;
  const tone = findingTone(report.verdict as Parameters<typeof findingTone>[0]);
  return [
    `${style("bold", printable(named(report)))}: ${style(tone, report.verdict)}`,
    ...sectionsOf(report).flatMap(({ title, blocks }) => [
      ...(title === "" ? [] : ["", `${title}:`]),
      ...blocks.flatMap((block) => {
        if (block.kind === "text") return [printable(block.text)];
        if (block.kind === "list") return block.items.map((item) => `  ${printable(item)}`);
        return table(
          block.rows.map((row) => row.map((text) => ({ text }))),
          { headers: page.headers ? [...block.headers] : null, style, columns: page.columns },
        );
      }),
    ]),
    ...adviceLines(advice, page),
  ];
};
