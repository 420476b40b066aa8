/** What a registry answered is told apart: not there, not given, not just now. The words are containerd's and CRI-O's. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { said } from "../../test/support/kubernetes/events.ts";
import { about, evidenceOf } from "../../test/support/kubernetes/evidence.ts";
import { changed, list } from "../../test/support/kubernetes/object.ts";
import { barePod } from "../../test/support/kubernetes/others.ts";
import type { JsonObject } from "../domain/json.ts";
import { judge } from "./judge.ts";

const IMAGE = "registry.test/shop/app:2";

const podThat = (reason: string, message: string, image = IMAGE): JsonObject => {
  const status = ["status", "containerStatuses", 0] as const;
  const waiting = changed(barePod("image-pull"), [...status, "state", "waiting"], { reason, message });
  return changed(waiting, [...status, "image"], image);
};

const told = (pod: JsonObject, events: readonly JsonObject[] = []) => {
  const files = { "pods.json": list([pod]), "events.json": list(events) };
  const [found] = judge(evidenceOf(files, 700), about("pod/alone")).findings;
  return { finding: found?.finding, reason: found?.reason, sentence: String(found?.sentence) };
};

const RESOLVE = (image: string) =>
  `failed to pull and unpack image "${image}": failed to resolve reference "${image}"`;

/** By who says it. */
const MESSAGES: Readonly<Record<string, readonly [reason: string, finding: string, message: string]>> = {
  "containerd, a tag that is not there": [
    "image-not-found",
    "refuted",
    `rpc error: code = NotFound desc = ${RESOLVE(IMAGE)}: ${IMAGE}: not found`,
  ],
  "CRI-O, a tag that is not there": [
    "image-not-found",
    "refuted",
    `rpc error: code = Unknown desc = reading manifest 2 in registry.test/shop/app: manifest unknown`,
  ],
  "containerd, no credentials": [
    "image-denied",
    "refuted",
    `${RESOLVE(IMAGE)}: failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://registry.test/token?scope=repository%3Ashop%2Fapp%3Apull: 401 Unauthorized`,
  ],
  "containerd, a basic challenge": [
    "image-denied",
    "refuted",
    `${RESOLVE(IMAGE)}: pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`,
  ],
  "a registry that forbids it": [
    "image-denied",
    "refuted",
    `${RESOLVE(IMAGE)}: unexpected status from HEAD request to https://registry.test/v2/shop/app/manifests/2: 403 Forbidden`,
  ],
  "CRI-O, no credentials": [
    "image-denied",
    "refuted",
    `initializing source docker://${IMAGE}: reading manifest 2 in registry.test/shop/app: unauthorized: authentication required`,
  ],
  "the rate limit of Docker Hub": [
    "image-rate-limited",
    "progressing",
    `${RESOLVE(IMAGE)}: unexpected status from HEAD request to https://registry.test/v2/shop/app/manifests/2: 429 Too Many Requests\ntoomanyrequests: You have reached your unauthenticated pull rate limit.`,
  ],
  "a name that nobody resolves": [
    "image-pull",
    "refuted",
    `${RESOLVE(IMAGE)}: failed to do request: Head "https://registry.test/v2/": dial tcp: lookup registry.test: no such host`,
  ],
  "a helper that is not installed": [
    "image-pull",
    "refuted",
    `${RESOLVE(IMAGE)}: exec: "docker-credential-x": executable file not found in $PATH`,
  ],
};

describe.each(Object.entries(MESSAGES))("%s", (_, [reason, finding, message]) => {
  it("while it is pulled, and while the kubelet backs off and repeats it", () => {
    for (const pod of [
      podThat("ErrImagePull", message),
      podThat("ImagePullBackOff", `Back-off pulling image "${IMAGE}": ErrImagePull: ${message}`),
    ])
      expect(told(pod)).toMatchObject({ reason, finding });
  });
  it("a kubelet that only says that it backs off: an event names the reason, and decides nothing", () => {
    const quiet = podThat("ImagePullBackOff", `Back-off pulling image "${IMAGE}"`);
    const event = said({
      name: "alone",
      reason: "Failed",
      message: `Failed to pull image "${IMAGE}": ${message}`,
      fieldPath: "spec.containers{web}",
    });
    expect(told(quiet)).toMatchObject({ reason: "image-pull", finding: "refuted" });
    expect(told(quiet, [event])).toMatchObject({ reason, finding: "refuted" });
  });
});

it("an event about another container of the Pod names no reason", () => {
  const quiet = podThat("ImagePullBackOff", `Back-off pulling image "${IMAGE}"`);
  const event = said({
    name: "alone",
    reason: "Failed",
    message: `Failed to pull image "other:1": other:1: not found`,
    fieldPath: "spec.containers{other}",
  });
  expect(told(quiet, [event])).toMatchObject({ reason: "image-pull" });
});

it("twin: an image whose name says so is not taken for a registry's answer", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("not-found", "429", "unauthorized", "too-many-requests", "access-denied"),
      fc.constantFrom("manifest-unknown", "1", "rate-limit"),
      (name, tag) => {
        const image = `registry.test/${name}/${name}:${tag}`;
        const message = `${RESOLVE(image)}: failed to do request: connection refused`;
        const pod = podThat("ErrImagePull", message, image);
        expect(told(pod)).toMatchObject({ reason: "image-pull", finding: "refuted" });
        expect(told(podThat("ErrImagePull", `${RESOLVE(image)}: ${image}: not found`, image))).toMatchObject({
          reason: "image-not-found",
        });
      },
    ),
  );
});

it("a name that cannot be an image's was asked for nowhere", () => {
  expect(told(podThat("InvalidImageName", 'couldn\'t parse image name "App:2": not found'))).toMatchObject({
    reason: "image-pull",
  });
});
