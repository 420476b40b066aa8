/**
 * The cloud in a process of its own: `node src/testing/cloud/main.ts [OPTIONS-AS-JSON]`.
 * Prints one line, `{"url": …, "adminUrl": …}`, when it listens. Ends on TERM, or when its stdin closes, so that it never
 * outlives whoever started it.
 */
import { argv, stdin, stdout } from "node:process";
import type { CloudOptions } from "./cloud.ts";
import { startCloud } from "./start.ts";

const options: CloudOptions = JSON.parse(argv[2] ?? "{}");
const cloud = await startCloud(options);
const end = (): void => {
  void cloud.close();
  stdin.destroy();
};
process.once("SIGTERM", end);
stdin.once("end", end).once("error", end).resume();
stdout.write(`${JSON.stringify({ url: cloud.url, adminUrl: cloud.adminUrl })}\n`);
