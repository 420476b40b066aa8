/**
 * What a provider makes of a tool that does wrong: it answers with what it knows, never with what it hopes. Of every
 * class, and each by a switch of the tool.
 */
import { type At, answered, type CheckBody, complete, must, switchOf } from "./check.ts";

const inDoubt = (kind: string, what: string): void => {
  must(kind !== "done", `${what} was answered with done, and nobody said so`);
  must(kind !== "refused", `${what} was answered with refused, and it had an effect`);
};

const lostByTheTool = async (at: At): Promise<string> => {
  await switchOf(at, "loseReply")("create");
  await at.harness.apply();
  const kind = answered(at, "create");
  inDoubt(kind, "a create whose answer the tool lost");
  complete(await at.harness.reconcile(), "reconcile after it");
  must((await at.subject.count()) === 1, `it left ${await at.subject.count()} things`);
  return `${kind}, then found`;
};

const lostDestroyByTheTool = async (at: At): Promise<string> => {
  complete(await at.harness.apply(), "apply");
  await switchOf(at, "loseReply")("destroy");
  await at.harness.destroy();
  const kind = answered(at, "destroy");
  must(
    kind !== "refused",
    "a destroy whose answer the tool lost was answered with refused, and it had an effect",
  );
  const after = await at.harness.reconcile();
  must(after.step.status === "destroyed", `it left the step ${after.step.status}: ${after.why}`);
  must((await at.subject.count()) === 0, "what is called destroyed still exists");
  return `${kind}, then seen to be absent`;
};

const failedAfterEffect = async (at: At): Promise<string> => {
  await switchOf(at, "failAfter")("create");
  await at.harness.apply();
  const kind = answered(at, "create");
  inDoubt(kind, "a create that failed after its effect");
  await at.harness.reconcile();
  must((await at.subject.count()) === 1, `it left ${await at.subject.count()} things`);
  const after = await at.harness.destroy();
  must(after.step.status === "destroyed", `what it left cannot be destroyed: ${after.why}`);
  must((await at.subject.count()) === 0, "what is called destroyed still exists");
  return `${kind}, and what it left was destroyed`;
};

const updateFailedAfterEffect = async (at: At): Promise<string> => {
  if (at.subject.changed === undefined) return "there is no update";
  complete(await at.harness.apply(), "apply");
  await switchOf(at, "failAfter")("update");
  await at.harness.apply(at.subject.changed);
  const kind = answered(at, "update");
  inDoubt(kind, "an update that failed after its effect");
  complete(await at.harness.apply(at.subject.changed), "the next apply");
  return `${kind}, then seen as it is`;
};

const turnedDown = async (at: At): Promise<string> => {
  await switchOf(at, "refuse")("create");
  await at.harness.apply();
  const kind = answered(at, "create");
  must(kind !== "done", "a create that the tool turned down was answered with done");
  must((await at.subject.count()) === 0, "the tool did not turn it down");
  await at.harness.reconcile();
  complete(await at.harness.apply(), "the next apply");
  must((await at.subject.count()) === 1, `one thing was wanted, and ${await at.subject.count()} exist`);
  return `${kind}, then made`;
};

const LATE_MS = 400;

const late = async (at: At): Promise<string> => {
  await switchOf(at, "late")("create", LATE_MS);
  await at.harness.apply();
  inDoubt(answered(at, "create"), "a create that takes effect later");
  complete(await at.harness.reconcile(), "reconcile, which waits for what may still come,");
  must((await at.subject.count()) === 1, `it left ${await at.subject.count()} things`);
  return "one thing, found when it came";
};

const neverAnswered = async (at: At): Promise<string> => {
  await switchOf(at, "hang")("create");
  await at.harness.apply();
  const call = at.harness.calls.findLast((seen) => seen.action === "create");
  must(call !== undefined, "create had not come back long after its deadline");
  must(call?.stopped === false, "create came back only when it was told to stop, not by its deadline");
  const kind = answered(at, "create");
  inDoubt(kind, "a create that was never answered");
  complete(await at.harness.reconcile(), "reconcile after it");
  must((await at.subject.count()) === 1, `it left ${await at.subject.count()} things`);
  return `${kind} by its deadline, then found`;
};

const unread =
  (how: "denied" | "broken") =>
  async (at: At): Promise<string> => {
    complete(await at.harness.apply(), "apply");
    const reads = switchOf(at, "reads");
    await reads(how);
    const before = at.harness.readings.length;
    await at.harness.apply();
    const readings = at.harness.readings.slice(before).map(({ kind }) => kind);
    const wrong = readings.find((kind) => kind === "absent" || kind === "observed" || kind === "ambiguous");
    must(readings.length > 0, "nothing was read");
    must(wrong === undefined, `a read that was ${how} was taken for the answer ${wrong}`);
    await reads(null);
    complete(await at.harness.apply(), "apply when it can be read again");
    must((await at.subject.count()) === 1, `it left ${await at.subject.count()} things`);
    return readings[0] ?? "nothing";
  };

const twins = async (at: At): Promise<string> => {
  at.harness.breakNext("create", "lose-reply");
  await at.harness.apply();
  await switchOf(at, "twin")();
  const after = await at.harness.reconcile();
  const kind = at.harness.readings.at(-1)?.kind;
  must(kind === "ambiguous", `of two things with one mark, observe says ${kind}`);
  must(after.step.identity === null, "one of two things was taken for ours");
  return "ambiguous, and none was taken";
};

export const TOOL_CHECKS: readonly CheckBody[] = [
  {
    name: "a create whose answer is lost is in doubt, not done and not refused (W3)",
    needs: ["loseReply"],
    body: lostByTheTool,
  },
  {
    name: "a destroy whose answer is lost is not refused, and absence settles it (D3)",
    needs: ["loseReply"],
    body: lostDestroyByTheTool,
  },
  {
    name: "a create that fails after its effect is not refused, and what it left can be destroyed (op-20)",
    needs: ["failAfter"],
    body: failedAfterEffect,
  },
  {
    name: "an update that fails after its effect is not refused (op-12)",
    needs: ["failAfter"],
    body: updateFailedAfterEffect,
  },
  { name: "a create that the tool turns down is not done (op-18)", needs: ["refuse"], body: turnedDown },
  {
    name: "a create that takes effect later is found when it comes (N5)",
    needs: ["late"],
    step: { settle: "10s" },
    body: late,
  },
  {
    name: "a create that is never answered ends by its deadline, in doubt (op-02)",
    needs: ["hang"],
    // By then a command has been started and has sent its request, on a loaded machine too.
    step: { deadline: "5s" },
    body: neverAnswered,
  },
  { name: "a denied read is no absence and no presence (op-03)", needs: ["reads"], body: unread("denied") },
  { name: "a broken read is no absence and no presence (R2)", needs: ["reads"], body: unread("broken") },
  { name: "of two things with one mark none is chosen (R4)", needs: ["twin"], body: twins },
].map((check) => ({ of: null, ...check }) as CheckBody);
