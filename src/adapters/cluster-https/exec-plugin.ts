/**
 * A kubeconfig's `exec` plug-in: a program that prints credentials (client.authentication.k8s.io). A kubeconfig is often
 * somebody else's file, so nothing of it is run unless the person allowed that very command, and what is run is shown.
 * It gets no terminal: `interactive` is false.
 */
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { printable } from "../../wire/redact/printable.ts";
import type { Connection } from "./connection.ts";
import type { ExecEntry } from "./kubeconfig/entries.ts";
import type { Environment } from "./kubeconfig/load.ts";

export interface ExecPermission {
  /** Commands as the kubeconfig has them, names or absolute paths. A bare name allows only that name, found in PATH. */
  readonly allow: readonly string[];
  /** Told the whole command line before it runs; one sentence, safe to print. */
  show(sentence: string): void;
}

export interface PluginCredential {
  readonly token: string | null;
  readonly cert: string | null;
  readonly key: string | null;
  /** Milliseconds since 1970; null: until the server refuses it. */
  readonly expiresAt: number | null;
}

export type PluginAnswer = { readonly credential: PluginCredential } | { readonly fault: string };

const VERSIONS: ReadonlySet<string> = new Set([
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
]);
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_QUOTED = 200;

/** As a person would type it; every part that needs it in quotes. */
const commandLine = ({ command, args }: ExecEntry): string =>
  [command, ...args]
    .map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`))
    .map((part) => printable(part))
    .join(" ");

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** The file that a bare name stands for: only in absolute folders of PATH, so never in the working directory. */
const programOf = (command: string, environment: Environment): string | null => {
  if (isAbsolute(command)) return isProgram(command) ? command : null;
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, command)).find(isProgram) ?? null;
};

/** What the plug-in is told in KUBERNETES_EXEC_INFO. */
const execInfo = (exec: ExecEntry, { server, trust, execConfig, proxyUrl }: Connection): string => {
  const cluster = {
    server: server.href.replace(/\/$/, ""),
    ...(trust.serverName === null ? {} : { "tls-server-name": trust.serverName }),
    ...(trust.insecure ? { "insecure-skip-tls-verify": true } : {}),
    ...(trust.ca === null ? {} : { "certificate-authority-data": Buffer.from(trust.ca).toString("base64") }),
    ...(proxyUrl === null ? {} : { "proxy-url": proxyUrl }),
    ...(execConfig === null ? {} : { config: execConfig }),
  };
  return JSON.stringify({
    apiVersion: exec.apiVersion,
    kind: "ExecCredential",
    spec: { interactive: false, ...(exec.provideClusterInfo ? { cluster } : {}) },
  });
};

interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it in a process group of its own, which ends with `signal`. The fault is a clause. */
const run = (
  program: string,
  exec: ExecEntry,
  environment: Environment,
  signal: AbortSignal,
): Promise<Printed | { readonly fault: string }> =>
  new Promise((resolve) => {
    const child = spawn(program, exec.args, {
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    let bytes = 0;
    let fault: string | null = null;
    const end = (why: string): void => {
      fault ??= why;
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch (error) {
        // It ended by itself in the same moment.
        if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
      }
    };
    const onAbort = (): void => end("did not end in time");
    const keep = (into: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) end("printed more than 1 MiB");
      else into.push(chunk);
    };
    child.stdout.on("data", keep(stdout));
    child.stderr.on("data", keep(stderr));
    child.once("error", (error: Error & { code?: string }) => {
      fault ??= `could not be started (${error.code ?? "unknown"})`;
    });
    child.once("close", (code) => {
      signal.removeEventListener("abort", onAbort);
      const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString("utf8");
      resolve(fault === null ? { code, stdout: text(stdout), stderr: text(stderr) } : { fault });
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });

const textAt = (object: JsonObject, name: string): string | null => {
  const value = object[name];
  return typeof value === "string" && value !== "" ? value : null;
};

/** What it printed, as a credential. The fault is a clause. */
const credentialOf = (exec: ExecEntry, stdout: string): PluginAnswer => {
  let printed: JsonValue;
  try {
    printed = JSON.parse(stdout);
  } catch {
    return { fault: "printed no JSON" };
  }
  if (!isJsonObject(printed) || printed["kind"] !== "ExecCredential")
    return { fault: "printed no ExecCredential" };
  if (printed["apiVersion"] !== exec.apiVersion)
    return { fault: `printed another apiVersion than ${exec.apiVersion}, which the kubeconfig names` };
  const { status } = printed;
  if (!isJsonObject(status)) return { fault: "printed an ExecCredential without a status" };
  const token = textAt(status, "token");
  const [cert, key] = [textAt(status, "clientCertificateData"), textAt(status, "clientKeyData")];
  if (token === null && cert === null && key === null)
    return { fault: "printed neither a token nor a certificate" };
  if ((cert === null) !== (key === null))
    return { fault: "printed a certificate or a key, where both are needed" };
  const expires = status["expirationTimestamp"];
  const expiresAt = expires === undefined || expires === null ? null : Date.parse(String(expires));
  if (Number.isNaN(expiresAt)) return { fault: "printed an expirationTimestamp that is no time" };
  return { credential: { token, cert, key, expiresAt } };
};

const lastLine = (text: string): string => {
  const line = printable(text.trim().split("\n").at(-1) ?? "").trim();
  return line === ""
    ? ""
    : `; it said: "${line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED - 1)}…` : line}"`;
};

/** The fault is one sentence. */
export const runPlugin = async (
  exec: ExecEntry,
  connection: Connection,
  permission: ExecPermission,
  environment: Environment,
  signal: AbortSignal,
): Promise<PluginAnswer> => {
  const shown = commandLine(exec);
  const who = `the credentials of ${printable(connection.userName)} come from a program that the kubeconfig names`;
  if (!VERSIONS.has(exec.apiVersion))
    return {
      fault: `${who}, in the protocol ${printable(exec.apiVersion)}, which asfound does not speak; update the kubeconfig to client.authentication.k8s.io/v1`,
    };
  if (!permission.allow.includes(exec.command))
    return {
      fault: `${who}, and it is not allowed: ${shown}. Nothing was run; read it, and allow it with --allow-exec ${printable(exec.command)}`,
    };
  if (exec.interactiveMode === "Always")
    return {
      fault: `${who}, and it needs a terminal (interactiveMode: Always), which it does not get here: ${shown}`,
    };
  const program = programOf(exec.command, environment);
  if (program === null) {
    const hint = exec.installHint === null ? "" : `; ${printable(exec.installHint)}`;
    return { fault: `${who}, and there is no program ${printable(exec.command)}${hint}` };
  }
  permission.show(
    `running ${program === exec.command ? "" : `${printable(program)} as `}${shown}, for credentials`,
  );
  const printed = await run(
    program,
    exec,
    { ...environment, ...exec.env, KUBERNETES_EXEC_INFO: execInfo(exec, connection) },
    signal,
  );
  if ("fault" in printed) return { fault: `${shown} ${printed.fault}` };
  if (printed.code !== 0)
    return { fault: `${shown} ended with ${printed.code ?? "a signal"}${lastLine(printed.stderr)}` };
  const answer = credentialOf(exec, printed.stdout);
  return "fault" in answer ? { fault: `${shown} ${answer.fault}` } : answer;
};
