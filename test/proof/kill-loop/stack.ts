/**
 * One of the loop's stacks: a container and what is in it over exec, and a third step over HTTP. Its number decides which
 * class of provider it stands over, so that fifty stacks hold every mix.
 */
import { fileURLToPath } from "node:url";
import type { RetryClass } from "../../../src/domain/step.ts";

const LOG_CLOUD = fileURLToPath(new URL("log-cloud.sh", import.meta.url));

/** `deaf`: a provider that was declared keyed and breaks its word. */
export type ExecClass = RetryClass | "deaf";

export interface StackShape {
  readonly name: string;
  readonly exec: ExecClass;
  readonly http: "once" | "keyed";
  /** Of one call; long, since the machine may be slow. */
  readonly deadline: string;
}

const CLASSES: readonly RetryClass[] = ["once", "keyed", "named", "idempotent"];

export const shapeOf = (number: number): StackShape => ({
  name: `s${String(number).padStart(2, "0")}`,
  exec: CLASSES[number % CLASSES.length] as RetryClass,
  http: number % 8 < 4 ? "once" : "keyed",
  deadline: "60s",
});

/** What a provider may still do or show, in real time; the loop lets this pass before it moves the wall clock. */
export const LATEST_MS = 250;

const execStep = (
  name: string,
  { exec, deadline }: StackShape,
  size: string,
  within: string | null,
): string => {
  const command = `[${JSON.stringify(LOG_CLOUD)}, "CLOUD", ${exec}]`;
  const inputs = within === null ? `{ size: ${size} }` : `{ size: ${size}, within: ${within} }`;
  return `  ${name}:
    uses: exec
    retry: ${exec === "deaf" ? "keyed" : exec}
    settle: 600ms
    deadline: ${deadline}${within === null ? "" : `\n    needs: [${within}]\n    partOf: ${within}`}
    with:
      observe: ${command}
      create: ${command}
      update: ${command}
      destroy: ${command}
      inputs: ${inputs}`;
};

const httpStep = (shape: StackShape, size: string, cloudUrl: string): string => `  app:
    uses: http
    retry: ${shape.http}
    needs: [net]
    settle: 600ms
    deadline: ${shape.deadline}
    with:
      base: ${cloudUrl}/v1
      key: { header: Idempotency-Key, body: /labels/asfound-key }
      create: { path: /${shape.name}, body: { size: ${size}, labels: { team: loop } }, id: /id }
      observe:
        get: { path: "/${shape.name}/{id}" }
        find: { path: "/${shape.name}?label=asfound-key%3D{key}", items: /items, id: /id, next: /next, match: { /labels/asfound-key: "{key}" } }
        declared: [/size]
      update: { path: "/${shape.name}/{id}", body: { size: ${size} } }
      destroy: { path: "/${shape.name}/{id}" }`;

export const stackFile = (
  shape: StackShape,
  where: { readonly ledger: string; readonly cloudUrl: string },
  version: number,
): string => `apiVersion: asfound.dev/v1alpha1
kind: Stack
metadata: { name: ${shape.name} }
ledger: ${JSON.stringify(where.ledger)}
steps:
${execStep("net", shape, `v${version}`, null)}
${execStep("guest", shape, `v${version}`, "net")}
${httpStep(shape, `v${version}`, where.cloudUrl)}
`;
