/** What `asfound watch` takes: bytes for each edit that it recorded, memory, and time, of 1,000 ConfigMaps. */
import { fork } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measured } from "./measured.ts";

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface Recorder {
  readonly edits: number;
  readonly recorded: number;
  readonly bytes: number;
  readonly largestBytes: number;
  /** Of the records of what was edited alone. */
  readonly bytesAnEdit: number;
  readonly peakMegabytes: number;
  readonly cpuShare: number;
  readonly asked: Readonly<Record<string, number>>;
}

export const recorderRun = async (
  folder: string,
  asfound: string,
  {
    count,
    perSecond,
    seconds,
  }: { readonly count: number; readonly perSecond: number; readonly seconds: number },
): Promise<Recorder> => {
  const name = `recorder-${count}-${perSecond}-${seconds}`;
  const kubeconfig = join(folder, `${name}.kubeconfig`);
  const server = fork(here("recorder-server.ts"), [String(count), String(perSecond), kubeconfig]);
  try {
    await new Promise((resolve) => server.once("message", resolve));
    const to = join(folder, name);
    const words = ["watch", "--to", to, "--kubeconfig", kubeconfig, "--for", `${seconds}s`, "-o", "json"];
    const run = await measured([asfound, ...words], { folder });
    if (run.exit !== 0) throw new Error(run.stderr);
    const told = new Promise<{ readonly edits: number; readonly asked: Record<string, number> }>((resolve) =>
      server.once("message", (message) => resolve(message as never)),
    );
    server.send("log");
    const files = readdirSync(to).map((file) => join(to, file));
    const sizes = files.map((file) => statSync(file).size);
    const lines = files.flatMap((file) => readFileSync(file, "utf8").split("\n"));
    const edited = lines.filter((line) => /"kind":"(version|gone)"/.test(line));
    const versions = JSON.parse(run.stdout).versions as number;
    const { edits, asked } = await told;
    return {
      edits,
      recorded: versions - count,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      largestBytes: Math.max(...sizes),
      bytesAnEdit: edited.reduce((sum, line) => sum + line.length + 1, 0) / versions,
      peakMegabytes: run.peakMegabytes,
      cpuShare: run.cpuMs / run.wallMs,
      asked,
    };
  } finally {
    server.disconnect();
  }
};
