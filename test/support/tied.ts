/** An app that does not tell which Pod it is, and its Pods, which know the ids of its requests: by their logs, or at a port. */
import { createServer, type IncomingMessage } from "node:http";
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "./cluster.ts";
import { READ_AT, type World, worldFiles } from "./kubernetes/deployment.ts";
import { clockAt, serve } from "./kubernetes/served.ts";

export type Line = (place: { readonly pod: JsonObject; readonly id: string }) => string;

export const podsOf = (world: World): readonly JsonObject[] =>
  (worldFiles(world)["pods.json"] as { readonly items: readonly JsonObject[] }).items;
export const nameOf = (pod: JsonObject): string => String((pod["metadata"] as JsonObject)["name"]);
const isNew = (pod: JsonObject): boolean => JSON.stringify(pod).includes("web:v2");

/** The Pod of that name knows all of that text, by its log or at its port. */
export type Know = (server: ApiServer, name: string, text: string) => void;
export const byLog: Know = (server, name, text) =>
  server.setPodLog({ namespace: "shop", name, container: "web" }, text);
export const PORT = 9_901;
export const byPort: Know = (server, name, body) =>
  server.setPodPort({ namespace: "shop", name, port: PORT }, { status: 200, body });

export interface Given {
  readonly server: ApiServer;
  readonly url: string;
  readonly ids: readonly string[];
}

export interface Telling {
  readonly know: Know;
  /** Which Pods know of a request. */
  readonly who: (pod: JsonObject) => boolean;
  readonly line?: Line | undefined;
  readonly options?: ApiServerOptions;
}

export const given = async (
  world: World,
  { know, who, line = ({ id }) => `GET / ${id} 200\n`, options = {} }: Telling,
): Promise<Given> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT), ...options });
  serve(server, worldFiles(world));
  const ids: string[] = [];
  const texts = new Map<string, string>();
  for (const pod of podsOf(world)) know(server, nameOf(pod), "");
  const app = createServer((request: IncomingMessage, reply) => {
    const id = String(request.headers["x-request-id"] ?? "");
    ids.push(id);
    for (const pod of podsOf(world).filter(who)) {
      const name = nameOf(pod);
      texts.set(name, `${texts.get(name) ?? ""}${line({ pod, id })}`);
      know(server, name, texts.get(name) ?? "");
    }
    reply.end("{}");
  });
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    app.closeAllConnections();
    app.close();
  });
  const address = app.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { server, url: `http://127.0.0.1:${address.port}/`, ids };
};

export const first = (world: World, fresh: boolean) => {
  const name = nameOf(podsOf(world).find((pod) => isNew(pod) === fresh) ?? {});
  return (pod: JsonObject): boolean => nameOf(pod) === name;
};

export const verify = ({ server, url }: Given, words: readonly string[], user?: string): Promise<Ran> =>
  asfound(
    { cwd: folder() },
    ...["verify", "deployment/web", "--via", url, ...words, "-o", "json"],
    ...["--kubeconfig", kubeconfigFile(server.kubeconfig({ namespace: "shop", ...(user && { user }) }))],
  );

export const found = ({ out }: Ran, claim = "answered-by-new-pod"): readonly string[] => {
  const { findings } = JSON.parse(out) as {
    readonly findings: readonly {
      readonly claim: string;
      readonly finding: string;
      readonly reason: string;
    }[];
  };
  const one = findings.find((finding) => finding.claim === claim);
  return one === undefined ? [] : [one.finding, one.reason];
};

/** When that is asked for first, each Pod is another of its name; tells whether it has been. */
export const replacedWhenAsked = (server: ApiServer, world: World, asks: string): (() => boolean) => {
  let isReplaced = false;
  onTestFinished(
    server.onAsked(({ path }) => {
      if (isReplaced || !path.includes(asks)) return;
      isReplaced = true;
      for (const pod of podsOf(world)) {
        const uid = `00000000-0000-4000-8000-${nameOf(pod).slice(-5).padStart(12, "0")}`;
        server.put(
          { resource: "pods", namespace: "shop", name: nameOf(pod) },
          { ...pod, metadata: { ...(pod["metadata"] as JsonObject), uid } },
        );
      }
    }),
  );
  return () => isReplaced;
};
