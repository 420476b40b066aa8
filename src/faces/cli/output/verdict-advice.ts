/** What a person can do about a verdict; deploying again is never offered (DESIGN §7). */
import { EXIT } from "../../../domain/exit.ts";
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
  const said = [
    ...(target.namespace === null ? [] : ["-n", target.namespace]),
    ...(flags.context === undefined ? [] : ["--context", flags.context]),
    ...(flags.kubeconfig === undefined ? [] : ["--kubeconfig", flags.kubeconfig]),
    ...(flags.allowExec ?? []).flatMap((command) => ["--allow-exec", command]),
  ];
  const command = ["asfound verify", quoted(typed), ...said.map(quoted)].join(" ");
  return exit === EXIT.progressing && !flags.watch ? VERDICT.watch(command) : VERDICT.look(command);
};

const folderOf = (path: string): string => {
  if (!/\.(json|ya?ml)$/i.test(path)) return path;
  const [, folder] = /^(.*)[/\\][^/\\]*$/.exec(path) ?? [];
  return folder === undefined || folder === "" ? "." : folder;
};
