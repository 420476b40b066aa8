/**
 * `answered-by-new-pod`: each reply came from a Pod of this release. By the path where it fixes one Pod, by the app's own
 * word matched to a UID, or by elimination: nothing but new Pods could answer, before and after. An old Pod's answer never
 * supports it (O5); a name alone is no Pod, unless the same UID bore it before the request and after (C4, V3).
 */
import { ANSWER } from "../domain/answer.ts";
import type { Cited, Seen } from "../domain/evidence.ts";
import type { JsonValue } from "../domain/json.ts";
import { RESOURCES } from "../domain/resource.ts";
import {
  type IdTeller,
  isIdTeller,
  type PodTeller,
  type ReplyTeller,
  type ResponseExpectation,
  viaText,
} from "../domain/response.ts";
import { answersBy, limitByPath, unshownIn } from "./answers.ts";
import type { Case } from "./case.ts";
import { controllerOf } from "./collection.ts";
import { sameIncarnation } from "./generation.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import type { Population } from "./population.ts";
import { fieldAt, LIST, OBJECT, TEXT, valueAt } from "./read.ts";
import { wordIn } from "./reply.ts";
import { labelsOf } from "./selector.ts";
import { counted, listed, quoted } from "./words.ts";

export const answeredBy = (given: Case, population: Population | undefined): Found => {
  const inquiry = new Inquiry("answered-by-new-pod");
  const stop = sameIncarnation(inquiry, given.target, given.expected);
  if (stop !== undefined) return stop;
  const { response } = given.expected;
  if (response === null)
    return inquiry.undetermined("not-asked", "no path is named by which a reply is expected (--via)");
  const { replied } = answersBy(given, response);
  const via = viaText(response.via);
  if (replied.length === 0) {
    inquiry.miss(`an answer by ${via}`);
    return inquiry.undetermined("not-asked", `no reply came by ${via}`);
  }
  limitByPath(inquiry, response, replied);
  if (inquiry.needList(given.collection, RESOURCES.Pod, given.target.namespace) === undefined)
    return inquiry.unknown();
  if (population === undefined)
    return inquiry.undetermined("pods-unknown", "which Pods are of this release is not known");
  const members = new Members(given, population);
  if (response.pod === null && response.via.kind !== "pod")
    return byElimination(inquiry, given, response, replied, members);
  const sent = idsSent(given);
  return byWord(
    inquiry,
    given,
    replied.map((answer) => whoAnswered(inquiry, answer, response.pod, members, sent)),
    via,
  );
};

/** How often each id was sent, by whatever path and whether or not a reply came: one without may have reached a Pod too. */
type Sent = ReadonlyMap<JsonValue, number>;

const idsSent = ({ collection }: Case): Sent => {
  const sent = new Map<JsonValue, number>();
  for (const { raw } of collection.ofKind(ANSWER.group, ANSWER.kind)) {
    const id = valueAt(raw, ["requestId"]);
    if (id === undefined) continue;
    const times = sent.get(id);
    sent.set(id, times === undefined ? 1 : times + 1);
  }
  return sent;
};

/** Each reply with the Pod that sent it, as far as that is told, and what tells it. */
export const sendersOf = (
  given: Case,
  population: Population,
  response: ResponseExpectation,
  replied: readonly Seen[],
): readonly { readonly answer: Seen; readonly uid: string; readonly cited: readonly Cited[] }[] => {
  const members = new Members(given, population);
  const sent = idsSent(given);
  return replied.flatMap((answer) => {
    const inquiry = new Inquiry("answered-by-new-pod");
    const sender = whoAnswered(inquiry, answer, response.pod, members, sent);
    return sender === null ? [] : [{ answer, uid: sender.uid, cited: inquiry.cited }];
  });
};

type Whose = "new" | "old" | "unknown";

/** The Pods of the workload, by UID. */
class Members {
  readonly #fresh: ReadonlyMap<string | null, Seen>;
  readonly #old: ReadonlySet<string | null>;
  readonly #byName: ReadonlyMap<string, Seen>;

  constructor({ collection, target }: Case, { fresh, old, held }: Population) {
    this.#fresh = new Map(fresh.map((pod) => [pod.uid, pod]));
    this.#old = new Set([...old, ...held].map(({ uid }) => uid));
    this.#byName = new Map(collection.seen(RESOURCES.Pod, target.namespace).map((pod) => [pod.name, pod]));
  }

  whose(uid: string): Whose {
    return this.#fresh.has(uid) ? "new" : this.#old.has(uid) ? "old" : "unknown";
  }

  fresh(uid: string): Seen | undefined {
    return this.#fresh.get(uid);
  }

  named(name: string): Seen | undefined {
    return this.#byName.get(name);
  }
}

/** Who sent one reply. null: it was not told, and what is missing is named. */
type Sender = { readonly uid: string; readonly whose: Whose } | null;

const whoAnswered = (
  inquiry: Inquiry,
  answer: Seen,
  teller: PodTeller | null,
  members: Members,
  sent: Sent,
): Sender => {
  const uid =
    teller === null
      ? byPath(inquiry, answer, members)
      : isIdTeller(teller)
        ? byId(inquiry, answer, teller.kind, members, sent)
        : byTeller(inquiry, answer, teller, members);
  if (uid === null) return null;
  const pod = members.fresh(uid);
  if (pod !== undefined) citePod(inquiry, pod);
  return { uid, whose: members.whose(uid) };
};

const citePod = (inquiry: Inquiry, pod: Seen): void => {
  inquiry.cite(pod, ["metadata", "uid"]);
  const owner = controllerOf(pod);
  if (owner !== undefined) inquiry.cite(pod, ["metadata", "ownerReferences", owner.at, "uid"]);
};

const isUnshown = (inquiry: Inquiry, answer: Seen): boolean => {
  const why = unshownIn(answer);
  if (why !== undefined) inquiry.miss(`${answer.name}: whose network its address is of (${quoted(why)})`);
  return why !== undefined;
};

/** The address that was asked has to be that Pod's still: addresses are given to others. */
const byPath = (inquiry: Inquiry, answer: Seen, members: Members): string | null => {
  if (isUnshown(inquiry, answer)) return null;
  const uid = inquiry.need(answer, ["pod", "uid"], TEXT) ?? null;
  const pod = uid === null ? undefined : members.fresh(uid);
  if (pod === undefined || valueAt(answer.raw, ["pod", "ip"]) === null) return uid;
  const asked = inquiry.need(answer, ["pod", "ip"], TEXT);
  const its = inquiry.need(pod, ["status", "podIP"], TEXT);
  if (asked === its) return uid;
  inquiry.miss(`Pod ${pod.name}: its address is another one now`);
  return null;
};

interface Words {
  readonly limit: string;
  readonly nobody: string;
  readonly several: string;
}

const ID_WORDS: Readonly<Record<IdTeller["kind"], Words>> = {
  log: {
    limit:
      "by a line in a Pod's log: whatever else sees the requests (a proxy in the Pod, say) can write one too",
    nobody: "no Pod of this workload has its id in its log",
    several: "Pods have its id in their logs",
  },
  port: {
    limit:
      "by what a Pod tells at a port of its own, asked through the API server's proxy: whatever else sees the requests (a proxy in the Pod, say) can tell it too",
    nobody: "no Pod of this workload tells its id at that port",
    several: "Pods tell its id at that port",
  },
};

/**
 * One Pod alone knows the id of this request, and of no other, by its log or at its port; all of them were read, and the Pod
 * of that name had the same UID before and after.
 */
const byId = (
  inquiry: Inquiry,
  answer: Seen,
  source: IdTeller["kind"],
  members: Members,
  sent: Sent,
): string | null => {
  const words = ID_WORDS[source];
  inquiry.limit(words.limit);
  const miss = (what: string): null => {
    inquiry.miss(`${answer.name}: ${what}`);
    return null;
  };
  const id = inquiry.need(answer, ["requestId"], TEXT);
  const unread = inquiry.need(answer, [source, "unread"], LIST);
  const found = inquiry.need(answer, [source, "found"], LIST);
  if (id === undefined || unread === undefined || found === undefined) return null;
  if (sent.get(id) !== 1) return miss("its id was sent with another request too");
  if (unread.length > 0) {
    for (const why of unread) inquiry.miss(quoted(String(why)));
    return null;
  }
  if (found.length === 0) return miss(words.nobody);
  const uids = found.map((_, at) => inquiry.need(answer, [source, "found", at, "uid"], TEXT));
  const name = inquiry.need(answer, [source, "found", 0, "name"], TEXT);
  const [uid] = uids;
  if (uid === undefined || name === undefined) return null;
  if (uids.some((one) => one !== uid)) return miss(`${new Set(uids).size} ${words.several}`);
  const bearer = members.named(name);
  if (bearer !== undefined && bearer.uid !== uid)
    return miss(`Pod ${quoted(name)}: another one bears that name now`);
  return boreBefore(inquiry, answer, name) === uid
    ? uid
    : miss(`Pod ${quoted(name)}: another one bore that name before`);
};

/** The UID of the Pod that had this name when the request was sent; undefined: not recorded, and said, or none had. */
const boreBefore = (inquiry: Inquiry, answer: Seen, name: string): JsonValue | undefined => {
  const before = inquiry.need(answer, ["podsBefore"], LIST);
  return valueAt(
    before?.find((one) => valueAt(one, ["name"]) === name),
    ["uid"],
  );
};

const byTeller = (inquiry: Inquiry, answer: Seen, teller: ReplyTeller, members: Members): string | null => {
  const word = wordOf(inquiry, answer, teller);
  if (word === null) return null;
  if (members.whose(word) !== "unknown") return word;
  // Pods of several clusters may have one name.
  if (isUnshown(inquiry, answer)) return null;
  const bearer = members.named(word);
  if (bearer === undefined || bearer.uid === null) return word;
  const before = fieldAt(answer.raw, ["podsBefore"], LIST);
  if (before.kind !== "known") {
    inquiry.miss(`which Pod was called ${quoted(word)} before the request`);
    return null;
  }
  inquiry.cite(answer, ["podsBefore"]);
  const was = before.value.find((one) => valueAt(one, ["name"]) === word);
  if (valueAt(was, ["uid"]) === bearer.uid) return bearer.uid;
  inquiry.miss(`Pod ${quoted(word)}: another one bore that name before the request`);
  return null;
};

const wordOf = (inquiry: Inquiry, answer: Seen, teller: ReplyTeller): string | null => {
  if (teller.kind === "header") return inquiry.need(answer, ["headers", teller.name], TEXT) ?? null;
  if (inquiry.need(answer, ["body"], TEXT) === undefined) return null;
  const word = wordIn(answer.raw, teller);
  if (typeof word === "string" && word !== "") return word;
  inquiry.miss(`${answer.name}: the reply does not name its Pod where it should`);
  return null;
};

const byWord = (inquiry: Inquiry, given: Case, senders: readonly Sender[], via: string): Found => {
  const told = senders.filter((one) => one !== null);
  const of = (whose: Whose) => told.filter((one) => one.whose === whose);
  const [old, unknown] = [of("old"), of("unknown")];
  const count = counted(senders.length, "reply", "replies");
  if (old.length > 0)
    return byOld(
      inquiry,
      given,
      `${old.length} of ${count} by ${via} came from ${podsOf(old)} of another template`,
    );
  if (unknown.length > 0) {
    inquiry.miss(`Pod with UID or name ${listed([...new Set(unknown.map(({ uid }) => quoted(uid)))])}`);
    return inquiry.undetermined(
      "unknown-pod",
      `${unknown.length} of ${count} by ${via} came from who is not known as a Pod of this workload: ${listed([...new Set(unknown.map(({ uid }) => quoted(uid)))])}`,
    );
  }
  if (told.length < senders.length) return inquiry.unknown();
  return inquiry.proven(
    "new-pods-answered",
    `${count} by ${via} came from ${podsOf(told)}, ${told.length === 1 ? "" : "all "}of the new template`,
  );
};

const podsOf = (senders: readonly { readonly uid: string }[]): string =>
  counted(new Set(senders.map(({ uid }) => uid)).size, "Pod");

const byOld = (inquiry: Inquiry, given: Case, sentence: string): Found =>
  given.before.get("rollout-complete")?.finding === "progressing" ||
  given.before.get("old-gone")?.finding === "progressing"
    ? inquiry.progressing("waiting-for", `${sentence}; the rollout is under way`)
    : inquiry.refuted("old-pod-answered", sentence);

/** Where nobody says who answered: all that could are new, before the request and after. */
const byElimination = (
  inquiry: Inquiry,
  given: Case,
  response: ResponseExpectation,
  replied: readonly Seen[],
  members: Members,
): Found => {
  const untold = "the app does not say which Pod it is";
  if (response.via.kind !== "service") {
    inquiry.miss("which Pod answered (--pod)");
    return inquiry.undetermined("not-told", `${untold}, and what else that path may lead to is not known`);
  }
  const gone = given.before.get("old-gone");
  if (gone?.finding !== "proven") {
    inquiry.miss("which Pod answered (--pod)");
    return inquiry.undetermined("not-told", `${untold}, and Pods of another template may have`);
  }
  const shown = replied.filter((answer) => !isUnshown(inquiry, answer));
  if (shown.length < replied.length) return inquiry.unknown();
  for (const cited of gone.evidence) inquiry.citeReading(cited);
  const before = replied.flatMap((answer) => {
    const uids = inquiry.need(answer, ["endpointsBefore"], LIST);
    return uids === undefined ? [] : uids;
  });
  const after = endpointsAfter(inquiry, given, replied);
  if (after === undefined || inquiry.missing.length > 0) return inquiry.unknown();
  const all = [...new Set([...before, ...after])];
  const others = all.filter((uid) => typeof uid !== "string" || members.whose(uid) !== "new");
  if (others.length > 0 || all.length === 0) {
    inquiry.miss("which Pod answered (--pod)");
    return inquiry.undetermined(
      "not-told",
      `${untold}, and ${all.length === 0 ? "no endpoint is known that could have" : `${others.length} of ${counted(all.length, "endpoint")} are not known to be of the new template`}`,
    );
  }
  for (const uid of all) {
    const pod = members.fresh(String(uid));
    if (pod !== undefined) citePod(inquiry, pod);
  }
  inquiry.limit("by elimination: the app itself does not say which Pod it is");
  return inquiry.proven(
    "only-new-pods",
    `${counted(replied.length, "reply", "replies")} by ${viaText(response.via)} came from the new template: nothing but its ${counted(all.length, "Pod")} stood behind the Service, before and after`,
  );
};

/** All that the Service could have sent a request to, ready or not. */
const endpointsAfter = (
  inquiry: Inquiry,
  given: Case,
  replied: readonly Seen[],
): readonly string[] | undefined => {
  const { collection, target } = given;
  const names = replied.map((answer) => inquiry.need(answer, ["service"], TEXT));
  const [name] = names;
  if (name === undefined || names.some((one) => one !== name)) return undefined;
  const service = collection.seen(RESOURCES.Service, target.namespace).find((one) => one.name === name);
  const slices = inquiry.needList(collection, RESOURCES.EndpointSlice, target.namespace);
  if (service === undefined || slices === undefined) {
    inquiry.miss(`Service ${name}`);
    return undefined;
  }
  const uid = inquiry.need(service, ["metadata", "uid"], TEXT);
  const its = slices.objects.filter(
    (slice) =>
      labelsOf(slice.raw, "metadata", "labels").get("kubernetes.io/service-name") === name &&
      controllerOf(slice)?.uid === uid,
  );
  return its.flatMap((slice) => {
    const list = fieldAt(slice.raw, ["endpoints"], LIST);
    if (list.kind !== "known") return [];
    return list.value.flatMap((endpoint, at) => {
      if (fieldAt(endpoint, ["conditions"], OBJECT).kind !== "known") return [];
      const its_ = inquiry.need(slice, ["endpoints", at, "targetRef", "uid"], TEXT);
      return its_ === undefined ? [] : [its_];
    });
  });
};
