/**
 * Why the API server refused to create Pods, as the ReplicaFailure condition and FailedCreate events quote it: quota,
 * LimitRange, admission (plugin/pkg/admission/resourcequota, limitranger; webhooks; Pod Security).
 */
import { quoted } from "./words.ts";

export const refusalReason = (message: string): string => {
  if (/exceeded quota|insufficient quota|failed quota/i.test(message)) return "quota";
  if (/(?:maximum|minimum) \S+ usage per|limit to request ratio|LimitRange/i.test(message))
    return "limit-range";
  if (/admission webhook|denied the request|violates PodSecurity|admission policy/i.test(message))
    return "admission";
  if (/serviceaccount/i.test(message) && /not found/i.test(message)) return "service-account";
  return "create-refused";
};

const WHAT: Readonly<Record<string, string | undefined>> = {
  quota: "forbidden by a quota",
  "limit-range": "forbidden by a LimitRange",
  admission: "refused by admission",
  "service-account": "refused for its service account",
};

export const refusalClause = (message: string): string => {
  const what = WHAT[refusalReason(message)];
  return `${what === undefined ? "refused" : what}: ${quoted(message)}`;
};
