/** A Git server of one story, in the testbed's network, that it can stop without stopping the others'. */
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { tempFolder } from "../support/temp-folder.ts";
import { eventually } from "./eventually.ts";

const PROGRAM = fileURLToPath(new URL("../../testbed/git-server.ts", import.meta.url));
const ADDRESS = "127.0.0.1";

export interface GitServer extends AsyncDisposable {
  readonly url: string;
}

export const startGitServer = async (): Promise<GitServer> => {
  const port = await freePort();
  const words = [PROGRAM, tempFolder("git"), ADDRESS, String(port)];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://${ADDRESS}:${port}`;
  await eventually(() => fetch(`${url}/`));
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, ADDRESS, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
