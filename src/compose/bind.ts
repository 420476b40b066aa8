/** Where `config bind` meets files and the cluster: sources and manifests are read, bound, and written back where that was asked for. */
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { type ManifestText, manifestTexts } from "../adapters/provider-kubernetes/manifest-files.ts";
import { configFiles } from "../adapters/system/config-files.ts";
import { reasonOf } from "../adapters/system/read-file.ts";
import { replaceFile } from "../adapters/system/write-file.ts";
import { EXIT, type ExitCode } from "../domain/exit.ts";
import { isJsonObject, type JsonObject } from "../domain/json.ts";
import type { ObjectRef, Round } from "../ports/cluster.ts";
import { isRefused, type Refused, refused } from "../runtime/runtime.ts";
import { type Binding, type BindOptions, bind } from "../wire/bind/bind.ts";
import { type Checked, checkConfig } from "../wire/bind/check.ts";
import { contentOf } from "../wire/bind/content.ts";
import type { DeclaredPath } from "../wire/bind/declared-path.ts";
import { type BoundFile, bindFiles } from "../wire/bind/files.ts";
import { functionConfigIn } from "../wire/bind/function.ts";
import { NO_SETTINGS } from "../wire/bind/settings.ts";
import { type GivenConfig, isBoundConfig } from "../wire/bind/sources.ts";
import { openStream, type Stream } from "../wire/bind/stream.ts";
import { textAt } from "../wire/bind/templates.ts";
import type { Fault } from "../wire/manifest/fault.ts";
import { decodeText } from "../wire/manifest/text.ts";
import { printable } from "../wire/redact/printable.ts";
import type { StackFaults } from "./place.ts";
import type { Live } from "./verify-cluster.ts";

export interface NamedSource {
  readonly name: string;
  readonly namespace: string | null;
  readonly path: string;
}

export interface BindRequest {
  /** A file or folder; null: the bytes of `input`. */
  readonly path: string | null;
  readonly input: () => Promise<Uint8Array>;
  readonly sources: readonly NamedSource[];
  /** Where the objects are taken from that nothing else gives; null: from no cluster. */
  readonly live: Live | null;
  readonly namespace: string | null;
  readonly allow: readonly string[];
  readonly references: readonly DeclaredPath[];
  readonly templates: readonly DeclaredPath[];
  readonly write: boolean;
  readonly cwd: string;
}

export interface BoundManifests {
  readonly kind: "bound";
  readonly binding: Binding;
  readonly files: readonly BoundFile[];
  /** What a person should know of where it was taken from, each a sentence. */
  readonly notes: readonly string[];
  readonly written: boolean;
}

/** Values that look like secrets: nothing was written. */
export interface SecretsFound {
  readonly kind: "secrets";
  readonly faults: readonly Fault[];
}

export type BindResult = BoundManifests | SecretsFound | StackFaults | Refused;

const openManifests = async (
  request: Pick<BindRequest, "path" | "input" | "cwd">,
): Promise<
  { readonly streams: readonly Stream[]; readonly texts: readonly ManifestText[] } | StackFaults | Refused
> => {
  const texts = await textsOf(request);
  if (isRefused(texts)) return texts;
  const streams: Stream[] = [];
  for (const { text, shown } of texts) {
    const opened = await openStream(text, shown);
    if ("faults" in opened) return { kind: "faults", faults: opened.faults };
    streams.push(opened);
  }
  return { streams, texts };
};

const textsOf = async ({
  path,
  input,
  cwd,
}: Pick<BindRequest, "path" | "input" | "cwd">): Promise<readonly ManifestText[] | Refused> => {
  if (path === null) {
    const decoded = decodeText(await input());
    return "fault" in decoded
      ? refused(EXIT.usage, `standard input: ${decoded.fault}`)
      : [{ path: "-", shown: "standard input", text: decoded.text }];
  }
  try {
    const read = await manifestTexts(resolve(cwd, path), (file) => shownFrom(cwd, file));
    if ("fault" in read) return refused(EXIT.usage, read.fault);
    if (read.texts.length === 0)
      return refused(EXIT.usage, `${path}: there is no .yaml, .yml or .json file in it`);
    return read.texts;
  } catch (error) {
    return refused(EXIT.usage, `${path}: ${reasonOf(error).why}`);
  }
};

const shownFrom = (cwd: string, file: string): string => {
  const inside = relative(cwd, file);
  return inside.startsWith("..") || isAbsolute(inside) ? file : inside;
};

export const bindManifests = async (request: BindRequest): Promise<BindResult> => {
  const opened = await openManifests(request);
  if ("kind" in opened) return opened;
  const { streams, texts } = opened;
  const configured = optionsOf(request, streams);
  if (isRefused(configured)) return configured;
  const taken = await liveConfigs(request, streams, configured);
  if (isRefused(taken)) return taken;
  const options = { ...configured, given: [...configured.given, ...taken.given] };
  const bound = await bindFiles(streams, options);
  if ("faults" in bound) return { kind: "faults", faults: bound.faults };
  if ("secrets" in bound) return { kind: "secrets", faults: bound.secrets };
  if (request.write) {
    const fault = await writeBack(texts, bound.files);
    if (fault !== undefined) return refused(EXIT.broken, fault);
  }
  return { kind: "bound", ...bound, notes: taken.notes, written: request.write };
};

/** What flags say, and what a function's configuration says beside them. */
const optionsOf = (request: BindRequest, streams: readonly Stream[]): BindOptions | Refused => {
  const list = streams.find(({ resourceList }) => resourceList !== null)?.resourceList ?? null;
  const config = list === null ? NO_SETTINGS : functionConfigIn(list);
  if ("fault" in config) return refused(EXIT.usage, config.fault);
  const given: GivenConfig[] = [];
  for (const { name, namespace, path } of [...request.sources, ...config.sources]) {
    const read = configFiles(resolve(request.cwd, path), path);
    if ("fault" in read) return refused(EXIT.usage, read.fault);
    given.push({ name, namespace, content: contentOf(read.entries), from: printable(path) });
  }
  const { references, templates } = config.declared;
  return {
    given,
    namespace: request.namespace,
    allowed: new Set([...request.allow, ...config.allow]),
    declared: {
      references: [...request.references, ...references],
      templates: [...request.templates, ...templates],
    },
  };
};

interface Taken {
  readonly given: readonly GivenConfig[];
  readonly notes: readonly string[];
}

const CONFIG_MAPS = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: true };

/** Of each reference that nothing gives yet, the object that the cluster holds. A question without an answer binds nothing (R2). */
const liveConfigs = async (
  { live }: BindRequest,
  streams: readonly Stream[],
  options: BindOptions,
): Promise<Taken | Refused> => {
  if (live === null) return { given: [], notes: [] };
  const manifests = streams.flatMap((stream) => stream.manifests);
  const first = bind(manifests, options);
  if (!("edits" in first)) return { given: [], notes: [] };
  const wanted = new Map<string, { readonly name: string; readonly namespace: string | null }>();
  for (const { kind, naming, name, to, manifest } of first.places) {
    if (kind !== "ConfigMap" || naming === "rbac" || name === null || to !== null) continue;
    const namespace = textAt(manifests[manifest]?.object, ["metadata", "namespace"]) ?? options.namespace;
    wanted.set(`${namespace}/${name}`, { name, namespace });
  }
  if (wanted.size === 0) return { given: [], notes: [] };
  const { openedFor } = await import("./verify-cluster.ts");
  return openedFor(live, async ({ cluster, stop, timeoutMs }) => {
    const round = cluster.round({ deadlineMs: timeoutMs, stop });
    try {
      return await takenFrom(round, [...wanted.values()], cluster.facts.namespace);
    } finally {
      round.end();
    }
  });
};

const takenFrom = async (
  round: Round,
  wanted: readonly { readonly name: string; readonly namespace: string | null }[],
  usual: string,
): Promise<Taken | Refused> => {
  const given: GivenConfig[] = [];
  const notes: string[] = [];
  for (const { name, namespace } of wanted) {
    const ref: ObjectRef = { resource: CONFIG_MAPS, namespace: namespace ?? usual, name };
    const where = `ConfigMap ${ref.namespace}/${name}`;
    const read = await round.get(ref);
    if (read.kind === "absent") notes.push(`${where} is not in the cluster, so what refers to it is left`);
    else if (read.kind !== "observed") return refused(EXIT.refused, `nothing was bound: ${read.sentence}`);
    else if (isBoundConfig(read.object))
      notes.push(`${where} is bound already, so what refers to it is left`);
    else
      given.push({
        name,
        namespace: namespace ?? "",
        content: contentIn(read.object),
        from: `the cluster (resourceVersion ${String(read.resourceVersion)})`,
      });
  }
  return { given, notes };
};

const contentIn = ({ data, binaryData }: JsonObject): JsonObject => ({
  ...(isJsonObject(data) ? { data } : {}),
  ...(isJsonObject(binaryData) ? { binaryData } : {}),
});

/** Each file is replaced whole. The fault names the first that could not be, and what was written before it. */
const writeBack = async (
  texts: readonly ManifestText[],
  files: readonly BoundFile[],
): Promise<string | undefined> => {
  const written: string[] = [];
  for (const [index, { text, changed, file }] of files.entries()) {
    const named = texts[index]?.path;
    if (!changed || named === undefined) continue;
    try {
      // A link stays one: what it leads to is written.
      const path = await realpath(named);
      const { mode } = await stat(path);
      await replaceFile(path, text, mode & 0o777);
      written.push(file);
    } catch (error) {
      const before =
        written.length === 0 ? "no file was written" : `written before it: ${written.join(", ")}`;
      return `${file} could not be written (${reasonOf(error).why}); ${before}`;
    }
  }
  return undefined;
};

export interface CheckedManifests extends Checked {
  readonly kind: "checked";
  readonly exit: ExitCode;
}

/** Exit 20 where nothing takes config: then nothing was checked (V5). */
export const checkManifests = async (
  request: Pick<BindRequest, "path" | "input" | "cwd" | "namespace" | "references" | "templates">,
): Promise<CheckedManifests | StackFaults | Refused> => {
  const opened = await openManifests(request);
  if ("kind" in opened) return opened;
  const { references, templates, namespace } = request;
  const manifests = opened.streams.flatMap((stream) => stream.manifests);
  const checked = checkConfig(manifests, { references, templates }, namespace);
  const isEmpty = checked.templates === 0 && checked.findings.length === 0;
  const exit = checked.findings.length > 0 ? EXIT.refuted : isEmpty ? EXIT.undetermined : EXIT.proven;
  return { kind: "checked", ...checked, exit };
};
