/** The recorded answers of one path, and what that path leaves open whoever answered (V9). */
import { ANSWER, type AnswerOf } from "../domain/answer.ts";
import type { Seen } from "../domain/evidence.ts";
import { isIdTeller, type ResponseExpectation, type Via, viaText } from "../domain/response.ts";
import type { Case } from "./case.ts";
import type { Inquiry } from "./inquiry.ts";
import { hint, TEXT, valueAt } from "./read.ts";
import { wordIn } from "./reply.ts";

export interface Answers {
  /** With a reply. */
  readonly replied: readonly Seen[];
  /** Without one, and why. */
  readonly silent: readonly { readonly answer: Seen; readonly why: string }[];
}

/** An answer to the question that is asked now: by gRPC about this service, or by a GET. What is not told is not another. */
const isOfQuestion = ({ raw }: Seen, { expect: { health } }: ResponseExpectation): boolean => {
  if (health === null) return valueAt(raw, ["grpc"]) === undefined;
  const service = hint(raw, ["grpc", "service"], TEXT);
  return service === undefined || service === health.service;
};

/** `of`: of whom it is; null: of the target. */
const isOf = ({ raw }: Seen, of: AnswerOf | null): boolean => {
  const [kind, namespace, name] = (["kind", "namespace", "name"] as const).map((field) =>
    hint(raw, ["of", field], TEXT),
  );
  if (of === null) return kind === undefined && name === undefined;
  return kind === of.kind && name === of.name && (namespace ?? null) === of.namespace;
};

export const answersBy = (
  { collection }: Pick<Case, "collection">,
  response: ResponseExpectation,
  of: AnswerOf | null = null,
): Answers => {
  const wanted = viaText(response.via);
  const all = collection
    .ofKind(ANSWER.group, ANSWER.kind)
    .filter((one) => hint(one.raw, ["via"], TEXT) === wanted && isOf(one, of) && isOfQuestion(one, response));
  const silent = all.flatMap((answer) => {
    const why = hint(answer.raw, ["failure"], TEXT);
    return why === undefined ? [] : [{ answer, why }];
  });
  const isSilent = new Set(silent.map(({ answer }) => answer));
  return { replied: all.filter((one) => !isSilent.has(one)), silent };
};

/** Why it is not shown that the address which was asked is this cluster's, a clause; undefined: it is, or is none of its network. */
export const unshownIn = ({ raw }: Seen): string | undefined => hint(raw, ["unshown"], TEXT);

/** The replies of which only the address says that they are this cluster's, and that is not shown. */
export const untied = (
  { collection }: Pick<Case, "collection">,
  { pod }: ResponseExpectation,
  replied: readonly Seen[],
): readonly { readonly answer: Seen; readonly why: string }[] => {
  const open = replied.flatMap((answer) => {
    const why = unshownIn(answer);
    return why === undefined ? [] : [{ answer, why }];
  });
  if (open.length === 0) return [];
  const uids = new Set(collection.ofKind("", "Pod").map(({ uid }) => uid));
  return open.filter(({ answer: { raw } }) => {
    // An id that nobody can guess, known to a Pod of this cluster; a UID that no other cluster has.
    if (isIdTeller(pod)) return valueAt(raw, [pod.kind, "found", 0]) === undefined;
    const word = pod === null ? undefined : wordIn(raw, pod);
    return typeof word !== "string" || !uids.has(word);
  });
};

const LEAVES_OPEN: Readonly<Record<Via["kind"], string>> = {
  pod: "asked at the Pods themselves: it does not tell what the Service answers, or an Ingress or Gateway",
  service: "asked at the Service: it does not tell what an Ingress or Gateway answers",
  ingress: "asked at the Ingress's address from here: it does not tell what others reach by their way to it",
  gateway: "asked at the Gateway's address from here: it does not tell what others reach by their way to it",
  url: "asked from here: it does not tell what others reach by their way to it",
};

const isUnchecked = ({ raw }: Seen): boolean => {
  const url = hint(raw, ["url"], TEXT);
  return hint(raw, ["through"], TEXT) === "api-server" && url !== undefined && /^https:/i.test(url);
};

export const limitByPath = (
  inquiry: Inquiry,
  { via }: ResponseExpectation,
  answers: readonly Seen[],
): void => {
  inquiry.limit(LEAVES_OPEN[via.kind]);
  if (answers.some(({ raw }) => hint(raw, ["through"], TEXT) === "api-server"))
    inquiry.limit(
      "asked through the API server's proxy, which chooses an endpoint itself: not the way that clients take",
    );
  if (answers.some(isUnchecked))
    inquiry.limit("the API server's proxy does not check the certificate of what it asks");
};
