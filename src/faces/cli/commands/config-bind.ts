/** config bind: a filter on manifests. Changes no cluster; files only with --write. */
import type { BoundManifests } from "../../../compose/bind.ts";
import { EXIT } from "../../../domain/exit.ts";
import { configBinding } from "../../../wire/api/config-binding.ts";
import { formatFault } from "../../../wire/manifest/fault.ts";
import { printable, printableJson } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { BindingFlags } from "../flags-config.ts";
import { CONFIG } from "../texts/config.ts";
import { Usage } from "../usage.ts";
import { askingCluster } from "./cluster.ts";
import { refuse } from "./where.ts";

type Flags = BindingFlags & Everywhere;

export async function configBind(this: Cli, flags: Flags): Promise<void> {
  const isFilter = flags.file === "-";
  if (flags.check) return (await import("./config-check.ts")).configCheck(this, flags);
  if (isFilter && flags.write) throw new Usage(CONFIG.writesFiles);
  const format = flags.output ?? "yaml";
  if (format !== "yaml" && format !== "json") throw new Usage(CONFIG.onlyChecks(format));
  const { bindManifests } = await import("../../../compose/bind.ts");
  const request = {
    path: isFilter ? null : flags.file,
    input: () => this.terminal.input(),
    sources: flags.fromFile ?? [],
    namespace: flags.namespace ?? null,
    allow: flags.allow ?? [],
    references: flags.reference ?? [],
    templates: flags.template ?? [],
    write: flags.write,
    cwd: this.terminal.cwd,
  };
  const result = flags.fromLive
    ? await askingCluster(this, flags, (live) => bindManifests({ ...request, live }))
    : await bindManifests({ ...request, live: null });
  if (result.kind === "secrets") {
    for (const fault of result.faults) this.terminal.err.write(`${formatFault(fault)}\n`);
    this.exit(EXIT.refused);
    return;
  }
  if (result.kind !== "bound") return void (await refuse(this, result));
  tell(this, result);
  if (format === "json")
    this.terminal.out.write(`${printableJson(JSON.stringify(configBinding(result), null, 2))}\n`);
  else if (!flags.write) this.terminal.out.write(streamOf(result));
  this.exit(EXIT.proven);
}

/** The files of a folder become one stream. */
const streamOf = ({ files }: BoundManifests): string =>
  files
    .map(({ text }, index) => {
      const ends = index === files.length - 1 || text.endsWith("\n") ? "" : "\n";
      const begins = index === 0 || /^\s*---/.test(text) ? "" : "---\n";
      return begins + text + ends;
    })
    .join("");

const tell = (cli: Cli, { binding, files, notes, written }: BoundManifests): void => {
  const { bound, places, checksums, left } = binding;
  const lines = [
    ...bound.map(CONFIG.boundAs),
    ...checksums.map(CONFIG.checksum),
    ...places.filter(({ to }) => to === null).map(CONFIG.leftPlace),
    ...left.map(CONFIG.leftConfig),
    ...notes,
    ...(files.some(({ changed }) => changed) ? [] : [CONFIG.unchanged]),
    ...(written ? files.filter(({ changed }) => changed).map(({ file }) => CONFIG.wrote(file)) : []),
  ];
  cli.terminal.err.write(lines.map((line) => `${printable(line)}\n`).join(""));
};
