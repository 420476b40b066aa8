/**
 * What stands outside, told by itself: which calls it got, what it changed, what is there now. One face over the shell
 * cloud (a process a call, which outlives us) and the HTTP cloud (a process of its own). What asfound's ledger says is
 * never asked here.
 */
import { readdirSync, readlinkSync } from "node:fs";
import type { Action } from "../../../src/domain/step.ts";
import { cloudStep, type Place, until } from "../../scenarios/place.ts";
import { type RemoteCloud, spawnCloud } from "../../support/cloud.ts";

export interface Call {
  readonly action: Action;
  readonly step: string;
  /** null where the call carries none. */
  readonly key: string | null;
}

export interface Change {
  readonly what: "made" | "changed" | "gone" | "done";
  readonly step: string;
  readonly id: string;
}

export interface StepText {
  readonly size?: string;
  readonly settle?: string;
  /** More lines of the step. */
  readonly lines?: readonly string[];
  /** Contained in that step, in the cloud as well. */
  readonly within?: string;
  /** Nothing can observe it. */
  readonly blind?: boolean;
  readonly compensated?: boolean;
  readonly owing?: boolean;
}

export interface Cloud {
  step(name: string, text?: StepText): string;
  /** Calls that change something, in the order in which they came. */
  calls(): Promise<readonly Call[]>;
  changes(): Promise<readonly Change[]>;
  alive(): Promise<readonly Pick<Change, "step" | "id">[]>;
  /** Makes an object of somebody else's, as declared; its id. */
  plant(step: string): Promise<string>;
  /** Resolves once nothing that a dead asfound had sent is at work any more. */
  quiet(): Promise<void>;
}

export type Uses = "exec" | "http";

/** Every step of these tests. */
const STEPS = ["machine", "net", "guest", "a", "b", "c", "d"] as const;

const lines = (text: StepText): string[] => [
  `settle: ${text.settle ?? "200ms"}`,
  ...(text.lines ?? []),
  ...(text.within === undefined ? [] : [`partOf: ${text.within}`]),
];

/** Pids of processes that work in a folder or below. */
const workingIn = (folder: string): readonly string[] =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });

const SHELL_CHANGES: Readonly<Record<string, Change["what"]>> = {
  create: "made",
  update: "changed",
  destroy: "gone",
  swept: "gone",
  compensate: "done",
  owed: "done",
};
const stepOf = (id: string): string => id.replace(/-\d+$/, "");

export const shellCloud = (place: Place): Cloud => ({
  step: (name, text = {}) => {
    const inside = text.within === undefined ? "" : `, in: "${text.within}"`;
    const more = text.lines ?? [];
    const compensation =
      text.compensated === true
        ? ["compensate:", "  uses: exec", `  with: { compensate: ["${CLOUD_SH}", "CLOUD"] }`]
        : [];
    return cloudStep(name, {
      lines: [...lines({ ...text, lines: [...more, ...compensation] })],
      with: [`inputs: { size: "${text.size ?? "1"}"${inside} }`],
      without: ["compensate", ...(text.blind === true ? ["observe"] : [])],
    });
  },
  calls: async () =>
    (await place.log()).flatMap((line) => {
      const [, action, step, key] = /^([a-z]+) (\S+) key=(\S*) /.exec(line) ?? [];
      if (action === undefined || step === undefined || action === "observe") return [];
      return [{ action: action as Action, step, key: key === undefined || key === "" ? null : key }];
    }),
  changes: async () =>
    (await place.log()).flatMap((line) => {
      const [, what = "", id = ""] = /^EFFECT ([a-z]+) (\S+)$/.exec(line) ?? [];
      const change = SHELL_CHANGES[what];
      return change === undefined ? [] : [{ what: change, step: stepOf(id), id }];
    }),
  alive: async () => (await place.objects()).map((id) => ({ step: stepOf(id), id })),
  plant: async (step) => {
    await place.makeObject(`${step}-100`, `key=none\nstep=${step}\nbody="size":"1"\n`);
    return `${step}-100`;
  },
  quiet: () => until("the commands have ended", () => workingIn(place.root).length === 0),
});

/** As `cloudStep` names it. */
const CLOUD_SH = /\["([^"]+)"/.exec(cloudStep("any"))?.[1] ?? "";

/** A kind of object for each step, and one for each thing that is done to it. */
const KINDS: readonly (readonly [prefix: string, action: Action, suffix: string])[] = [
  ["undo-", "compensate", "~compensate"],
  ["restart-", "owed", ""],
];
const HTTP_ACTIONS: Readonly<Record<string, Action>> = {
  create: "create",
  update: "update",
  delete: "destroy",
};
const HTTP_CHANGES: Readonly<Record<string, Change["what"]>> = {
  created: "made",
  updated: "changed",
  deleted: "gone",
};

const calledAs = (kind: string): { readonly action: Action; readonly step: string } | undefined => {
  for (const [prefix, action, suffix] of KINDS)
    if (kind.startsWith(prefix)) return { action, step: kind.slice(prefix.length) + suffix };
  return undefined;
};

export const httpCloud = async (): Promise<{ readonly start: () => Promise<Cloud> }> => {
  // A create that is sent twice makes two, whatever its key.
  const kinds = Object.fromEntries(STEPS.map((step) => [step, { keys: "ignore" as const }]));
  const remote = await spawnCloud({ kinds });
  return {
    start: async () => {
      const before = (await remote.log()).length;
      return overHttp(remote, before);
    },
  };
};

const overHttp = (remote: RemoteCloud, before: number): Cloud => {
  const log = async () => (await remote.log()).slice(before);
  return {
    step: (name, text = {}) => httpStep(remote.url, name, text),
    calls: async () =>
      (await log()).flatMap((entry): Call[] => {
        const action = HTTP_ACTIONS[entry.verb];
        if (action === undefined || entry.kind === null) return [];
        return [{ action, step: entry.kind, key: entry.key, ...calledAs(entry.kind) }];
      }),
    changes: async () =>
      (await log()).flatMap((entry) =>
        entry.effects.map(({ what, kind, id }): Change => {
          const other = calledAs(kind);
          return other === undefined
            ? { what: HTTP_CHANGES[what] ?? "done", step: kind, id }
            : { what: "done", step: other.step, id };
        }),
      ),
    alive: async () =>
      (await remote.objects())
        .filter(({ kind }) => calledAs(kind) === undefined)
        .map(({ kind, id }) => ({ step: kind, id })),
    plant: async (step) => {
      const reply = await fetch(`${remote.url}/v1/${step}`, { method: "POST", body: '{"size":"1"}' });
      return ((await reply.json()) as { readonly id: string }).id;
    },
    // It answers, or has seen the end of the connection, before it takes the next question.
    quiet: async () => {
      await remote.log();
      await remote.log();
    },
  };
};

const httpStep = (url: string, name: string, text: StepText): string => {
  const size = text.size ?? "1";
  const parent =
    text.within === undefined ? "" : `, parent: "${text.within}/\${steps.${text.within}.outputs.id}"`;
  const owes = text.owing === true ? ", owes: [restart]" : "";
  const observe = [
    "      observe:",
    `        get: { path: "/v1/${name}/{id}" }`,
    "        find:",
    `          path: "/v1/${name}?label=asfound-key%3D{key}"`,
    "          items: /items",
    "          id: /id",
    '          match: { /labels/asfound-key: "{key}" }',
    "          next: /next",
    "        outputs: { id: /id, ip: /ip }",
    "        declared: [/size]",
  ];
  const compensation =
    text.compensated === true
      ? [
          "    compensate:",
          "      uses: http",
          `      with: { base: "${url}", compensate: { path: /v1/undo-${name}, body: {} } }`,
        ]
      : [];
  return [
    `  ${name}:`,
    "    uses: http",
    "    deadline: 5s",
    ...lines(text).map((line) => `    ${line}`),
    ...compensation,
    "    with:",
    `      base: "${url}"`,
    "      key: { body: /labels/asfound-key }",
    `      create: { path: /v1/${name}, body: { size: "${size}", labels: {}${parent} }, id: { header: location }, outputs: { id: /id, ip: /ip }${owes} }`,
    ...(text.blind === true ? [] : observe),
    `      update: { path: "/v1/${name}/{id}", body: { size: "${size}" } }`,
    `      destroy: { path: "/v1/${name}/{id}" }`,
    ...(text.owing === true ? [`      owed: { path: /v1/restart-${name}, body: {} }`] : []),
  ].join("\n");
};
