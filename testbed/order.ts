/** What is done from inside a testbed's network: `inside` gives the order, and the process `inside.ts` carries it out. */
import { spawn } from "node:child_process";
import type { ComponentName } from "./component-name.ts";
import { type FaultKind, TestbedFault } from "./fault.ts";
import { demandInit, entering } from "./namespaces.ts";
import { type Place, SOURCE } from "./place.ts";
import { MARK, MARK_ROLE } from "./processes.ts";

export type Order =
  | { readonly kind: "start" }
  | { readonly kind: "start-component"; readonly component: ComponentName }
  | { readonly kind: "start-argocd" }
  | { readonly kind: "push"; readonly version: string; readonly tag: string }
  | { readonly kind: "crowd"; readonly deployments: number; readonly replicas: number };

export type Report =
  | { readonly kind: "said"; readonly line: string }
  | { readonly kind: "done" }
  | { readonly kind: "fault"; readonly fault: FaultKind; readonly sentence: string };

/** Resolves when the order was carried out. The process has this machine's files and processes. */
export const inside = async (place: Place, order: Order, say: (line: string) => void): Promise<void> => {
  const [enter = "", ...words] = entering(demandInit(place), "network");
  const child = spawn(
    enter,
    [...words, process.execPath, `${SOURCE}/inside.ts`, place.name, JSON.stringify(order)],
    {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: { ...process.env, [MARK]: place.name, [MARK_ROLE]: "start" },
    },
  );
  const report = await new Promise<Report>((resolve, reject) => {
    child.on("message", (message) => {
      const report = message as Report;
      if (report.kind === "said") say(report.line);
      else resolve(report);
    });
    child.once("error", reject);
    // The channel closes after the last message; the process may seem to have ended before it.
    child.once("disconnect", () =>
      reject(new TestbedFault("failed", "the process in the testbed's network ended without a report")),
    );
  });
  if (report.kind === "fault") throw new TestbedFault(report.fault, report.sentence);
};
