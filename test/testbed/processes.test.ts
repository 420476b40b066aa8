import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { placeOf } from "../../testbed/place.ts";
import {
  allProcesses,
  componentOf,
  initOf,
  MARK,
  MARK_ROLE,
  type Process,
  processesOf,
} from "../../testbed/processes.ts";

const place = placeOf("one", {});

const process_ = (pid: number, more: Partial<Process> = {}): Process => ({
  pid,
  innerPid: pid,
  depth: 1,
  program: "sh",
  mark: null,
  role: null,
  pidNamespace: "pid:[1]",
  netNamespace: "net:[1]",
  cgroups: "1:cpu:/\n",
  residentBytes: 0,
  startedAt: new Date(0),
  ...more,
});
const within = { depth: 2, pidNamespace: "pid:[2]", netNamespace: "net:[2]" } as const;
const init = process_(10, { ...within, innerPid: 1, program: "pause", mark: "one", role: "init" });
const wrapper = process_(9, { program: "unshare", mark: "one", role: "init" });

describe("the processes of a testbed", () => {
  it.each<[string, Process]>([
    ["are marked", process_(20, { mark: "one" })],
    ["or in its PID namespace", process_(20, { pidNamespace: within.pidNamespace })],
    ["or in its network", process_(20, { netNamespace: within.netNamespace })],
    ["or in its cgroup", process_(20, { cgroups: "3:cpu:/asfound-testbed-one/kubepods/pod1/abc\n" })],
  ])("%s", (_, member) =>
    expect(processesOf(place, [process_(1), wrapper, init, member])).toEqual([wrapper, init, member]),
  );

  it("are not another testbed's, nor the machine's", () =>
    expect(
      processesOf(place, [
        process_(1),
        init,
        process_(20, { mark: "on" }),
        process_(21, { mark: "one2" }),
        process_(22, { cgroups: "3:cpu:/asfound-testbed-one2/kubepods/pod1/abc\n" }),
        process_(23, { ...within, pidNamespace: "pid:[3]", netNamespace: "net:[3]" }),
      ]),
    ).toEqual([init]));

  it("without a first process, the machine's own namespaces make no member", () =>
    expect(processesOf(place, [process_(1), wrapper])).toEqual([wrapper]));

  it("have one first process, which is not the `unshare` that made it", () => {
    expect(initOf("one", [wrapper, init])).toBe(init);
    expect(initOf("one", [wrapper])).toBeUndefined();
    expect(initOf("two", [wrapper, init])).toBeUndefined();
  });

  it("know a part by role and program: neither who waits for it nor its helpers are it", () => {
    const marked = { mark: "one", role: "containerd" } as const;
    const nsenter = process_(30, { ...marked, program: "nsenter" });
    const shim = process_(32, { ...within, ...marked, program: "containerd-shim-runc-v2" });
    const part = process_(31, { ...within, ...marked, program: "containerd" });
    expect(componentOf([nsenter, shim], "containerd")).toBeUndefined();
    expect(componentOf([nsenter, shim, part], "containerd")).toBe(part);
  });

  it("are read from /proc as they are", async () => {
    const child = spawn("sleep", ["1000"], { env: { [MARK]: "one-real", [MARK_ROLE]: "exec" } });
    onTestFinished(() => void child.kill("SIGKILL"));
    await new Promise((resolve) => child.once("spawn", resolve));
    const found = processesOf(placeOf("one-real", {}), allProcesses());
    expect(found).toEqual([
      expect.objectContaining({ pid: child.pid, program: "sleep", mark: "one-real", role: "exec" }),
    ]);
    expect(found[0]?.residentBytes).toBeGreaterThan(0);
    const own = allProcesses().find(({ pid }) => pid === process.pid);
    expect(own?.pidNamespace).toBe(found[0]?.pidNamespace);
    // Started before the child was, and after the machine.
    expect(Number(own?.startedAt)).toBeLessThanOrEqual(Number(found[0]?.startedAt));
  });
});
