/**
 * Why an image does not come, as the registry's answer tells in what the container runtime says (containerd, CRI-O): it is
 * not there, it is not given to this cluster, or it is not given just now. The words are the runtimes' and the registries'
 * (OCI distribution spec, "Error Codes": MANIFEST_UNKNOWN, NAME_UNKNOWN, UNAUTHORIZED, DENIED, TOOMANYREQUESTS).
 */
import type { Seen } from "../domain/evidence.ts";
import type { Collection } from "./collection.ts";
import type { Container } from "./containers.ts";
import { eventsOf } from "./events.ts";
import { hint, TEXT } from "./read.ts";
import { quoted } from "./words.ts";

/** Reasons of the kubelet (pkg/kubelet/images/types.go). */
const PULL: ReadonlySet<string> = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
  "ImageInspectError",
  "RegistryUnavailable",
  "SignatureValidationFailed",
]);

export type PullReason = "image-not-found" | "image-denied" | "image-rate-limited" | "image-pull";

export interface PullTrouble {
  readonly reason: PullReason;
  readonly clause: string;
  /** A registry that asks to come later is asked again; what it does not have or give does not come by itself. */
  readonly lasting: boolean;
}

interface Answer {
  readonly reason: PullReason;
  readonly says: string;
  readonly pattern: RegExp;
}

/** In this order: a registry that refuses says both `pull access denied` and `repository does not exist`. */
const ANSWERS: readonly Answer[] = [
  {
    reason: "image-rate-limited",
    says: "the registry's rate limit is reached",
    pattern: /\b429\b|too ?many ?requests|rate limit/i,
  },
  {
    reason: "image-denied",
    says: "the registry refuses it (it wants credentials that it was not sent, or has no such image and says it so)",
    pattern:
      /\b40[13] (?:unauthorized|forbidden)\b|\bunauthorized\b|authentication required|no basic auth credentials|insufficient_scope|access denied|access to the resource is denied|requested access to the resource|authorization failed|failed to authorize/i,
  },
  {
    reason: "image-not-found",
    says: "the registry does not have it",
    pattern:
      /(?<!file |host )\bnot found\b|manifest unknown|manifest_unknown|name unknown|name_unknown|repository does not exist/i,
  },
];

/** undefined: pulling is not what it waits for. */
export const pullTrouble = (
  pod: Seen,
  container: Container,
  collection: Collection,
): PullTrouble | undefined => {
  const waiting = hint(container.status, ["state", "waiting", "reason"], TEXT);
  if (waiting === undefined || !PULL.has(waiting)) return undefined;
  const image = hint(container.status, ["image"], TEXT);
  const what = image === undefined ? `of ${container.role}` : quoted(image);
  const message = hint(container.status, ["state", "waiting", "message"], TEXT);
  const own = message === undefined || !FROM_REGISTRY.has(waiting) ? undefined : answerIn(message);
  // Older kubelets say no more than that they back off; what the registry said is then in an event, which decides nothing.
  const told = own === undefined ? (pullEvent(pod, container, collection) ?? message) : message;
  const answer = told === undefined || !FROM_REGISTRY.has(waiting) ? undefined : answerIn(told);
  const as = answer === undefined ? "" : `, as ${answer.says}`;
  const why = told === undefined ? "" : ` (${quoted(told)})`;
  return {
    reason: answer === undefined ? "image-pull" : answer.reason,
    clause: `cannot pull the image ${what}${as}: ${waiting}${why}`,
    lasting: own?.reason !== "image-rate-limited",
  };
};

/** Those in which a registry was asked. */
const FROM_REGISTRY: ReadonlySet<string> = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "RegistryUnavailable",
]);

/** The name of the image is no answer: one may be called `not-found`. Word by word, as the text may be of any length. */
const answerIn = (message: string): Answer | undefined => {
  const plain = message
    .slice(0, 4_000)
    .replace(/"[^"]*"/g, "")
    .split(/\s+/)
    .filter((word) => !(word.endsWith(":") && /[/:@]/.test(word.slice(0, -1))))
    .join(" ");
  return ANSWERS.find(({ pattern }) => pattern.test(plain));
};

const pullEvent = (pod: Seen, { name }: Container, collection: Collection): string | undefined =>
  eventsOf(pod, collection).findLast(
    ({ reason, message, container }) =>
      reason === "Failed" &&
      message.startsWith("Failed to pull image") &&
      (container === undefined || container === name),
  )?.message;
