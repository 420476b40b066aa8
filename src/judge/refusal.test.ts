import { expect, it } from "vitest";
import { refusalReason } from "./refusal.ts";

it.each([
  [
    "quota",
    'pods "web-x" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=3, limited: pods=3',
  ],
  ["quota", 'pods "web-x" is forbidden: failed quota: compute: must specify limits.cpu'],
  ["limit-range", 'pods "web-x" is forbidden: maximum cpu usage per Container is 1, but limit is 2'],
  ["limit-range", 'pods "web-x" is forbidden: minimum memory usage per Pod is 64Mi, but request is 1Mi'],
  ["admission", 'admission webhook "policy.example.com" denied the request: no latest tags'],
  ["admission", 'pods "web-x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true'],
  ["admission", "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: admission policy"],
  [
    "service-account",
    'pods "web-" is forbidden: error looking up service account shop/web: serviceaccount "web" not found',
  ],
  ["create-refused", "the server was unable to return a response in the time allotted"],
])("%s: %s", (reason, message) => expect(refusalReason(message)).toBe(reason));
