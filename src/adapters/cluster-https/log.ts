/** One GET of a container's log. Its text is the app's, whatever it says: it is handed on as bytes, and never into a sentence. */
import type { LogReading, LogRef } from "../../ports/cluster.ts";
import { ask, type Caller } from "./ask.ts";
import { failure } from "./failure.ts";
import { isSegment } from "./name.ts";
import { statusOf } from "./status.ts";

/** The kubelet may end a little beyond what it was told. */
const SLACK_BYTES = 64 * 1024;

export const readLog = async (caller: Caller, ref: LogRef): Promise<LogReading> => {
  const { namespace, name, container, sinceSeconds, limitBytes } = ref;
  const what = `the log of container ${container} of Pod ${name} in namespace ${namespace}`;
  if (![namespace, name, container].every(isSegment))
    return failure(what, "invalid-name", "no object can have that name or namespace", []);
  const query = new URLSearchParams({
    container,
    sinceSeconds: String(sinceSeconds),
    limitBytes: String(limitBytes),
  });
  const answer = await ask(caller, {
    what,
    path: `/api/v1/namespaces/${namespace}/pods/${name}/log?${query}`,
    accept: "*/*",
    maxBytes: limitBytes + SLACK_BYTES,
    right: { verb: "get", group: "", resource: "pods/log", namespace, name },
  });
  if (answer.kind !== "replied") return answer;
  const { last, exchanges } = answer;
  if (last.status === 200) return { kind: "read", bytes: last.body, exchanges };
  const isGone = last.status === 404 && statusOf(last)?.reason === "NotFound";
  return isGone ? { kind: "absent", exchanges } : answer.refusal();
};
