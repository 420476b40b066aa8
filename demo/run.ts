/**
 * `npm run demo`: a deploy is red although the cloud did what it was asked, and what can be done about it.
 *
 * Real processes throughout: the cloud, `bin/asfound` for every command, and the commands of the exec steps. Each
 * expectation is checked on exit codes, on JSON, and on the log that the cloud keeps itself; the first that is not met
 * ends the demo with exit 1. `DEMO_FAULT=off` takes the cloud's fault away, so that it can be seen to fail.
 */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FaultRule, LogEntry } from "../src/testing.ts";
import { stackText } from "./stack.ts";
import { act, asfound, type Cloud, expectSeen, NotSeen, say, startCloud } from "./stage.ts";

const LEAST_LAG_MS = 3_000;
const STEPS = ["network", "machine", "guest-config", "health"];

/** What the demo reads of an operation's `-o json`: the stack as it is known right after. `status -o json` has it too. */
interface Report {
  readonly steps: readonly {
    readonly step: string;
    readonly status: string;
    readonly failedCommand: string | null;
    readonly effect: string;
    readonly identity: { readonly id: string } | null;
  }[];
}

interface Shown {
  readonly timeline: readonly { readonly seq: number; readonly step: string; readonly what: string }[];
}

/** Runs a verb; people see its work, and its report is what the demo checks. */
const operate = async (
  folder: string,
  ...args: readonly string[]
): Promise<{ exit: number | null; report: Report }> => {
  const { exit, stdout } = await asfound(folder, [...args, "-o", "json"], "work");
  if (stdout === "") throw new NotSeen(`asfound ${args.join(" ")} gave no report`);
  return { exit, report: JSON.parse(stdout) };
};

const statuses = ({ steps }: Report): string[] =>
  STEPS.map((name) => steps.find((step) => step.step === name)?.status ?? "(not there)");

/** The statuses as the table shows them to a person. */
const rowsOf = (table: string): string[] =>
  STEPS.map((name) => new RegExp(`^${name} +(\\w+)`, "m").exec(table)?.[1] ?? "(not there)");

const created = (log: readonly LogEntry[], kind: string): number =>
  log.filter((entry) => entry.verb === "create" && entry.kind === kind).length;

const play = async (cloud: Cloud, folder: string): Promise<void> => {
  act(
    "1. The red deploy",
    "A network, a machine in it, a config inside the machine, a health check. The cloud creates the machine and commits it,\nbut the connection is cut before its reply arrives.",
  );
  const first = await operate(folder, "apply", "--yes");
  expectSeen("apply is red: exit 21, something may be alive", 21, first.exit);
  const log = await cloud.log();
  expectSeen("and yet the cloud holds the machine", 1, log.filter(madeMachine).length);

  act(
    "2. What the ledger says",
    'Not "failed": the machine\'s fate is unknown, and what comes after it never ran.',
  );
  const status = await asfound(folder, ["status"], "result");
  expectSeen("status exits 21", 21, status.exit);
  const red = ["complete", "unresolved", "pending", "pending"];
  expectSeen("network complete, machine unresolved, config and health pending", red, rowsOf(status.stdout));
  expectSeen("the report of apply says the same as JSON", red, statuses(first.report));
  const machine = first.report.steps.find((step) => step.step === "machine");
  expectSeen(
    "the failed command and its possible effect are on record",
    ["create", "possible"],
    [machine?.failedCommand, machine?.effect],
  );

  act(
    "3. Trying again, right away",
    "A retry is what creates the second machine. The cloud's lists lag behind, so a look finds nothing; that is not\nabsence yet, and this create is declared `retry: once`.",
  );
  const again = await operate(folder, "apply", "--yes");
  expectSeen("the second apply refuses: exit 21", 21, again.exit);
  const after = await cloud.log();
  expectSeen("it looked for the machine in the list", true, listed(after) > listed(log));
  expectSeen("the lagging list showed nothing, and no second create was sent", 1, created(after, "machines"));

  act(
    "4. Reconcile",
    "Asks until an answer can be believed, and changes nothing. The machine is found by the key that its create carried.",
  );
  const reconciled = await operate(folder, "reconcile");
  expectSeen("nothing is in doubt any more: exit 0", 0, reconciled.exit);
  expectSeen(
    "the machine is complete, the rest waits",
    ["complete", "complete", "pending", "pending"],
    statuses(reconciled.report),
  );
  const id = reconciled.report.steps.find((step) => step.step === "machine")?.identity?.id;
  expectSeen(
    "its identity is the object that the cloud made",
    (await cloud.log()).find(madeMachine)?.effects[0]?.id,
    id,
  );
  expectSeen("reconcile sent no changing request", changes(after), changes(await cloud.log()));

  act("5. Resume", "The same apply again, with what it was permitted: only what did not run is run.");
  const resumed = await operate(folder, "resume", "--yes");
  expectSeen("resume is green: exit 0", 0, resumed.exit);
  expectSeen("all four are complete", Array(4).fill("complete"), statuses(resumed.report));

  act(
    "6. Destroy",
    "The config lives inside the machine. Once the machine is gone nobody can look inside, so the config's own destroy is\nnot called: it closes when the machine is proven gone, not when its delete returned.",
  );
  const destroyed = await operate(folder, "destroy", "--yes");
  expectSeen("destroy is done: exit 0", 0, destroyed.exit);
  expectSeen("all four are destroyed", Array(4).fill("destroyed"), statuses(destroyed.report));
  await provenInOrder(folder);
  const guest = (await readFile(join(folder, "guest.log"), "utf8")).split("\n");
  expectSeen(
    "the config's own destroy was never called",
    [],
    guest.filter((line) => line.startsWith("destroy")),
  );
};

const madeMachine = (entry: LogEntry): boolean =>
  entry.kind === "machines" && entry.effects.some((effect) => effect.what === "created");
const listed = (log: readonly LogEntry[]): number =>
  log.filter((entry) => entry.verb === "list" && entry.kind === "machines").length;
const changes = (log: readonly LogEntry[]): number => log.filter((entry) => entry.effects.length > 0).length;

/** The ledger's own order of events in the destroy. */
const provenInOrder = async (folder: string): Promise<void> => {
  const shown: Shown = JSON.parse((await asfound(folder, ["show", "last", "-o", "json"], "nothing")).stdout);
  const at = (step: string, what: string): number =>
    shown.timeline.find((entry) => entry.step === step && entry.what === what)?.seq ?? Number.NaN;
  const order = [at("machine", "destroy"), at("machine", "absent"), at("guest-config", "contained-gone")];
  expectSeen(
    "in the ledger: the machine's destroy, then its observed absence, only then the config closes",
    order.toSorted((a, b) => a - b),
    order.some(Number.isNaN) ? "an entry is missing" : order,
  );
};

const closing = async (cloud: Cloud, folder: string): Promise<void> => {
  const log = await cloud.log();
  act("What the cloud itself counted", "From its own log, which asfound cannot write:");
  for (const kind of ["networks", "machines"]) {
    say(`  ${kind}: ${created(log, kind)} create call${created(log, kind) === 1 ? "" : "s"}`);
    expectSeen(`each object got one create call (${kind})`, 1, created(log, kind));
  }
  const { ledger, exit } = JSON.parse((await asfound(folder, ["status", "-o", "json"], "nothing")).stdout);
  expectSeen("nothing is in doubt at the end", 0, exit);
  say(`\nThe ledger is ${ledger}`);
  say(`Look around: cd ${folder} && asfound history`);
};

/**
 * How far the lists lag: 3 s, or more on a machine so slow that the second apply would come too late to meet the lag.
 * Between the create and that look asfound ends once and starts twice.
 */
const lagFor = async (folder: string): Promise<number> => {
  const begun = performance.now();
  await asfound(folder, ["plan"], "nothing");
  return Math.max(LEAST_LAG_MS, Math.ceil(((performance.now() - begun) * 6) / 1_000) * 1_000);
};

const faults = (lagMs: number): readonly FaultRule[] => [
  { verb: "list", fault: { do: "stale", ms: lagMs } },
  ...(process.env["DEMO_FAULT"] === "off"
    ? []
    : [{ kind: "machines", verb: "create", nth: 1, fault: { do: "cut", at: "after" } } as const]),
];

const main = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "asfound-demo-"));
  const cloud = await startCloud({
    kinds: { machines: { keys: "ignore", async: "status", workMs: 1_000 }, networks: { keys: "ignore" } },
  });
  const write = (lagMs: number): Promise<void> =>
    writeFile(join(folder, "asfound.yaml"), stackText(cloud.url, folder, lagMs));
  try {
    await write(LEAST_LAG_MS);
    const lagMs = await lagFor(folder);
    await write(lagMs);
    await cloud.setFaults(faults(lagMs));
    say(
      `A cloud runs at ${cloud.url}; its lists lag ${lagMs / 1_000} s behind. The stack is ${folder}/asfound.yaml`,
    );
    await play(cloud, folder);
    await closing(cloud, folder);
  } catch (error) {
    if (!(error instanceof NotSeen)) throw error;
    say(`\ndemo: this was not seen: ${error.message}`);
    say(`demo: what was left is in ${folder}`);
    process.exitCode = 1;
  } finally {
    await cloud.end();
  }
};

await main();
