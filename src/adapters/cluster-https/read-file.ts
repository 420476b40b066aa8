/**
 * What a file in a container holds: `cat PATH` is run there by the `exec` subresource. Nothing is sent to it; the bytes come
 * by the channels of Kubernetes' remote command protocol: 1 is its output, 2 its complaints, 3 how it ended, as a Status. A file
 * counts as read only where it says that it ended well, and as not there only where `cat` itself says so.
 *
 * Rules: k8s.io/apimachinery/pkg/util/remotecommand (v5.channel.k8s.io, and v4, which differs in what is sent alone);
 * k8s.io/kubelet/pkg/cri/streaming/remotecommand (NonZeroExitCode).
 */
import type { JsonObject } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Exchange, FileReading, FileRef, ReadFailure } from "../../ports/cluster.ts";
import { type Caller, over, unsent } from "./ask.ts";
import { saying } from "./body.ts";
import { failure, refusalOf } from "./failure.ts";
import { closing, FrameReader, pong } from "./frames.ts";
import { isSegment } from "./name.ts";
import { statusOf } from "./status.ts";
import { type Upgraded, upgrade } from "./upgrade.ts";

const PROTOCOLS = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
const CHANNEL = { output: 1, complaints: 2, status: 3 } as const;
/** Of one message: the kubelet sends 32 KiB at a time. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_COMPLAINT_BYTES = 4 * 1024;
/** Of a refusal, and of the Status at the end. */
const MAX_STATUS_BYTES = 64 * 1024;

export const readFile = async (caller: Caller, ref: FileRef): Promise<FileReading> => {
  const { namespace, name, container, path } = ref;
  const what = `${JSON.stringify(path)} in container ${container} of Pod ${name} in namespace ${namespace}`;
  // An absolute path is taken for no option.
  if (![namespace, name, container].every(isSegment) || !path.startsWith("/") || path.includes("\0"))
    return failure(what, "invalid-name", "nothing can have that name", []);
  const opened = await openFor(caller, ref, what);
  if (opened.kind !== "upgraded") return opened;
  const ran = await untilEnded(caller, opened, ref.limitBytes);
  const { exchanges, secrets } = opened;
  switch (ran.kind) {
    case "over":
      return over(caller, what, exchanges);
    case "fault":
      return failure(what, ran.reason, ran.why, exchanges);
    case "ended":
      return readingOf(ran, what, exchanges, secrets);
  }
};

type Opened = Extract<Upgraded, { kind: "upgraded" }> & {
  readonly exchanges: readonly Exchange[];
  readonly secrets: readonly string[];
};

/** 401 is worth one renewal of the credentials. */
const openFor = async (
  caller: Caller,
  { namespace, name, container, path }: FileRef,
  what: string,
): Promise<Opened | Exclude<FileReading, { kind: "read" | "no-file" }>> => {
  const { line, credentials, allowance } = caller;
  const query = new URLSearchParams({ command: "cat", container, stdout: "true", stderr: "true" });
  query.append("command", path);
  const exchanges: Exchange[] = [];
  for (let isRenewed = false; ; isRenewed = true) {
    if (allowance.over() !== null) return over(caller, what, exchanges);
    const held = await credentials.hold(allowance.signal);
    if ("fault" in held) return failure(what, "credentials", held.fault, exchanges);
    const outgoing = {
      path: `/api/v1/namespaces/${namespace}/pods/${name}/exec?${query}`,
      accept: "*/*",
      maxBytes: MAX_STATUS_BYTES,
      held,
    };
    const tried = await upgrade(line, outgoing, PROTOCOLS, allowance.signal);
    exchanges.push(tried.exchange);
    if (tried.kind === "upgraded") return { ...tried, exchanges, secrets: held.secrets };
    if (tried.kind !== "replied") return unsent(caller, what, tried, exchanges);
    const { status } = tried.exchange;
    if (status === 401 && !isRenewed && credentials.refused(held)) continue;
    if (status === 404 && statusOf(tried.exchange)?.reason === "NotFound")
      return { kind: "absent", exchanges };
    const { host } = line.connection.server;
    // Newer servers want `create` even for a GET, as it is what it comes to.
    const verb = /cannot create /.test(tried.exchange.body.toString()) ? "create" : "get";
    const right = { verb, group: "", resource: "pods/exec", namespace, name } as const;
    return refusalOf({ what, right, host, secrets: held.secrets }, exchanges, null);
  }
};

interface Ended {
  readonly kind: "ended";
  readonly output: Buffer;
  readonly complaints: string;
  readonly status: JsonObject;
}

type Ran =
  | Ended
  | { readonly kind: "over" }
  | { readonly kind: "fault"; readonly reason: "cut" | "too-large"; readonly why: string };

const untilEnded = ({ allowance }: Caller, { socket, head }: Opened, limitBytes: number): Promise<Ran> =>
  new Promise((resolve) => {
    const frames = new FrameReader(MAX_MESSAGE_BYTES);
    const output: Buffer[] = [];
    let length = 0;
    let complaints = "";
    const settle = (ran: Ran): void => {
      allowance.signal.removeEventListener("abort", onAbort);
      resolve(ran);
      if (!socket.destroyed) socket.write(closing(), () => socket.destroy());
    };
    const onAbort = (): void => settle({ kind: "over" });
    const cut = (why: string): void => settle({ kind: "fault", reason: "cut", why });
    const onMessage = (bytes: Buffer): void => {
      const payload = bytes.subarray(1);
      if (bytes[0] === CHANNEL.output) {
        output.push(payload);
        length += payload.length;
        if (length > limitBytes)
          settle({ kind: "fault", reason: "too-large", why: `it has more than ${limitBytes} bytes` });
      } else if (bytes[0] === CHANNEL.complaints)
        complaints = `${complaints}${payload.toString("utf8")}`.slice(0, MAX_COMPLAINT_BYTES);
      else if (bytes[0] === CHANNEL.status) {
        const status = parsed(payload);
        if (status === null) cut("how the process ended cannot be read");
        else settle({ kind: "ended", output: Buffer.concat(output), complaints, status });
      }
    };
    const onData = (piece: Buffer): void => {
      for (const one of frames.push(piece)) {
        if (one.kind === "message") onMessage(one.bytes);
        else if (one.kind === "ping") socket.write(pong(one.bytes));
        else cut(one.kind === "fault" ? one.why : "it ended before it was told how the process ended");
      }
    };
    socket.on("error", () => cut("the connection broke"));
    socket.on("close", () => cut("it ended before it was told how the process ended"));
    if (allowance.signal.aborted) return onAbort();
    allowance.signal.addEventListener("abort", onAbort, { once: true });
    onData(head);
    socket.on("data", onData);
  });

const parsed = (bytes: Buffer): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
};

/** As coreutils and busybox say it of ENOENT. */
const NO_FILE = /: No such file or directory\s*$/;

const readingOf = (
  { output, complaints, status }: Ended,
  what: string,
  exchanges: readonly Exchange[],
  secrets: readonly string[],
): Exclude<FileReading, ReadFailure> | ReadFailure => {
  if (status["status"] === "Success") return { kind: "read", bytes: output, exchanges };
  if (status["reason"] === "NonZeroExitCode" && NO_FILE.test(complaints) && output.length === 0)
    return { kind: "no-file", exchanges };
  const said = status["reason"] === "NonZeroExitCode" ? complaints : String(status["message"] ?? "");
  const isWithout = /executable file not found|no such file or directory/i.test(said) && complaints === "";
  return failure(
    what,
    "not-run",
    isWithout
      ? "there is no `cat` in the container that could read it"
      : `\`cat\` could not read it${saying(said, secrets)}`,
    exchanges,
  );
};
