/**
 * What every provider has to hold, as checks for any test runner:
 *
 *     for (const check of providerChecks(subject)) it(check.name, check.run);
 *
 * A check resolves when it holds, and rejects with one sentence when it does not.
 */
import type { JsonObject } from "../../domain/json.ts";
import { isFaults, type Provider } from "../../ports/provider.ts";
import { type After, type Harness, type HarnessOptions, harness } from "./harness.ts";

/** A provider with something to make, in a place of its own. */
export interface Subject {
  readonly provider: Provider;
  readonly with: JsonObject;
  /** Inputs that an update turns into; left out where the provider has no update. */
  readonly changed?: JsonObject;
  readonly step?: HarnessOptions["step"];
  readonly directory?: string;
  readonly environment?: HarnessOptions["environment"];
  /** Counts what really exists, by asking the tool and not the provider. */
  readonly count: () => Promise<number>;
}

export interface Check {
  readonly name: string;
  run(): Promise<void>;
}

class CheckFailed extends Error {
  readonly code = "ASFOUND_CHECK_FAILED";
}

const must = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new CheckFailed(otherwise);
};

const complete = (after: After, what: string): void =>
  must(
    after.exit === 0 && after.step.status === "complete",
    `${what} left the step ${after.step.status}: ${after.why}`,
  );

interface At {
  readonly subject: Subject;
  readonly harness: Harness;
}

/** `make` gives a fresh subject for each check, so that none sees what another left. */
export const providerChecks = (make: () => Promise<Subject>): readonly Check[] =>
  CHECKS.map(([name, body]) => ({
    name,
    run: async () => {
      const subject = await make();
      const { provider, with: inputs, step, directory, environment } = subject;
      const given = { step, directory, environment };
      const kept = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      await body({ subject, harness: harness({ provider, with: inputs, ...kept }) });
    },
  }));

type Body = (at: At) => Promise<void>;

const described = async ({ subject }: At): Promise<void> => {
  const { provider } = subject;
  const first = provider.describe(subject.with);
  const again = provider.describe(subject.with);
  must(JSON.stringify(first) === JSON.stringify(again), "describe gives two answers to one question");
  must(!isFaults(first), "describe finds faults in inputs that are valid");
  for (const junk of [{}, { junk: [null, { deep: 1 }] }, { "": "" }] as readonly JsonObject[]) {
    const answer = provider.describe(junk);
    must(typeof answer === "object", "describe gives no answer to inputs that are not valid");
  }
  must((await subject.count()) === 0, "describe made something");
};

const createdAndSeen = async ({ subject, harness: at }: At): Promise<void> => {
  const after = await at.apply();
  const [call] = at.calls;
  must(call?.opened === true, "create did not open its intent, so nothing checked its fences (N2, N5)");
  complete(after, "apply");
  must((await subject.count()) === 1, `one create made ${await subject.count()} things`);
  const [reading] = at.readings;
  must(reading?.kind === "observed", `observe answered ${reading?.kind ?? "nothing"} to what create made`);
};

const leftAlone = async ({ subject, harness: at }: At): Promise<void> => {
  complete(await at.apply(), "the first apply");
  const before = at.calls.length;
  complete(await at.apply(), "the second apply");
  must(
    at.calls.length === before,
    "a second apply of the same inputs called the provider to change something",
  );
  must((await subject.count()) === 1, "the second apply made a second thing");
};

const lostReply = async ({ subject, harness: at }: At): Promise<void> => {
  at.breakNext("create", "lose-reply");
  const lost = await at.apply();
  must(lost.step.status === "unresolved", `a lost reply left the step ${lost.step.status}`);
  const found = await at.reconcile();
  complete(found, "reconcile after a lost reply, which has to find the thing by its key,");
  must((await subject.count()) === 1, `a lost reply left ${await subject.count()} things`);
  must(at.calls.filter((call) => call.action === "create").length === 1, "create was called again");
};

const lostRequest = async ({ subject, harness: at }: At): Promise<void> => {
  at.breakNext("create", "lose-request");
  await at.apply();
  await at.reconcile();
  complete(await at.apply(), "apply after a request that never arrived");
  must((await subject.count()) === 1, `one thing was wanted, and ${await subject.count()} exist`);
};

const deniedReading = async ({ subject, harness: at }: At): Promise<void> => {
  at.breakReadings("deny", 1_000);
  const unseen = await at.apply();
  must(unseen.step.status !== "complete", "it counts as complete although nothing could be read");
  must((await subject.count()) === 1, "what was made is not there");
};

const updated = async ({ subject, harness: at }: At): Promise<void> => {
  if (subject.changed === undefined) return;
  complete(await at.apply(), "apply");
  const before = (await at.status()).identity?.id;
  complete(await at.apply(subject.changed), "apply of other inputs");
  must(
    at.calls.some((call) => call.action === "update"),
    "other inputs called no update",
  );
  must((await at.status()).identity?.id === before, "the update changed the identity");
  must((await subject.count()) === 1, "the update made a second thing");
};

const destroyedAndGone = async ({ subject, harness: at }: At): Promise<void> => {
  complete(await at.apply(), "apply");
  const after = await at.destroy();
  must(after.step.status === "destroyed", `destroy left the step ${after.step.status}: ${after.why}`);
  must((await subject.count()) === 0, "what is called destroyed still exists");
};

const lostDestroy = async ({ subject, harness: at }: At): Promise<void> => {
  complete(await at.apply(), "apply");
  at.breakNext("destroy", "lose-reply");
  await at.destroy();
  const after = await at.reconcile();
  must(
    after.step.status === "destroyed",
    `a destroy without a reply left ${after.step.status}: ${after.why}`,
  );
  must((await subject.count()) === 0, "what is called destroyed still exists");
};

const neverThrows = async ({ harness: at, subject }: At): Promise<void> => {
  complete(await at.apply(), "apply");
  const stop = AbortSignal.abort();
  const { provider } = subject;
  const identity = (await at.status()).identity;
  try {
    await provider.observe(
      {
        stack: "harness" as never,
        step: "thing" as never,
        operation: "op" as never,
        attempt: 1,
        key: null,
        keys: [],
        epoch: 1,
        inputs: subject.with,
        identity,
        outputs: {},
        previousInputs: null,
      },
      { deadlineMs: 1, stop, identity: async () => undefined, progress: () => undefined, baseDirectory: "." },
    );
  } catch (error) {
    throw new CheckFailed(`observe threw, and what goes wrong has to be a reading: ${String(error)}`);
  }
};

const CHECKS: readonly (readonly [string, Body])[] = [
  ["describe is pure and finds the inputs valid (W5)", described],
  ["create opens its intent, makes one thing, and observe sees it", createdAndSeen],
  ["a second apply of the same inputs changes nothing", leftAlone],
  ["a thing whose create had no reply is found by its key (R1)", lostReply],
  ["a create that never arrived is made up for once (R5)", lostRequest],
  ["what cannot be read is not called complete (R2)", deniedReading],
  ["an update keeps the identity", updated],
  ["destroy removes it, and observe says that it is absent (D3)", destroyedAndGone],
  ["a destroy without a reply is settled by looking", lostDestroy],
  ["observe never throws, even when told to stop", neverThrows],
];
