/** A server on loopback that answers with any bytes at all, in any pieces, and then ends, cuts, or says nothing more. */
import { createServer, type Socket } from "node:net";

/** What one connection is answered with. */
export interface Lie {
  readonly chunks: readonly Buffer[];
  /** `end` closes, `cut` resets, `hold` keeps the connection open and sends nothing more. */
  readonly then: "end" | "cut" | "hold";
}

export interface LyingServer {
  /** A base URL whose requests are answered with these, one after another; the last one answers all that follow. */
  tell(lies: readonly Lie[]): { readonly base: string; served(): readonly Lie[]; forget(): void };
  close(): Promise<void>;
}

export const lyingServer = async (): Promise<LyingServer> => {
  const plans = new Map<string, { readonly lies: readonly Lie[]; served: Lie[] }>();
  const open = new Set<Socket>();
  let count = 0;
  const answer = (socket: Socket, request: string): void => {
    const plan = plans.get(/ \/p(\d+)\//.exec(request)?.[1] ?? "");
    const lie = plan?.lies[Math.min(plan.served.length, plan.lies.length - 1)];
    if (plan === undefined || lie === undefined) {
      socket.destroy();
      return;
    }
    plan.served.push(lie);
    for (const chunk of lie.chunks) socket.write(chunk);
    if (lie.then === "end") socket.end();
    if (lie.then === "cut") socket.write("", () => socket.resetAndDestroy());
  };
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    let request = "";
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      const wasWhole = request.includes("\r\n\r\n");
      request += chunk.toString("latin1");
      // The head is enough: what follows is a body that nobody here reads.
      if (!wasWhole && request.includes("\r\n\r\n")) answer(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    tell: (lies) => {
      count += 1;
      const name = String(count);
      const plan = { lies, served: [] as Lie[] };
      plans.set(name, plan);
      return {
        base: `http://127.0.0.1:${port}/p${name}`,
        served: () => plan.served,
        forget: () => void plans.delete(name),
      };
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
