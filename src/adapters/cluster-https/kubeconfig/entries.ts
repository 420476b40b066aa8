/**
 * What a kubeconfig file holds, read as kubectl reads it (client-go, tools/clientcmd): unknown fields are left alone,
 * names are unique within a file, paths are relative to the file's folder. No value of a secret stands in a fault.
 */
import { dirname, resolve, sep } from "node:path";
import type { JsonObject, JsonValue } from "../../../domain/json.ts";
import { isJsonObject } from "../../../domain/json.ts";
import { printable } from "../../../wire/redact/printable.ts";

export interface ClusterEntry {
  readonly server: string;
  readonly caFile: string | null;
  /** PEM text. */
  readonly caData: string | null;
  readonly insecure: boolean;
  readonly serverName: string | null;
  readonly proxyUrl: string | null;
  /** Asks for replies as they are: on a fast network packing takes longer than sending. */
  readonly disableCompression: boolean;
  /** What an exec plug-in is told when it asks for the cluster's own configuration. */
  readonly execConfig: JsonValue;
}

export interface ExecEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly apiVersion: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: string;
  readonly installHint: string | null;
}

export interface Impersonation {
  readonly user: string;
  readonly uid: string | null;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export interface UserEntry {
  readonly token: string | null;
  readonly tokenFile: string | null;
  readonly certFile: string | null;
  readonly certData: string | null;
  readonly keyFile: string | null;
  readonly keyData: string | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly exec: ExecEntry | null;
  /** The name of an `auth-provider`, which is not supported. */
  readonly authProvider: string | null;
  readonly as: Impersonation | null;
}

export interface ContextEntry {
  readonly cluster: string;
  readonly user: string | null;
  readonly namespace: string | null;
}

export interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly currentContext: string | null;
}

/** A file that is there and has nothing in it. */
export const NOTHING: Kubeconfig = {
  clusters: new Map(),
  users: new Map(),
  contexts: new Map(),
  currentContext: null,
};

/** Thrown and caught within this file: a clause that says which field is wrong and how. */
class Wrong extends Error {}

/** One object of the file with its place in it. */
class Fields {
  readonly #object: JsonObject;
  readonly #at: string;

  constructor(value: JsonValue | undefined, at: string) {
    if (value !== undefined && value !== null && !isJsonObject(value)) throw new Wrong(`${at} is not a map`);
    this.#object = value ?? {};
    this.#at = at;
  }

  value(name: string): JsonValue | undefined {
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
  }

  place(name: string): string {
    return this.#at === "" ? name : `${this.#at}.${name}`;
  }

  /** null when it is absent or empty, as in Go. */
  text(name: string): string | null {
    const value = this.value(name);
    if (value === undefined || value === null || value === "") return null;
    if (typeof value !== "string") throw new Wrong(`${this.place(name)} is not a text; write it in quotes`);
    return value;
  }

  needed(name: string): string {
    const text = this.text(name);
    if (text === null) throw new Wrong(`${this.place(name)} is missing`);
    return text;
  }

  flag(name: string): boolean {
    const value = this.value(name);
    if (value === undefined || value === null) return false;
    if (typeof value !== "boolean") throw new Wrong(`${this.place(name)} is neither true nor false`);
    return value;
  }

  list(name: string): readonly JsonValue[] {
    const value = this.value(name);
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw new Wrong(`${this.place(name)} is not a list`);
    return value as readonly JsonValue[];
  }

  texts(name: string): readonly string[] {
    return this.list(name).map((item, index) => {
      if (typeof item !== "string")
        throw new Wrong(`${this.place(name)}[${index}] is not a text; write it in quotes`);
      return item;
    });
  }

  /** Base64 of text, as `*-data` fields are. */
  data(name: string): string | null {
    const text = this.text(name);
    if (text === null) return null;
    const packed = text.replace(/\s+/g, "");
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) throw new Wrong(`${this.place(name)} is not base64`);
    return Buffer.from(packed, "base64").toString("utf8");
  }

  path(name: string, folder: string): string | null {
    const text = this.text(name);
    return text === null ? null : resolve(folder, text);
  }

  map(name: string): Fields {
    return new Fields(this.value(name), this.place(name));
  }
}

const namedPairs = (fields: Fields, name: string): Readonly<Record<string, string>> => {
  const pairs = fields.list(name).map((item, index) => {
    const pair = new Fields(item, `${fields.place(name)}[${index}]`);
    return [pair.needed("name"), pair.text("value") ?? ""] as const;
  });
  return Object.fromEntries(pairs);
};

const execOf = (fields: Fields, folder: string): ExecEntry => {
  const command = fields.needed("command");
  return {
    // A bare name is looked up in PATH; a path is relative to the file.
    command: command.includes(sep) ? resolve(folder, command) : command,
    args: fields.texts("args"),
    env: namedPairs(fields, "env"),
    apiVersion: fields.needed("apiVersion"),
    provideClusterInfo: fields.flag("provideClusterInfo"),
    interactiveMode: fields.text("interactiveMode") ?? "IfAvailable",
    installHint: fields.text("installHint"),
  };
};

const impersonationOf = (fields: Fields): Impersonation | null => {
  const user = fields.text("as");
  const [uid, groups, extra] = [
    fields.text("as-uid"),
    fields.texts("as-groups"),
    fields.map("as-user-extra"),
  ];
  const names = Object.keys(fields.value("as-user-extra") ?? {});
  if (user === null && (uid !== null || groups.length > 0 || names.length > 0))
    throw new Wrong(`${fields.place("as")} is missing beside as-uid, as-groups or as-user-extra`);
  if (user === null) return null;
  return { user, uid, groups, extra: Object.fromEntries(names.map((name) => [name, extra.texts(name)])) };
};

const userOf = (fields: Fields, folder: string): UserEntry => ({
  token: fields.text("token"),
  tokenFile: fields.path("tokenFile", folder),
  certFile: fields.path("client-certificate", folder),
  certData: fields.data("client-certificate-data"),
  keyFile: fields.path("client-key", folder),
  keyData: fields.data("client-key-data"),
  username: fields.text("username"),
  password: fields.text("password"),
  exec: fields.value("exec") == null ? null : execOf(fields.map("exec"), folder),
  authProvider: fields.value("auth-provider") == null ? null : fields.map("auth-provider").needed("name"),
  as: impersonationOf(fields),
});

/** Which extension of a cluster an exec plug-in is given (client.authentication.k8s.io). */
const EXEC_EXTENSION = "client.authentication.k8s.io/exec";

const execConfigOf = (fields: Fields): JsonValue => {
  for (const [index, item] of fields.list("extensions").entries()) {
    const extension = new Fields(item, `${fields.place("extensions")}[${index}]`);
    if (extension.text("name") === EXEC_EXTENSION) return extension.value("extension") ?? null;
  }
  return null;
};

const clusterOf = (fields: Fields, folder: string): ClusterEntry => ({
  server: fields.text("server") ?? "",
  caFile: fields.path("certificate-authority", folder),
  caData: fields.data("certificate-authority-data"),
  insecure: fields.flag("insecure-skip-tls-verify"),
  serverName: fields.text("tls-server-name"),
  proxyUrl: fields.text("proxy-url"),
  disableCompression: fields.flag("disable-compression"),
  execConfig: execConfigOf(fields),
});

const contextOf = (fields: Fields): ContextEntry => ({
  cluster: fields.text("cluster") ?? "",
  user: fields.text("user"),
  namespace: fields.text("namespace"),
});

const entriesOf = <T>(
  file: Fields,
  list: string,
  member: string,
  make: (fields: Fields) => T,
): ReadonlyMap<string, T> => {
  const entries = new Map<string, T>();
  for (const [index, item] of file.list(list).entries()) {
    const entry = new Fields(item, `${list}[${index}]`);
    const name = entry.needed("name");
    if (entries.has(name)) throw new Wrong(`${list} has "${printable(name)}" twice; remove one`);
    entries.set(name, make(entry.map(member)));
  }
  return entries;
};

/** `path`: absolute, of the file that `value` was read from. The fault is a clause: "clusters[0].name is missing". */
export const kubeconfigOf = (
  value: JsonValue,
  path: string,
): { readonly config: Kubeconfig } | { readonly fault: string } => {
  const folder = dirname(path);
  try {
    const file = new Fields(value, "");
    const kind = file.text("kind");
    if (kind !== null && kind !== "Config")
      return { fault: `its kind is ${printable(kind)}, and not Config: it is no kubeconfig` };
    return {
      config: {
        clusters: entriesOf(file, "clusters", "cluster", (fields) => clusterOf(fields, folder)),
        users: entriesOf(file, "users", "user", (fields) => userOf(fields, folder)),
        contexts: entriesOf(file, "contexts", "context", contextOf),
        currentContext: file.text("current-context"),
      },
    };
  } catch (error) {
    if (error instanceof Wrong) return { fault: error.message };
    throw error;
  }
};
