/** config bind --check: what is wrong with how manifests tie Pods to config. Reads only. */
import { configCheck as document } from "../../../wire/api/config-check.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { BindingFlags } from "../flags-config.ts";
import { configCheckPage } from "../output/config-check-page.ts";
import { quoted } from "../output/next.ts";
import { print } from "../output/print.ts";
import { CONFIG } from "../texts/config.ts";
import { Usage } from "../usage.ts";
import { refuse } from "./where.ts";

export const configCheck = async (cli: Cli, flags: BindingFlags & Everywhere): Promise<void> => {
  const binds = [
    ["--from-file", flags.fromFile !== undefined],
    ["--from-live", flags.fromLive],
    ["--allow", flags.allow !== undefined],
    ["--write", flags.write],
  ] as const;
  const given = binds.find(([, isGiven]) => isGiven);
  if (given !== undefined) throw new Usage(CONFIG.checkTakesNone(given[0]));
  const { checkManifests } = await import("../../../compose/bind.ts");
  const result = await checkManifests({
    path: flags.file === "-" ? null : flags.file,
    input: () => cli.terminal.input(),
    namespace: flags.namespace ?? null,
    references: flags.reference ?? [],
    templates: flags.template ?? [],
    cwd: cli.terminal.cwd,
  });
  if (result.kind !== "checked") return void (await refuse(cli, result));
  const next =
    result.findings.length === 0 ? [] : [CONFIG.bindIt(`asfound config bind -f ${quoted(flags.file)}`)];
  await print(
    cli,
    { ...flags, output: flags.output ?? "table" },
    {
      page: (page) => configCheckPage(result, { next, notOffered: [] }, page),
      json: () => document(result),
      forms: {
        github: async () => (await import("../output/ci/config-check.ts")).checkCommands(result),
        sarif: async () => {
          const { checkSarif } = await import("../output/ci/config-check.ts");
          const { version } = await import("../version.ts");
          return checkSarif(result, await version());
        },
      },
    },
  );
  cli.exit(result.exit);
};
