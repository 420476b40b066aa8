/**
 * Directs a cloud from another process:
 * GET /log · GET /objects · PUT /faults [rules] · PUT /kinds/KIND {settings} · POST /refuse · POST /accept.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Cloud } from "./cloud.ts";
import type { FaultRule } from "./fault.ts";
import type { KindSettings } from "./kinds.ts";

type Directed = Pick<Cloud, "log" | "objects" | "setFaults" | "setKind" | "refuse" | "accept">;

const jsonOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? null : JSON.parse(Buffer.concat(chunks).toString("utf8"));
};

export const adminServer = (cloud: Directed): Server => {
  const carryOut = async (what: string, body: unknown): Promise<unknown> => {
    if (what === "GET /log") return cloud.log();
    if (what === "GET /objects") return cloud.objects();
    if (what === "PUT /faults") cloud.setFaults(body as readonly FaultRule[]);
    else if (what.startsWith("PUT /kinds/"))
      cloud.setKind(what.slice("PUT /kinds/".length), body as Partial<KindSettings>);
    else if (what === "POST /refuse") await cloud.refuse();
    else if (what === "POST /accept") await cloud.accept();
    else throw new Error(`the cloud's admin has no ${what}`);
    return null;
  };
  return createServer((request, response) => {
    const what = `${request.method} ${request.url}`;
    jsonOf(request)
      .then((body) => carryOut(what, body))
      .then(
        (value) => {
          response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
        },
        (fault: unknown) => {
          response.writeHead(400).end(fault instanceof Error ? fault.message : "refused");
        },
      );
  });
};
