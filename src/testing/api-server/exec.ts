/** The `exec` subresource, as far as `cat PATH` goes: a WebSocket by v5.channel.k8s.io, with files that the test says there are. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { JsonObject } from "../../domain/json.ts";
import { acceptOf } from "../../wire/web-socket-accept.ts";
import type { Asked } from "./asked.ts";
import { type Answer, badRequest } from "./status.ts";

/** What a container has: files by their paths; null: it has no `cat`. */
export type ContainerFiles = ReadonlyMap<string, Uint8Array | string> | null;

const BINARY = 0x82;

const frame = (channel: number, payload: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from([channel]), payload]);
  const head =
    body.length < 126
      ? Buffer.from([BINARY, body.length])
      : body.length < 65_536
        ? Buffer.from([BINARY, 126, body.length >> 8, body.length & 0xff])
        : Buffer.concat([
            Buffer.from([BINARY, 127, 0, 0, 0, 0]),
            Buffer.from(Uint32Array.of(body.length).buffer).reverse(),
          ]);
  return Buffer.concat([head, body]);
};

const CHANNEL = { output: 1, complaints: 2, status: 3 } as const;
/** As a kubelet cuts it. */
const PIECE_BYTES = 32 * 1024;

const NOT_ZERO: JsonObject = {
  metadata: {},
  status: "Failure",
  message: "command terminated with non-zero exit code: error executing command [cat], exit code 1",
  reason: "NonZeroExitCode",
  details: { causes: [{ reason: "ExitCode", message: "1" }] },
};

const WITHOUT_CAT: JsonObject = {
  metadata: {},
  status: "Failure",
  message:
    'Internal error occurred: error executing command in container: failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: exec: "cat": executable file not found in $PATH',
  reason: "InternalError",
  code: 500,
};

const statusFrame = (status: JsonObject): Buffer =>
  frame(CHANNEL.status, Buffer.from(JSON.stringify(status)));

const framesFor = (files: ContainerFiles, path: string): readonly Buffer[] => {
  if (files === null) return [statusFrame(WITHOUT_CAT)];
  const content = files.get(path);
  if (content === undefined)
    return [
      frame(CHANNEL.complaints, Buffer.from(`cat: can't open '${path}': No such file or directory\n`)),
      statusFrame(NOT_ZERO),
    ];
  const bytes = Buffer.from(content);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    pieces.push(frame(CHANNEL.output, bytes.subarray(at, at + PIECE_BYTES)));
  return [...pieces, statusFrame({ metadata: {}, status: "Success" })];
};

/** Refuses as the API server does before it has upgraded anything; null: it has. */
export const execute = (
  request: IncomingMessage,
  socket: Duplex,
  { query }: Asked,
  files: ContainerFiles,
  isCut: boolean,
): Answer | null => {
  const offered = String(request.headers["sec-websocket-protocol"] ?? "").split(/,\s*/);
  const command = query.getAll("command");
  if (!offered.includes("v5.channel.k8s.io")) return badRequest("unable to upgrade: no protocol is known");
  if (command[0] !== "cat" || command[1] === undefined || command.length > 2)
    return badRequest("this API server runs `cat PATH` and nothing else");
  socket.write(
    [
      "HTTP/1.1 101 Switching Protocols",
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Accept: ${acceptOf(String(request.headers["sec-websocket-key"]))}`,
      "Sec-WebSocket-Protocol: v5.channel.k8s.io",
      "\r\n",
    ].join("\r\n"),
  );
  const frames = framesFor(files, command[1]);
  // Cut: all that it wrote, and not how it ended.
  for (const one of isCut ? frames.slice(0, -1) : frames) socket.write(one);
  socket.end(isCut ? undefined : Buffer.from([0x88, 2, 0x03, 0xe8]));
  return null;
};
