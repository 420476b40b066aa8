/**
 * What has to hold of an operation whose n-th system call failed, one sentence for each thing that does not. It looks at
 * the cloud's own log and objects, at the ledger with our own reader, and at what the process said.
 */
import { doctor } from "../../../src/compose.ts";
import type { JournalRecord } from "../../../src/domain/journal.ts";
import { PAST_CALL_BY_MS, type Place } from "../../scenarios/place.ts";
import type { Ran } from "./strace.ts";
import { type Call, succeeded } from "./trace.ts";

type Intent = Extract<JournalRecord, { readonly kind: "intent" }>;

/** Of a line of the shell cloud's log: action, step, key. */
const CALL_LINE = /^(create|update|destroy|owed|compensate) (\S+) key=(\S*) /;

/** Of what asfound writes to a provider's process, as strace prints it. */
export const REQUEST = /\\"action\\":\\"(create|update|destroy|owed|compensate)\\"/;

const IS_SYNC = /^(fsync|fdatasync)$/;

/** `exits`: what the operation may exit with after such a fault. */
export const faultsOf = async (
  place: Place,
  ran: Ran,
  exits: readonly number[],
): Promise<readonly string[]> => [
  ...saidWell(ran, exits),
  ...(await stoppedAfter(place, ran)),
  ...(await recorded(place, ran)),
];

// ---- what it says ----------------------------------------------------------------------------------------------

const TELLS_NEXT = /[;.] (?:free|run|look at|make|name|put|raise|remove|restore)\b/i;

/** The exit is one of these, and whoever reads the words knows what happened and what to do next. */
export const saidWell = ({ exit, err, out }: Ran, exits: readonly number[]): readonly string[] => {
  const said = err
    .split("\n")
    .filter((line) => !line.startsWith("{"))
    .join("\n")
    .trim();
  const faults: string[] = [];
  if (exit === null || !exits.includes(exit)) faults.push(`it exits with ${exit}: ${said}`);
  if (/^\s+at |is a bug|[Uu]ncaught/m.test(`${err}\n${out}`)) faults.push(`it shows a stack trace: ${said}`);
  if (exit === 0) return faults;
  if (said.includes("\n")) faults.push(`it says more than one sentence: ${said}`);
  const tells = said === "" ? /^Next:\n +asfound /m.test(out) : TELLS_NEXT.test(said);
  if (!tells) faults.push(`it does not say what to do next: ${said}${out}`);
  return faults;
};

const eventsIn = (err: string) =>
  err
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

// ---- what it sends ---------------------------------------------------------------------------------------------

/** What cannot be undone by trying again: a sync, and a write to the log, which is a part of a record. */
const isOfARecord = ({ name, path }: Call): boolean =>
  IS_SYNC.test(name) || (name === "pwrite64" && path?.endsWith("/ledger.db-wal") === true);

/** W2: after that has failed nothing more is sent. On the pool's thread all syncs come before the first call. */
const stoppedAfter = async (place: Place, { calls, thread }: Ran): Promise<readonly string[]> => {
  const failed = calls.find((call) => call.isStruck && isOfARecord(call) && !succeeded(call));
  if (failed === undefined) return [];
  const what = `after ${failed.name} of ${failed.path} failed`;
  if (thread === "pool") {
    const sent = (await place.log()).find((line) => CALL_LINE.test(line));
    return sent === undefined ? [] : [`${what} it sent ${sent}`];
  }
  const sent = calls.find(
    (call) => call.name === "write" && call.enteredAt > failed.returnedAt && REQUEST.test(call.args),
  );
  if (sent === undefined || isSyncedByUsToo(calls, failed, sent)) return [];
  return [`${what} it sent ${REQUEST.exec(sent.args)?.[1]}`];
};

/**
 * SQLite syncs the folder of its log when it begins one, and does not look at the answer, so nobody can know of it.
 * That is why asfound syncs the folder itself once the log is there, and looks.
 */
const isSyncedByUsToo = (calls: readonly Call[], failed: Call, sent: Call): boolean => {
  const log = calls.findLast(
    (call) => call.name === "openat" && call.path === `${failed.path}/ledger.db-wal` && succeeded(call),
  );
  return (
    log !== undefined &&
    calls.some(
      (call) =>
        IS_SYNC.test(call.name) &&
        call.path === failed.path &&
        succeeded(call) &&
        call.enteredAt > log.returnedAt &&
        call.returnedAt < sent.enteredAt,
    )
  );
};

// ---- what is there ---------------------------------------------------------------------------------------------

/** W1: each call in the cloud's log has its intent. What was acknowledged is there, and the ledger is whole. */
const recorded = async (place: Place, ran: Ran): Promise<readonly string[]> => {
  const faults: string[] = [];
  const records = await place.records().catch((error: Error) => error);
  if (records instanceof Error) return [`the ledger cannot be read afterwards: ${records.message}`];
  const intents = records.map(({ record }) => record).filter((r): r is Intent => r.kind === "intent");
  for (const line of await place.log()) {
    const [, action, step, key] = CALL_LINE.exec(line) ?? [];
    if (action === undefined) continue;
    if (!intents.some((intent) => intent.action === action && intent.step === step && intent.key === key))
      faults.push(`${action} of ${step} was sent, and the ledger has no intent of it`);
  }
  const events = eventsIn(ran.err);
  for (const { step, action, attempt } of events.filter((event) => event["kind"] === "calling"))
    if (!intents.some((i) => i.step === step && i.action === action && i.attempt === attempt))
      faults.push(`it told that it calls ${action} of ${step}, and the ledger has no intent of it`);
  for (const { step, status } of events.filter((event) => event["kind"] === "step")) {
    const found = (await place.step(String(step)).catch(() => null))?.status;
    if ((status === "complete" || status === "destroyed") && found !== status)
      faults.push(`it told that ${step} is ${status}, and the ledger says ${found}`);
  }
  if (ran.exit === 0) {
    const after = await place.status().then(({ exit }) => exit, String);
    if (after !== 0) faults.push(`it exits with 0, and status afterwards with ${after}`);
  }
  return [...faults, ...(await damage(place, records.length, ran.err))];
};

/** SQLite's own check, the chains, the states against their records; and the spool, where a result was told to be. */
const damage = async (place: Place, records: number, err: string): Promise<readonly string[]> => {
  const checked = await doctor(place.where());
  if (checked.kind !== "checked") return [`doctor could not look: ${JSON.stringify(checked)}`];
  const wrong = checked.checks.filter((check) => check.finding === "wrong");
  const waits = wrong.filter((check) => check.name === "spool" && /to be recorded/.test(check.sentence));
  // A ledger that was cut off before its key was made has nothing under that key.
  const known = wrong.filter((check) => waits.includes(check) || (check.name === "key" && records === 0));
  const spooled = /kept in this host's spool/.test(err);
  // What could not be synced may be found there all the same, and is then taken over.
  const isLeft = waits.length > 0 && /nor the spool \(.*\) could take/.test(err);
  return [
    ...(spooled === waits.length > 0 || isLeft
      ? []
      : [`a result was ${spooled ? "" : "not "}told to be spooled`]),
    ...wrong.filter((check) => !known.includes(check)).map(({ name, sentence }) => `${name}: ${sentence}`),
  ];
};

/** Afterwards, with a disk that is well: what is in doubt is settled, one object a step is there, and then none. */
export const endsClean = async (place: Place, steps: readonly string[]): Promise<readonly string[]> => {
  const said = [`status ${await place.status().then(({ exit }) => exit, String)}`];
  let exit = (await place.apply()).exit;
  said.push(`apply ${exit}`);
  if (exit === 21) {
    place.passTime(PAST_CALL_BY_MS);
    said.push(`reconcile ${(await place.reconcile()).exit}`);
    exit = (await place.apply()).exit;
    said.push(`apply ${exit}`);
  }
  const objects = await place.objects();
  said.push(`objects ${objects.join(" ")}`);
  const destroyed = (await place.destroy()).exit;
  const left = await place.objects();
  said.push(`destroy ${destroyed}, left ${left.join(" ")}`);
  const stepsOf = objects.map((object) => object.replace(/-\d+$/, "")).join(" ");
  const isClean = exit === 0 && stepsOf === steps.join(" ") && destroyed === 0 && left.length === 0;
  return isClean ? [] : [`it does not end clean: ${said.join("; ")}`];
};
