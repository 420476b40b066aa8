/**
 * A real Git server: `git-server.ts FOLDER ADDRESS PORT` serves the bare repositories of a folder by Git's own http-backend.
 * Whoever pushes to one that is not there makes it. For a testbed alone: nobody has to log in.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { createGunzip } from "node:zlib";

const [folder = "", address = "", port = ""] = process.argv.slice(2);

/** Nothing of the machine's own settings. */
const ENVIRONMENT = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
const REPOSITORY = /^\/([a-z0-9][-a-z0-9]*\.git)\//;

const make = (repository: string): void => {
  const words = ["init", "--quiet", "--bare", "--initial-branch=main", join(folder, repository)];
  const { status } = spawnSync("git", words, { env: ENVIRONMENT, stdio: "inherit" });
  if (status !== 0) throw new Error(`git init of ${repository} ended with ${status}`);
};

const serve = (asked: IncomingMessage, reply: ServerResponse): void => {
  const { pathname, search } = new URL(asked.url ?? "/", "http://git-server");
  const [, repository] = REPOSITORY.exec(pathname) ?? [];
  if (repository === undefined) return void reply.writeHead(pathname === "/" ? 200 : 404).end();
  if (search === "?service=git-receive-pack" && !existsSync(join(folder, repository))) make(repository);
  const backend = spawn("git", ["http-backend"], {
    env: {
      ...ENVIRONMENT,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      // http-backend takes pushes from whoever is called something.
      REMOTE_USER: "testbed",
      REMOTE_ADDR: asked.socket.remoteAddress,
      REQUEST_METHOD: asked.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: asked.headers["content-type"] ?? "",
      GIT_PROTOCOL: String(asked.headers["git-protocol"] ?? ""),
      SERVER_PROTOCOL: "HTTP/1.1",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const body = asked.headers["content-encoding"] === "gzip" ? asked.pipe(createGunzip()) : asked;
  // It may answer without reading all of it.
  body.pipe(backend.stdin).on("error", () => undefined);
  let head = Buffer.alloc(0);
  backend.stdout.on("data", (chunk: Buffer) => {
    if (reply.headersSent) return void reply.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return;
    answer(reply, head.subarray(0, end).toString("latin1"));
    reply.write(head.subarray(end + 4));
  });
  backend.once("close", () => {
    if (!reply.headersSent) reply.writeHead(500);
    reply.end();
  });
};

/** As CGI says it: a status may stand among the headers. */
const answer = (reply: ServerResponse, head: string): void => {
  let status = 200;
  for (const line of head.split("\r\n")) {
    const colon = line.indexOf(":");
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else reply.setHeader(name, value);
  }
  reply.writeHead(status);
};

createServer(serve).listen(Number(port), address);
