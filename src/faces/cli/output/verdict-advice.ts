/** What a person can do about a verdict; deploying again is never offered (DESIGN §7). */
import { EXIT } from "../../../domain/exit.ts";
import type { VerdictListInput } from "../../../wire/api/verdict-list.ts";
import type { VerdictReportInput } from "../../../wire/api/verdict-report.ts";
import type { Verifying } from "../flags.ts";
import { VERDICT } from "../texts/verdict.ts";
import { type Advice, quoted } from "./next.ts";

/** `typed`: the target as the person wrote it. */
export const adviceOn = (report: VerdictReportInput, typed: string, flags: Verifying): Advice => ({
  next: report.exit === EXIT.proven ? [] : [again(report, typed, flags)],
  notOffered: report.exit === EXIT.progressing ? [VERDICT.notAgain] : [],
});

const again = (
  { target, exit }: VerdictReportInput,
  typed: string,
  flags: Verifying,
): Advice["next"][number] => {
  if (flags.from !== undefined)
    return VERDICT.save(
      quoted(flags.namespace ?? "default"),
      target.kind.toLowerCase(),
      target.name,
      quoted(folderOf(flags.from)),
    );
  const command = commandFor(typed, target.namespace, flags);
  return exit === EXIT.progressing && !flags.watch ? VERDICT.watch(command) : VERDICT.look(command);
};

const commandFor = (typed: string, namespace: string | null, flags: Verifying): string => {
  const said = [
    ...(namespace === null ? [] : ["-n", namespace]),
    ...(flags.from === undefined ? [] : ["--from", flags.from]),
    ...(flags.rules ?? []).flatMap((file) => ["--rules", file]),
    ...(flags.context === undefined ? [] : ["--context", flags.context]),
    ...(flags.kubeconfig === undefined ? [] : ["--kubeconfig", flags.kubeconfig]),
    ...(flags.baseline === undefined ? [] : ["--baseline", flags.baseline]),
    ...(flags.proven === undefined ? [] : ["--proven", flags.proven]),
    ...(flags.allowExec ?? []).flatMap((command) => ["--allow-exec", command]),
  ];
  const what = flags.file === undefined ? [typed] : ["-f", flags.file];
  return ["asfound verify", ...[...what, ...said].map(quoted)].join(" ");
};

/** More than this many commands help nobody at once. */
const TOLD = 3;

/** For many: the worst of them one by one. */
export const adviceOnList = (list: VerdictListInput, flags: Verifying): Advice => ({
  next: list.items
    .filter(({ exit }) => exit !== EXIT.proven)
    .slice(0, TOLD)
    .map(({ target }) => VERDICT.each(commandFor(typedOf(target), target.namespace, flags))),
  notOffered: list.exit === EXIT.progressing ? [VERDICT.notAgain] : [],
});

/** `deployment.apps/web` */
export const typedOf = ({ apiVersion, kind, name }: VerdictReportInput["target"]): string => {
  const [group = ""] = apiVersion?.includes("/") === true ? apiVersion.split("/") : [];
  return `${kind.toLowerCase()}${group === "" ? "" : `.${group}`}/${name}`;
};

const folderOf = (path: string): string => {
  if (!/\.(json|ya?ml)$/i.test(path)) return path;
  const [, folder] = /^(.*)[/\\][^/\\]*$/.exec(path) ?? [];
  return folder === undefined || folder === "" ? "." : folder;
};
