/**
 * Finds and merges kubeconfig files as kubectl does: a file that was named explicitly must be there and is the only one;
 * else those of KUBECONFIG in order, or ~/.kube/config, where missing files are passed over. The first file that has a
 * cluster, user or context of a name gives it whole, and the first that names a current context gives that.
 */
import { delimiter, join, resolve } from "node:path";
import type { JsonValue } from "../../../domain/json.ts";
import { decodeText, readYaml } from "../../../wire/manifest/text.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { readSmall } from "../small-file.ts";
import { type Kubeconfig, kubeconfigOf, NOTHING } from "./entries.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Sources {
  /** `--kubeconfig`; null: not given. */
  readonly explicit: string | null;
  readonly environment: Environment;
  /** What relative paths start from. */
  readonly workingDirectory: string;
}

export interface Loaded {
  readonly config: Kubeconfig;
  /** The files that were read, in order. */
  readonly files: readonly string[];
  /** Those that were looked for. */
  readonly lookedFor: readonly string[];
}

const pathsOf = ({ explicit, environment, workingDirectory }: Sources): readonly string[] => {
  const named = environment["KUBECONFIG"] ?? "";
  const home = environment["HOME"] ?? "";
  const paths =
    explicit !== null
      ? [explicit]
      : named !== ""
        ? named.split(delimiter).filter((path) => path !== "")
        : home === ""
          ? []
          : [join(home, ".kube", "config")];
  return [...new Set(paths.map((path) => resolve(workingDirectory, path)))];
};

const textOf = async (bytes: Buffer): Promise<{ readonly value: JsonValue } | { readonly fault: string }> => {
  const decoded = decodeText(bytes);
  if ("fault" in decoded) return { fault: "is not UTF-8 text, or too large" };
  if (decoded.text.trim() === "") return { value: {} };
  const read = await readYaml(decoded.text);
  if ("value" in read) return { value: read.value };
  if ("fault" in read) {
    const { at, message } = read.fault;
    return { fault: `${at === null ? "" : `line ${at.line}, column ${at.column}: `}${message}` };
  }
  const [first] = read.faults.found;
  return { fault: first === undefined ? "is not valid YAML" : `${first.path.join(".")}: ${first.message}` };
};

const readOne = async (
  path: string,
): Promise<{ readonly config: Kubeconfig } | null | { readonly fault: string }> => {
  const file = await readSmall(path, true);
  if (file.kind === "missing") return null;
  const named = `the kubeconfig ${printable(path)}`;
  if (file.kind === "unreadable") return { fault: `${named} ${file.fault}` };
  const text = await textOf(file.bytes);
  if ("fault" in text) return { fault: `${named}: ${text.fault}` };
  const read = kubeconfigOf(text.value, path);
  return "fault" in read ? { fault: `${named}: ${read.fault}` } : read;
};

/** The first that has a name wins. */
const merged = <T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> => {
  const all = new Map<string, T>();
  for (const map of maps) for (const [name, entry] of map) if (!all.has(name)) all.set(name, entry);
  return all;
};

/** The fault is one sentence. */
export const loadKubeconfig = async (sources: Sources): Promise<Loaded | { readonly fault: string }> => {
  const lookedFor = pathsOf(sources);
  const configs: Kubeconfig[] = [];
  const files: string[] = [];
  for (const path of lookedFor) {
    const read = await readOne(path);
    if (read === null && sources.explicit !== null)
      return { fault: `there is no kubeconfig ${printable(path)}; check --kubeconfig` };
    if (read === null) continue;
    if ("fault" in read) return read;
    configs.push(read.config);
    files.push(path);
  }
  return {
    files,
    lookedFor,
    config: {
      ...NOTHING,
      clusters: merged(configs.map((config) => config.clusters)),
      users: merged(configs.map((config) => config.users)),
      contexts: merged(configs.map((config) => config.contexts)),
      currentContext: configs.find((config) => config.currentContext !== null)?.currentContext ?? null,
    },
  };
};
