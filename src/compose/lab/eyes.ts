/** How a lab looks at what it put there: as `verify` does, and by kubectl's rule beside it. Reads only. */
import { systemClock } from "../../adapters/system/clock.ts";
import type { Answer } from "../../domain/answer.ts";
import type { Before, Bystander } from "../../domain/bystander.ts";
import type { ClaimName } from "../../domain/claim.ts";
import type { ExpectedConfig } from "../../domain/config.ts";
import { NOTHING_EXPECTED } from "../../domain/expected.ts";
import type { Judgement } from "../../domain/finding.ts";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import type { LabStep, RolloutWord, Sight } from "../../domain/lab.ts";
import { expectedReply, type ResponseExpectation } from "../../domain/response.ts";
import { isReady } from "../../judge/pod.ts";
import { hint, TEXT } from "../../judge/read.ts";
import type { Prober } from "../../ports/prober.ts";
import { type Look, liveEvidence } from "../../runtime/collect.ts";
import { liveSweep } from "../../runtime/collect-sweep.ts";
import { NO_COMPARISON } from "../../runtime/comparison.ts";
import { reportOf, type VerdictReport } from "../../runtime/verify.ts";
import type { Delivering } from "./commits.ts";
import { rolloutWord } from "./rollout-word.ts";
import type { Stage } from "./scene.ts";

/** A Pod that is neither finished nor about to go. */
export interface LabPod {
  readonly name: string;
  readonly uid: string;
  readonly version: string;
  readonly ready: boolean;
  readonly object: JsonObject;
}

export interface Saw {
  readonly report: VerdictReport;
  readonly deployment: JsonObject | null;
  readonly pods: readonly LabPod[];
  readonly answers: readonly Answer[];
  readonly word: RolloutWord | null;
}

export interface LookFor {
  readonly claims: readonly ClaimName[];
  readonly via: "pod" | "service";
  readonly path?: string;
  readonly status?: number;
  readonly samples?: number;
  /** What the release had, by ConfigMap. */
  readonly config?: ReadonlyMap<string, ExpectedConfig>;
  /** The commit that an Application is to have brought about. */
  readonly delivered?: { readonly by: Delivering["application"]; readonly commit: string };
  readonly before?: Before;
  readonly beside?: readonly string[];
}

const TIMEOUT_MS = 20_000;
const EVERY_MS = 1_000;

export class Eyes {
  readonly #stage: Stage;
  readonly #prober: Prober;

  constructor(stage: Stage, prober: Prober) {
    this.#stage = stage;
    this.#prober = prober;
  }

  async look(name: string, wanted: LookFor): Promise<Saw> {
    const { cluster, namespace, io } = this.#stage;
    const question = {
      kind: "Deployment",
      namespace,
      name,
      claims: wanted.claims,
      expected: {
        ...NOTHING_EXPECTED,
        config: wanted.config ?? NOTHING_EXPECTED.config,
        response: replyOf(wanted),
        commit:
          wanted.delivered === undefined
            ? null
            : { sha: wanted.delivered.commit, tree: null, repository: null, source: null },
        application: wanted.delivered?.by ?? null,
        bystanders:
          wanted.before === undefined
            ? null
            : { before: wanted.before, named: (wanted.beside ?? []).map(besideOf) },
      },
    };
    const look = await liveEvidence({
      cluster,
      prober: this.#prober,
      clock: systemClock,
      question,
      comparison: NO_COMPARISON,
      timeoutMs: TIMEOUT_MS,
      stop: io.interrupt.drain,
    }).collect();
    return {
      report: reportOf(look, question, NO_COMPARISON),
      deployment: look.target,
      pods: podsIn(look, name),
      answers: look.answers,
      word: look.target === null ? null : rolloutWord(look.target),
    };
  }

  /** Until it is so, or so many times the time that a step has is over: what was seen last. */
  async until(name: string, wanted: LookFor, isSo: (saw: Saw) => boolean, times = 1): Promise<Saw> {
    const end = systemClock.monotonicMs() + this.#stage.withinMs * times;
    for (;;) {
      const saw = await this.look(name, wanted);
      if (isSo(saw) || systemClock.monotonicMs() > end || this.#stage.io.interrupt.drain.aborted) return saw;
      await systemClock.sleep(EVERY_MS, this.#stage.io.interrupt.drain);
    }
  }

  /** Until all that is told of it is so, or the time that a step has is over: what was seen last, and what it comes to. */
  async shown(
    name: string,
    wanted: LookFor,
    telling: (saw: Saw) => Omit<Telling, "saw">,
    times = 1,
  ): Promise<{ readonly saw: Saw; readonly telling: Telling }> {
    const told = (saw: Saw): Telling => ({ ...telling(saw), saw });
    const saw = await this.until(name, wanted, (one) => tell(told(one)).missed.length === 0, times);
    return { saw, telling: told(saw) };
  }

  /** All workloads of the namespace as they are now, to be compared with later. */
  async before(): Promise<Before> {
    const { cluster, namespace, io } = this.#stage;
    const { collected } = await liveSweep({
      cluster,
      clock: systemClock,
      question: { kinds: null, namespace, selector: null, claims: null },
      timeoutMs: TIMEOUT_MS,
      stop: io.interrupt.drain,
    });
    const source = <T extends { readonly source: { readonly evidence: string; readonly pointer: string } }>(
      one: T,
    ): T => ({ ...one, source: { ...one.source, evidence: `before: ${one.source.evidence}` } });
    const { evidence, server } = collected;
    return {
      named: "the state before",
      server,
      evidence: { ...evidence, objects: evidence.objects.map(source), asked: evidence.asked.map(source) },
      unsteady: [],
    };
  }

  async wait(forMs: number): Promise<void> {
    await systemClock.sleep(forMs, this.#stage.io.interrupt.drain);
  }
}

const besideOf = (name: string): Bystander => ({
  kind: "Deployment",
  namespace: null,
  name,
  uid: null,
  generation: null,
  ready: null,
});

/** nginx names its Pod in a header. */
const replyOf = ({ via, path = "/", status = 200, samples = 4 }: LookFor): ResponseExpectation => ({
  via: via === "pod" ? { kind: "pod" } : { kind: "service", name: null },
  path,
  host: null,
  port: null,
  ca: null,
  expect: { ...expectedReply([]), status },
  pod: via === "pod" ? null : { kind: "header", name: "x-pod" },
  samples: via === "pod" ? 1 : samples,
});

const podsIn = ({ lists }: Look, name: string): readonly LabPod[] =>
  lists
    .flatMap(({ resource, reading }) =>
      resource.kind === "Pod" && reading.kind === "observed" ? reading.items : [],
    )
    .filter((object) => hint(object, ["metadata", "labels", "app"], TEXT) === name)
    .filter(
      (object) => !isJsonObject(object["metadata"]) || object["metadata"]["deletionTimestamp"] === undefined,
    )
    .map((object) => {
      const text = (...path: string[]): string => hint(object, path, TEXT) ?? "";
      return {
        name: text("metadata", "name"),
        uid: text("metadata", "uid"),
        version: text("metadata", "labels", "version"),
        ready: isReady({ ...NO_SEEN, raw: object }),
        object,
      };
    });

const NO_SEEN = {
  group: "",
  version: "v1",
  kind: "Pod",
  namespace: null,
  name: "",
  uid: null,
  source: { evidence: "", pointer: "" },
};

/** Each reply is a 200, of the one ready Pod of this version: null; else a clause. */
export const answersAlone = ({ pods, answers }: Saw, version: string): string | null => {
  const ready = pods.filter((one) => one.ready && one.version === version);
  const [pod] = ready;
  return ready.length === 1 &&
    answers.length > 0 &&
    answers.every(({ status, headers }) => status === 200 && headers?.["x-pod"] === pod?.name)
    ? null
    : `each reply was to be a 200 of the one ready Pod of ${version}`;
};

// ---- what is told of it --------------------------------------------------------------------------------------------

export interface Telling {
  readonly title: string;
  readonly did: readonly string[];
  readonly shows: string;
  readonly saw: Saw | null;
  readonly more?: readonly Sight[];
  /** What has to come of which claims. */
  readonly wants?: Readonly<Partial<Record<ClaimName, Judgement>>>;
  /** What kubectl has to say of it. */
  readonly green?: boolean;
  /** Clauses of what else was to be seen and was not. */
  readonly missed?: readonly (string | null)[];
}

export const tell = ({
  title,
  did,
  shows,
  saw,
  more = [],
  wants = {},
  green,
  missed = [],
}: Telling): LabStep => {
  const findings = saw === null ? [] : saw.report.findings;
  const other = Object.entries(wants).flatMap(([claim, wanted]) => {
    const found = findings.find((one) => one.claim === claim);
    if (found?.finding === wanted) return [];
    return [
      `${claim} was to be ${wanted}, and ${found === undefined ? "is not judged" : `is ${found.finding} (${found.reason}): ${found.sentence}`}`,
    ];
  });
  const word = saw === null ? null : saw.word;
  const rule =
    green === undefined || word?.done === green
      ? []
      : [
          `kubectl was to say that it is ${green ? "done" : "not done"}: ${word === null ? "nothing" : word.says}`,
        ];
  return {
    title,
    did,
    shows,
    saw: [...(saw === null ? [] : sights(saw)), ...more],
    kubectl: word,
    asfound:
      saw === null
        ? null
        : { verdict: saw.report.verdict, statement: saw.report.statement, findings: saw.report.findings },
    missed: [...rule, ...other, ...missed.filter((one) => one !== null)],
  };
};

const sights = ({ pods, answers }: Saw): readonly Sight[] => [
  ...pods.map(({ name, uid, version, ready }) => ({
    what: `Pod ${name}`,
    value: `${version}, ${ready ? "ready" : "not ready"}, UID ${uid}`,
  })),
  ...repliesOf(answers),
];

/** `4 × 200 from web-abc`. */
const repliesOf = (answers: readonly Answer[]): readonly Sight[] => {
  const counts = new Map<string, number>();
  for (const { via, status, pod, headers, failure } of answers) {
    const from = pod?.name ?? headers?.["x-pod"] ?? "nobody";
    const text = `${via}\u0000${status === null ? `no reply (${failure})` : `${status} from ${from}`}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => {
    const [via = "", came = ""] = text.split("\u0000");
    return { what: `asked by ${via}`, value: `${count} × ${came}` };
  });
};
