/** The embedded cloud's faults as the switches of the conformance kit. */
import type { Action } from "../../domain/step.ts";
import type { Switches } from "../provider/switches.ts";
import type { Cloud } from "./cloud.ts";
import type { Fault, FaultRule, Verb } from "./fault.ts";
import { type KindSettings, USUAL } from "./kinds.ts";

export interface CloudSwitchesOptions {
  /** The kind that the step makes; default: `machines`. */
  readonly kind?: string;
  /** How that kind was set; `twin` sets its rules aside for a moment. */
  readonly settings?: Partial<KindSettings>;
  /** Which of the cloud's verbs an action is, where it is another than its own (a create by PUT is an `update`). */
  readonly verbs?: Readonly<Partial<Record<Action, Verb>>>;
}

const VERBS: Readonly<Partial<Record<Action, Verb>>> = {
  create: "create",
  update: "update",
  destroy: "delete",
};

/** For a `Subject` whose provider speaks to `cloud`. They replace the cloud's fault rules. */
export const cloudSwitches = (cloud: Cloud, options: CloudSwitchesOptions = {}): Required<Switches> => {
  const { kind = "machines", settings = {}, verbs = {} } = options;
  const next = (action: Action, fault: Fault): void => {
    const verb = verbs[action] ?? VERBS[action];
    if (verb === undefined) throw new Error(`the cloud has no ${action}`);
    cloud.setFaults([{ kind, verb, nth: 1, fault }]);
  };
  const reading = (status: number): FaultRule[] =>
    (["get", "list"] as const).map((verb) => ({ kind, verb, fault: { do: "status", status } }));
  return {
    loseReply: (action) => next(action, { do: "cut", at: "after" }),
    failAfter: (action) => next(action, { do: "status", status: 500, after: true }),
    refuse: (action) => next(action, { do: "status", status: 422 }),
    late: (action, ms) => next(action, { do: "late", ms }),
    hang: (action) => next(action, { do: "hang", after: true }),
    reads: (how) => cloud.setFaults(how === null ? [] : reading(how === "denied" ? 403 : 502)),
    twin: async () => {
      const [first] = cloud.objects(kind);
      const { id: _id, status: _status, ip: _ip, ...body } = first?.body ?? {};
      cloud.setKind(kind, { keys: "ignore", uniqueNames: false });
      await fetch(`${cloud.url}/v1/${kind}`, { method: "POST", body: JSON.stringify(body) });
      cloud.setKind(kind, { ...USUAL, ...settings });
    },
  };
};
