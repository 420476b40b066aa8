/**
 * From a step as written to the inputs of a call: references resolved, secrets known to the scrubber, digests taken.
 * Nothing is called but `observe` of a step whose secret output is needed again and was not kept (DESIGN §6).
 */
import { atPath, type Reference, referencesIn, resolve } from "../domain/expression.ts";
import type { Digest, StepName } from "../domain/ids.ts";
import type { Capabilities, Declared, Policy } from "../domain/journal.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { writeReference } from "../domain/reference.ts";
import { isAlive, type StepState } from "../domain/state.ts";
import { digestOf } from "../wire/digest.ts";
import { holdsSecret, isKeptSecret, openAllKept, openKept, SECRET_MARK } from "../wire/redact.ts";
import type { Runtime } from "./runtime.ts";
import { masked, secretAt, storableWritten } from "./secrecy.ts";

/** A step as it is to be prepared: from today's file, or from a record. */
export interface Written {
  readonly step: StepName;
  readonly uses: string;
  readonly with: JsonObject;
  /** Globs of the files whose content belongs to the inputs. */
  readonly files: readonly string[];
  readonly policy: Policy;
  readonly can: Capabilities;
}

export type Prepared =
  | { readonly kind: "ready"; readonly inputs: JsonObject; readonly declared: Declared }
  /** It cannot run now; the sentence says what is missing. Nothing was called to change anything. */
  | { readonly kind: "not-ready"; readonly why: string };

/** What resolving needs of an operation at work; a plan, which holds no lease, has it too. */
export interface Resolving {
  readonly runtime: Runtime;
  readonly session: { state(step: StepName): StepState | undefined };
  readonly wholeOutputs: ReadonlyMap<StepName, JsonObject>;
}

type Found = { readonly value: JsonValue; readonly secret: boolean } | { readonly fault: string };

/** Reads a step's whole outputs again by asking its provider; undefined where that gives nothing. */
export type ReadAgain = (step: StepName) => Promise<JsonObject | undefined>;

export const prepare = async (work: Resolving, written: Written, readAgain: ReadAgain): Promise<Prepared> => {
  const looked = await resolveAll(work, written.with, readAgain, false);
  if ("fault" in looked) return { kind: "not-ready", why: looked.fault };
  const files = await fileDigests(work, written.files);
  if ("fault" in files) return { kind: "not-ready", why: files.fault };
  const { vault } = work.runtime;
  const withoutSecrets = masked(work.runtime, looked.resolved, {
    public: written.policy.public,
    keepSecrets: false,
    secretPaths: looked.secretPaths,
  });
  const secret = holdsSecret(withoutSecrets);
  const whole: JsonObject =
    files.digests === null ? { with: withoutSecrets } : { with: withoutSecrets, files: files.digests };
  return {
    kind: "ready",
    inputs: looked.resolved,
    declared: {
      uses: written.uses,
      inputs: storableWritten(work.runtime, looked.kept, written.policy),
      inputsDigest: { digest: digestOf(whole), keyId: secret ? vault.keyId : null },
      policy: written.policy,
      can: written.can,
    },
  };
};

const fileDigests = async (
  work: Resolving,
  globs: readonly string[],
): Promise<{ readonly digests: JsonObject | null } | { readonly fault: string }> => {
  if (globs.length === 0) return { digests: null };
  const found = await work.runtime.files.digests(globs);
  if ("fault" in found) return found;
  return { digests: Object.fromEntries<Digest>(found.files) };
};

const resolveAll = async (work: Resolving, written: JsonObject, readAgain: ReadAgain, forRecord: boolean) => {
  const { references, faults } = referencesIn(written);
  const [malformed] = faults;
  if (malformed !== undefined) return { fault: `with.${malformed.path.join(".")}: ${malformed.message}` };
  const found = new Map<string, Found>();
  for (const { reference } of references) {
    const text = writeReference(reference);
    if (!found.has(text)) found.set(text, await lookUp(work, reference, readAgain, forRecord));
  }
  const resolved = resolve(
    written,
    (reference) => found.get(writeReference(reference)) ?? { fault: "it was not looked up" },
  );
  if ("faults" in resolved) {
    const [first] = resolved.faults;
    return {
      fault:
        first === undefined
          ? "its inputs cannot be resolved"
          : `with.${first.path.join(".")}: ${first.message}`,
    };
  }
  for (const secret of resolved.secretValues) work.runtime.scrubber.add(secret);
  return resolved;
};

const lookUp = async (
  work: Resolving,
  reference: Reference,
  readAgain: ReadAgain,
  forRecord: boolean,
): Promise<Found> => {
  switch (reference.kind) {
    case "env":
    case "file": {
      const read = await secretAt(work.runtime, reference);
      return "fault" in read ? read : { value: read.value, secret: true };
    }
    case "output":
      return output(work, reference.step, reference.path, readAgain, forRecord);
    case "var":
      return {
        fault: `the variable ${reference.name} has no value; give it with --var ${reference.name}=VALUE`,
      };
  }
};

const output = async (
  work: Resolving,
  step: StepName,
  path: readonly string[],
  readAgain: ReadAgain,
  forRecord: boolean,
): Promise<Found> => {
  const state = work.session.state(step);
  const name = `\${steps.${step}.outputs.${path.join(".")}}`;
  // To look at or remove what exists, the outputs of what still exists will do (D1).
  const usable = state !== undefined && (state.status === "complete" || (forRecord && isAlive(state)));
  if (!usable) return { fault: `${name} is not known before ${step} is complete` };
  const stored = atPath(state.outputs, path);
  if (stored === undefined) return { fault: `${name}: ${step} has no such output` };
  if (!secretInside(stored)) return { value: stored, secret: false };
  const whole = atPath(work.wholeOutputs.get(step) ?? {}, path);
  if (whole !== undefined) return { value: whole, secret: true };
  const opened = isKeptSecret(stored) ? openKept(stored, work.runtime.vault) : undefined;
  if (opened !== undefined) return { value: opened, secret: true };
  const again = atPath((await readAgain(step)) ?? {}, path);
  if (again !== undefined) return { value: again, secret: true };
  return {
    fault: `${name} is secret, was not kept (keepSecrets), and ${step} could not be asked for it again`,
  };
};

/** Also where a known secret was scrubbed from within a text: what is stored is then not what the provider said. */
const secretInside = (value: JsonValue): boolean => holdsSecret(value) || holdsMark(value);

const holdsMark = (value: JsonValue): boolean => JSON.stringify(value).includes(SECRET_MARK);

/** The inputs of a recorded declaration, its references resolved again. A literal secret that was not kept is a fault. */
export const recordedInputs = async (
  work: Resolving,
  declared: Declared,
  readAgain: ReadAgain,
): Promise<{ readonly inputs: JsonObject } | { readonly fault: string }> => {
  const opened = openAllKept(declared.inputs, work.runtime.vault, "written");
  const [closed] = opened.closed;
  if (closed !== undefined)
    return {
      fault: `the secret at with${closed.replaceAll("/", ".")} was written as literal text, and such text is not stored; use \${secret.env.NAME} or \${secret.file.PATH}`,
    };
  const looked = await resolveAll(work, opened.value, readAgain, true);
  return "fault" in looked ? looked : { inputs: looked.resolved };
};

/** The inputs last applied, for a provider that compares: resolved where that works, else as they are kept. */
export const previousInputs = async (
  work: Resolving,
  state: StepState | undefined,
  readAgain: ReadAgain,
): Promise<JsonObject | null> => {
  const applied = state?.applied;
  if (applied == null) return null;
  const read = await recordedInputs(work, applied, readAgain);
  return "fault" in read ? applied.inputs : read.inputs;
};
