/**
 * What each class adds (R5): whether the same create may be sent again while an earlier one is in doubt, and how a thing
 * is told from a stranger's. The resend is the runtime's own, under that class: the reply is lost, and the next look is
 * made not to see the thing yet.
 */
import type { RetryClass } from "../../domain/step.ts";
import { type At, type CheckBody, complete, must } from "./check.ts";

/** Long enough that an absence seen now is not believed: only the class allows to send again. */
const NOT_YET = "30s";

const sentAgain = async (at: At): Promise<void> => {
  at.harness.breakNext("create", "lose-reply");
  const lost = await at.harness.apply();
  must(lost.step.status === "unresolved", `a lost reply left the step ${lost.step.status}`);
  at.harness.breakReadings("stale", "until-call");
  await at.harness.apply();
  const creates = at.harness.calls.filter((call) => call.action === "create").length;
  must(creates === 2, `create was called ${creates} times, and was to be sent again`);
};

const oneThing = async (at: At, after: string): Promise<void> => {
  const count = await at.subject.count();
  must(count === 1, `${after} there are ${count} things`);
};

const resent = async (at: At): Promise<string> => {
  await sentAgain(at);
  await oneThing(at, "after the same create was sent twice,");
  complete(await at.harness.reconcile(), "reconcile after it");
  return "two creates, one thing";
};

const resentByName = async (at: At): Promise<string> => {
  await sentAgain(at);
  await oneThing(at, "after a create of the same name was sent twice,");
  const after = await at.harness.reconcile();
  must(after.step.identity !== null || after.step.status === "complete", `it was not found: ${after.why}`);
  return "two creates, one thing";
};

/** R4, op-17: what is found is ours only by its mark, most of all while a create of ours is in doubt. */
const strangerLeft = async (at: At): Promise<string> => {
  complete(await at.harness.apply(), "apply");
  const other = at.another();
  other.breakNext("create", "lose-request");
  await other.apply();
  const after = await other.reconcile();
  must(
    after.step.status !== "complete" && after.step.identity === null,
    "a thing that another ledger made was taken for what our lost create had made",
  );
  complete(await at.harness.apply(), "apply of the first ledger");
  return `the second step is ${after.step.status}`;
};

const nameSeen = async (at: At): Promise<string> => {
  complete(await at.harness.apply(), "apply");
  const other = at.another();
  const after = await other.apply();
  const kind = other.readings[0]?.kind;
  must(kind !== undefined, "nothing was read before the create");
  must(kind !== "absent", "a thing of that name is there, and observe says that nothing is");
  must(after.step.status !== "complete", "somebody else's thing of that name was taken for our own");
  await oneThing(at, "beside somebody else's of that name,");
  return `${kind}, and left alone`;
};

const converges = async (at: At): Promise<string> => {
  complete(await at.harness.apply(), "apply");
  const other = at.another();
  complete(await other.apply(at.subject.changed ?? at.subject.with), "a create over what is there");
  await oneThing(at, "after a create over what was there,");
  return "one thing, as it was declared last";
};

const of = (retry: RetryClass, name: string, body: CheckBody["body"]): CheckBody => ({
  name: `${retry}: ${name}`,
  of: [retry],
  needs: [],
  step: { retry, settle: NOT_YET },
  body,
});

export const CLASS_CHECKS: readonly CheckBody[] = [
  {
    ...of("once", "what another ledger made is not taken for ours (op-17)", strangerLeft),
    step: { retry: "once" },
  },
  of("named", "a create sent again makes no second thing of that name", resentByName),
  {
    ...of("named", "what has the name already is seen before the create, and left alone", nameSeen),
    step: { retry: "named" },
  },
  of("keyed", "the same create with the same key, sent again, makes no second thing (op-01)", resent),
  {
    ...of("keyed", "what another ledger made is not taken for ours (op-17)", strangerLeft),
    step: { retry: "keyed" },
  },
  of("idempotent", "the same create, sent again, makes no second thing", resent),
  {
    ...of("idempotent", "a create over what is there leaves one thing, as declared", converges),
    step: { retry: "idempotent" },
  },
];
