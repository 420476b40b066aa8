/**
 * The layers of DESIGN §5, checked by dependency-cruiser. A cruise that looked at nothing finds nothing (with
 * TypeScript 7 it does exactly that, silently), so every source file must be among what was cruised.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { fileURLToPath } from "node:url";

const HOUSE = fileURLToPath(new URL("..", import.meta.url));
const CRUISED_FOLDERS = ["src", "test", "demo", "bench", "scripts", "testbed", "examples"];

export interface Cruise {
  /** One line per violation: `rule: from → to`. */
  readonly violations: readonly string[];
  /** Source files that dependency-cruiser never looked at. */
  readonly overlooked: readonly string[];
  readonly modules: number;
  readonly dependencies: number;
}

/** Cruises the tree at `root` with the house's own rules. */
export function cruise(root: string): Cruise {
  const folders = CRUISED_FOLDERS.filter((folder) => existsSync(`${root}/${folder}`));
  const run = spawnSync(
    process.execPath,
    [
      `${HOUSE}/node_modules/dependency-cruiser/bin/dependency-cruiser.mjs`,
      "--config",
      `${HOUSE}/.dependency-cruiser.mjs`,
      "--output-type",
      "json",
      ...folders,
    ],
    { cwd: root, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
  );
  let report: Report;
  try {
    report = JSON.parse(run.stdout) as Report;
  } catch (cause) {
    throw new Error(`dependency-cruiser gave no report: ${run.stderr || run.stdout}`, { cause });
  }
  const cruised = new Set(report.modules.map((module) => module.source));
  return {
    violations: report.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    overlooked: globSync("src/**/*.ts", { cwd: root }).filter(
      (file) => !cruised.has(file) && !file.includes("/fixtures/"),
    ),
    modules: report.modules.length,
    dependencies: report.summary.totalDependenciesCruised,
  };
}

interface Report {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
    readonly totalDependenciesCruised: number;
  };
}

if (import.meta.main) {
  const { violations, overlooked, modules, dependencies } = cruise(HOUSE);
  for (const line of violations) console.log(line);
  for (const file of overlooked) console.log(`not looked at: ${file}`);
  console.log(
    `${modules} modules and ${dependencies} dependencies cruised, ${violations.length} against the rules, ${overlooked.length} overlooked`,
  );
  if (violations.length > 0 || overlooked.length > 0 || modules === 0 || dependencies === 0)
    process.exitCode = 1;
}
