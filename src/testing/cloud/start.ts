/**
 * An HTTP cloud that misbehaves on request: REST over loopback, a log of its own, and a second listener for whoever
 * directs it (`admin.ts`), which stays reachable when the first one refuses connections.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { adminServer } from "./admin.ts";
import { apiOf } from "./api.ts";
import type { Cloud, CloudOptions } from "./cloud.ts";
import { faultsOf } from "./fault.ts";
import { handle, type Parts } from "./handle.ts";
import { type KindSettings, USUAL } from "./kinds.ts";
import { realClock } from "./real-clock.ts";
import { things } from "./things.ts";

const listen = async (server: Server, port: number): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
};

const shut = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
};

/** Listens on loopback, on a port that the system chooses. */
export const startCloud = async (options: CloudOptions = {}): Promise<Cloud> => {
  const clock = options.clock ?? realClock;
  const world = things();
  const faults = faultsOf(options.faults ?? []);
  const api = apiOf(world, () => clock.now());
  const closing = new AbortController();
  const parts: Parts = { clock, api, faults, entries: [], token: options.token, closing: closing.signal };
  const setKind = (kind: string, settings: Partial<KindSettings>): void => {
    api.kinds.set(kind, { ...(api.kinds.get(kind) ?? USUAL), ...settings });
  };
  for (const [kind, settings] of Object.entries(options.kinds ?? {})) setKind(kind, settings);

  const serve = (): Server =>
    createServer((request, response) => {
      // A client that went away in the middle is no news to a server.
      response.on("error", () => undefined);
      handle(parts, request, response).catch(() => response.destroy());
    });
  let server = serve();
  const port = await listen(server, 0);
  const cloud: Omit<Cloud, "adminUrl" | "close"> = {
    url: `http://127.0.0.1:${port}`,
    log: () => parts.entries.map((entry) => ({ ...entry })),
    objects: (kind) => world.all(clock.now(), kind),
    setFaults: (rules) => faults.set(rules),
    setKind,
    refuse: () => shut(server),
    accept: async () => {
      if (server.listening) return;
      server = serve();
      await listen(server, port);
    },
  };
  const admin = adminServer(cloud);
  const adminPort = await listen(admin, 0);
  return {
    ...cloud,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    close: async () => {
      closing.abort();
      await Promise.all([shut(server), shut(admin)]);
    },
  };
};
