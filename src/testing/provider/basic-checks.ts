/**
 * What every provider has to hold, of whatever class and without any switch of its tool: the faults stand in front of
 * the provider (`faulty.ts`).
 */
import type { JsonObject } from "../../domain/json.ts";
import { isFaults } from "../../ports/provider.ts";
import { type At, type CheckBody, CheckFailed, complete, must } from "./check.ts";

const described = async ({ subject }: At): Promise<string> => {
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
  return "two answers, and they are equal";
};

const createdAndSeen = async ({ subject, harness: at }: At): Promise<string> => {
  const after = await at.apply();
  const [call] = at.calls;
  must(call?.opened === true, "create did not open its intent, so nothing checked its fences (N2, N5)");
  complete(after, "apply");
  must((await subject.count()) === 1, `one create made ${await subject.count()} things`);
  const [reading] = at.readings;
  must(reading?.kind === "observed", `observe answered ${reading?.kind ?? "nothing"} to what create made`);
  return `one thing, and ${reading?.kind ?? "nothing"}`;
};

const leftAlone = async ({ subject, harness: at }: At): Promise<string> => {
  complete(await at.apply(), "the first apply");
  const before = at.calls.length;
  complete(await at.apply(), "the second apply");
  must(
    at.calls.length === before,
    "a second apply of the same inputs called the provider to change something",
  );
  must((await subject.count()) === 1, "the second apply made a second thing");
  return "one thing, and no second call";
};

const lostReply = async ({ subject, harness: at }: At): Promise<string> => {
  at.breakNext("create", "lose-reply");
  const lost = await at.apply();
  must(lost.step.status === "unresolved", `a lost reply left the step ${lost.step.status}`);
  const found = await at.reconcile();
  complete(found, "reconcile after a lost reply, which has to find the thing by its key,");
  must((await subject.count()) === 1, `a lost reply left ${await subject.count()} things`);
  must(at.calls.filter((call) => call.action === "create").length === 1, "create was called again");
  return "unresolved, then found: one thing, one create";
};

const lostRequest = async ({ subject, harness: at }: At): Promise<string> => {
  at.breakNext("create", "lose-request");
  await at.apply();
  await at.reconcile();
  complete(await at.apply(), "apply after a request that never arrived");
  must((await subject.count()) === 1, `one thing was wanted, and ${await subject.count()} exist`);
  return "one thing";
};

const deniedReading = async ({ subject, harness: at }: At): Promise<string> => {
  at.breakReadings("deny", 1_000);
  const unseen = await at.apply();
  must(unseen.step.status !== "complete", "it counts as complete although nothing could be read");
  must((await subject.count()) === 1, "what was made is not there");
  return `the step is ${unseen.step.status}`;
};

const updated = async ({ subject, harness: at }: At): Promise<string> => {
  if (subject.changed === undefined) return "there is no update";
  complete(await at.apply(), "apply");
  const before = (await at.status()).identity?.id;
  complete(await at.apply(subject.changed), "apply of other inputs");
  must(
    at.calls.some((call) => call.action === "update"),
    "other inputs called no update",
  );
  must((await at.status()).identity?.id === before, "the update changed the identity");
  must((await subject.count()) === 1, "the update made a second thing");
  return "the same identity, one thing";
};

const destroyedAndGone = async ({ subject, harness: at }: At): Promise<string> => {
  complete(await at.apply(), "apply");
  const after = await at.destroy();
  must(after.step.status === "destroyed", `destroy left the step ${after.step.status}: ${after.why}`);
  must((await subject.count()) === 0, "what is called destroyed still exists");
  return "absence was observed, and nothing is left";
};

const lostDestroy = async ({ subject, harness: at }: At): Promise<string> => {
  complete(await at.apply(), "apply");
  at.breakNext("destroy", "lose-reply");
  await at.destroy();
  const after = await at.reconcile();
  must(
    after.step.status === "destroyed",
    `a destroy without a reply left ${after.step.status}: ${after.why}`,
  );
  must((await subject.count()) === 0, "what is called destroyed still exists");
  return "absence was observed, and nothing is left";
};

const neverThrows = async ({ harness: at, subject }: At): Promise<string> => {
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
  return "a reading";
};

const ofAll = (name: string, body: CheckBody["body"]): CheckBody => ({ name, of: null, needs: [], body });

export const BASIC_CHECKS: readonly CheckBody[] = [
  ofAll("describe is pure and finds the inputs valid (W5)", described),
  ofAll("create opens its intent, makes one thing, and observe sees it", createdAndSeen),
  ofAll("a second apply of the same inputs changes nothing", leftAlone),
  ofAll("a thing whose create had no reply is found by its key (R1)", lostReply),
  ofAll("a create that never arrived is made up for once (R5)", lostRequest),
  ofAll("what cannot be read is not called complete (R2)", deniedReading),
  ofAll("an update keeps the identity", updated),
  ofAll("destroy removes it, and observe says that it is absent (D3)", destroyedAndGone),
  ofAll("a destroy without a reply is settled by looking", lostDestroy),
  ofAll("observe never throws, even when told to stop", neverThrows),
];
