/**
 * `uses: exec`: the plug-in protocol, for any language (DESIGN §6).
 *
 * Laws: W1 (`open()` is called directly before the spawn), W4 and W7 (ids and outputs are kept and handed over as they
 * come), N4 (deadline and stop end the process group), N6 (the key is in the command's environment), R2 (a question
 * that went wrong is no answer).
 */
import { resolve } from "node:path";
import type { Call, CommittedIntent } from "../../domain/committed-intent.ts";
import { type Reached, unreached } from "../../domain/crash-point.ts";
import type { Outcome, Reading } from "../../domain/outcome.ts";
import type { Action } from "../../domain/step.ts";
import type { CallIo, Provider, Question } from "../../ports/provider.ts";
import type { Ended, NotStarted, Waits } from "./command.ts";
import { runCommand, WAITS } from "./command.ts";
import { describeExec } from "./describe.ts";
import type { Environment } from "./environment.ts";
import { childEnvironment } from "./environment.ts";
import { gather, report } from "./gather.ts";
import type { PrintedLine } from "./lines.ts";
import { outcomeOf, outcomeOfExit, survivorClause } from "./outcome.ts";
import type { Answer } from "./reading.ts";
import { readAnswer, readingOf, readingOfExit } from "./reading.ts";
import type { ExecRequest } from "./request.ts";
import { requestOfCall, requestOfQuestion } from "./request.ts";
import type { ExecWith } from "./with.ts";
import { firstFault, readWith } from "./with.ts";

export interface ExecOptions {
  /** asfound's own environment; a command gets the few variables of `environment.ts` out of it. */
  readonly environment: Environment;
  /** For tests; 5 s between TERM and KILL, 2 s for output after the end. */
  readonly waits?: Waits;
  readonly reached?: Reached;
}

/** Answers of one observe beyond this many change nothing about it. */
const MAX_ANSWERS = 16;

export const execProvider = ({ environment, waits = WAITS, reached = unreached }: ExecOptions): Provider => {
  /** One run of a step's command. */
  const run = (
    spec: ExecWith,
    argv: readonly string[],
    request: ExecRequest,
    io: CallIo,
    onStdout: (line: PrintedLine) => Promise<void> | void,
  ): Promise<Ended | NotStarted> =>
    runCommand({
      argv,
      directory: spec.directory === null ? io.baseDirectory : resolve(io.baseDirectory, spec.directory),
      environment: childEnvironment(environment, spec.environment, request),
      stdin: `${JSON.stringify(request)}\n`,
      deadlineMs: io.deadlineMs,
      stop: io.stop,
      onStdout,
      onStderr: (line) => report(io, line.text),
      waits,
      reached,
    });

  const send = async (call: Call, io: CallIo): Promise<Outcome> => {
    const spec = readWith(call.inputs, true);
    if (!("commands" in spec)) return { kind: "refused", reason: `not started: ${firstFault(spec)}` };
    const argv = spec.commands[call.action];
    if (argv === undefined)
      return { kind: "refused", reason: `not started: the step has no ${call.action} command` };

    const speaksProtocol = spec.protocol === "json-lines";
    const gathering = gather(io, call.identity === null ? null : call.identity.id, reached);
    const ended = await run(spec, argv, requestOfCall(call), io, (line) =>
      speaksProtocol ? gathering.take(line) : report(io, line.text),
    );
    if (ended.kind === "not-started") return { kind: "refused", reason: ended.reason };
    const outcome = speaksProtocol
      ? outcomeOf(gathering.told(), ended, call.identity === null ? null : call.identity.id)
      : outcomeOfExit(ended);
    if (outcome.kind === "done" && ended.survivors) report(io, `it is done${survivorClause(ended)}`);
    if (outcome.kind === "refused") await gathering.keepOutputs();
    return outcome;
  };

  const mutate = async (intent: CommittedIntent<Action>, io: CallIo): Promise<Outcome> => {
    if (io.stop.aborted)
      return { kind: "refused", reason: "not started: asfound was told to stop before it was sent" };
    let call: Call;
    try {
      call = await intent.open();
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ASFOUND_NOT_SENT") throw error;
      return { kind: "refused", reason: (error as Error).message };
    }
    return send(call, io);
  };

  return {
    name: "exec",
    describe: describeExec,
    observe: async (question, io) => {
      try {
        return await ask(question, io, run);
      } catch (error) {
        return { kind: "failed", reason: `asfound could not ask: ${String(error)}` };
      }
    },
    create: mutate,
    update: mutate,
    destroy: mutate,
    compensate: mutate,
    owed: mutate,
  };
};

type Run = (
  spec: ExecWith,
  argv: readonly string[],
  request: ExecRequest,
  io: CallIo,
  onStdout: (line: PrintedLine) => Promise<void> | void,
) => Promise<Ended | NotStarted>;

const ask = async (question: Question, io: CallIo, run: Run): Promise<Reading> => {
  const spec = readWith(question.inputs, true);
  if (!("commands" in spec)) return { kind: "failed", reason: `not started: ${firstFault(spec)}` };
  const argv = spec.commands.observe;
  if (argv === undefined) return { kind: "not-asked", reason: "the step has no observe command" };
  const answers: Answer[] = [];
  const speaksProtocol = spec.protocol === "json-lines";
  const ended = await run(spec, argv, requestOfQuestion(question), io, (line) => {
    const answer: Answer = speaksProtocol ? readAnswer(line) : { kind: "progress", text: line.text };
    if (answer.kind === "progress") report(io, answer.text);
    else if (answers.length < MAX_ANSWERS) answers.push(answer);
  });
  if (ended.kind === "not-started") return { kind: "failed", reason: ended.reason };
  return speaksProtocol ? readingOf(answers, ended) : readingOfExit(ended);
};
