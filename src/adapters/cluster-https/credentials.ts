/** What says to the server who asks: read when first needed, again when it expired, and once more when it was refused. */
import { createSecureContext } from "node:tls";
import type { Clock } from "../../ports/clock.ts";
import { printable } from "../../wire/redact/printable.ts";
import type { Connection } from "./connection.ts";
import { type ExecPermission, type PluginCredential, runPlugin } from "./exec-plugin.ts";
import type { Impersonation, UserEntry } from "./kubeconfig/entries.ts";
import type { Environment } from "./kubeconfig/load.ts";
import { readSmallText } from "./small-file.ts";

export interface Held {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** PEM texts of a client's certificate and key. */
  readonly cert: string | null;
  readonly key: string | null;
  /** What must not be shown, should the server send it back. */
  readonly secrets: readonly string[];
}

export interface Credentials {
  /** The fault is one sentence. */
  hold(signal: AbortSignal): Promise<Held | { readonly fault: string }>;
  /** The server refused what was held: whether asking again, with fresh ones, makes sense. */
  refused(held: Held): boolean;
}

/** The kubelet renews a projected token long before it ends; a minute is what client-go trusts the file for. */
const TOKEN_FILE_MS = 60_000;
/** A credential that ends while the request is on its way is no use. */
const EXPIRY_MARGIN_MS = 10_000;

const impersonationHeaders = (as: Impersonation | null): Held["headers"] =>
  as === null
    ? {}
    : {
        "impersonate-user": as.user,
        ...(as.uid === null ? {} : { "impersonate-uid": as.uid }),
        ...(as.groups.length === 0 ? {} : { "impersonate-group": as.groups }),
        ...Object.fromEntries(
          Object.entries(as.extra).map(([name, values]) => [
            `impersonate-extra-${encodeURIComponent(name).toLowerCase()}`,
            values,
          ]),
        ),
      };

/** Text of a file, or what the entry holds itself. The fault is a clause. */
const pemOf = async (
  file: string | null,
  data: string | null,
  what: string,
): Promise<{ readonly text: string | null } | { readonly fault: string }> => {
  if (file !== null && data !== null) return { fault: `has both ${what} and ${what}-data; keep one` };
  if (file === null) return { text: data };
  const read = await readSmallText(file);
  return "fault" in read ? { fault: `has a ${what} ${printable(file)} that ${read.fault}` } : read;
};

const tokenOf = async (file: string): Promise<{ readonly token: string } | { readonly fault: string }> => {
  const read = await readSmallText(file);
  if ("fault" in read) return { fault: `the token file ${printable(file)} ${read.fault}` };
  const token = read.text.trim();
  return token === "" ? { fault: `the token file ${printable(file)} is empty` } : { token };
};

export interface CredentialSources {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly exec: ExecPermission;
}

interface Kept {
  readonly held: Held;
  /** By the wall clock, in ms; null: until refused. */
  readonly until: number | null;
}

const basic = ({ username, password }: UserEntry): string | null =>
  username === null && password === null
    ? null
    : `Basic ${Buffer.from(`${username ?? ""}:${password ?? ""}`).toString("base64")}`;

const heldFrom = (
  user: UserEntry,
  token: string | null,
  pair: { readonly cert: string | null; readonly key: string | null },
): Held => {
  const authorization = token === null ? basic(user) : `Bearer ${token}`;
  const secrets = [token, user.password, authorization?.replace(/^\S+ /, "") ?? null];
  return {
    headers: { ...(authorization === null ? {} : { authorization }), ...impersonationHeaders(user.as) },
    ...pair,
    secrets: secrets.filter((secret): secret is string => secret !== null && secret.length >= 4),
  };
};

/** A token with a line break would be another header. */
const isSendable = (headers: Held["headers"]): boolean =>
  Object.entries(headers).every(([name, value]) =>
    [name, ...(typeof value === "string" ? [value] : value)].every((text) =>
      /^[\t\x20-\x7e\x80-\xff]*$/.test(text),
    ),
  );

/** Why what was gathered cannot be used, as a clause: better said here than as a failed connection. */
const unusable = ({ headers, cert, key }: Held): string | null => {
  if (!isSendable(headers)) return "has credentials with characters that cannot be sent";
  if (cert === null || key === null) return null;
  try {
    createSecureContext({ cert, key });
    return null;
  } catch {
    return "has a client certificate and key that cannot be read, or that do not belong together";
  }
};

const gather = async (
  sources: CredentialSources,
  signal: AbortSignal,
): Promise<Kept | { readonly fault: string }> => {
  const gathered = await read(sources, signal);
  if ("fault" in gathered) return gathered;
  const why = unusable(gathered.held);
  return why === null ? gathered : { fault: `the user ${printable(sources.connection.userName)} ${why}` };
};

const read = async (
  { connection, clock, environment, exec }: CredentialSources,
  signal: AbortSignal,
): Promise<Kept | { readonly fault: string }> => {
  const { user } = connection;
  const who = `the user ${printable(connection.userName)}`;
  if (user.authProvider !== null)
    return {
      fault: `${who} signs in by the auth-provider ${printable(user.authProvider)}, which asfound does not have; use an exec plug-in or a token`,
    };
  const cert = await pemOf(user.certFile, user.certData, "client-certificate");
  if ("fault" in cert) return { fault: `${who} ${cert.fault}` };
  const key = await pemOf(user.keyFile, user.keyData, "client-key");
  if ("fault" in key) return { fault: `${who} ${key.fault}` };
  if ((cert.text === null) !== (key.text === null))
    return { fault: `${who} has a client certificate or a client key, where both are needed` };
  const pair = { cert: cert.text, key: key.text };
  // The file wins over a token beside it, since it is the one that is renewed.
  if (user.tokenFile !== null) {
    const token = await tokenOf(user.tokenFile);
    if ("fault" in token) return token;
    return { held: heldFrom(user, token.token, pair), until: clock.now() + TOKEN_FILE_MS };
  }
  if (user.token !== null || user.exec === null)
    return { held: heldFrom(user, user.token?.trim() ?? null, pair), until: null };
  const answer = await runPlugin(user.exec, connection, exec, environment, signal);
  if ("fault" in answer) return answer;
  const { credential } = answer;
  return { held: heldFrom(user, credential.token, pairOf(credential, pair)), until: credential.expiresAt };
};

const pairOf = (credential: PluginCredential, own: Pick<Held, "cert" | "key">): Pick<Held, "cert" | "key"> =>
  credential.cert === null ? own : { cert: credential.cert, key: credential.key };

export const credentialsOf = (sources: CredentialSources): Credentials => {
  const { user } = sources.connection;
  const renewable = user.tokenFile !== null || (user.exec !== null && user.token === null);
  const refused = new WeakSet<Held>();
  let kept: Promise<Kept | { readonly fault: string }> | null = null;

  const isUsable = (now: Kept | { readonly fault: string }): boolean => {
    if ("fault" in now || refused.has(now.held)) return false;
    return now.until === null || sources.clock.now() + EXPIRY_MARGIN_MS < now.until;
  };
  return {
    async hold(signal) {
      const before = kept;
      const usable = before !== null && isUsable(await before);
      // Whoever comes first fetches; the others share what it gets.
      if (!usable && kept === before) kept = gather(sources, signal);
      const now = await (kept as Promise<Kept | { readonly fault: string }>);
      return "fault" in now ? now : now.held;
    },
    refused(held) {
      if (renewable) refused.add(held);
      return renewable;
    },
  };
};
