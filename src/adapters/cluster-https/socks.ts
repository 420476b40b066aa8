/** A connection through a SOCKS 5 proxy (RFC 1928), by name and password where the proxy asks for them (RFC 1929). Names are looked up by the proxy, as Go does. */
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { ProxyRefusal } from "./proxy-refusal.ts";

const VERSION = 5;
const [NO_AUTHENTICATION, PASSWORD] = [0, 2];
const [CONNECT, BY_NAME, IPV4, IPV6] = [1, 3, 1, 4];
const AUTHENTICATION_VERSION = 1;

/** Of the reply field. */
const WHY: Readonly<Record<number, string>> = {
  1: "it failed",
  2: "its rules do not allow it",
  3: "there is no way to that network",
  4: "there is no way to that host",
  5: "nothing listens there",
  6: "the way is too long",
  7: "it cannot do that",
  8: "it does not take such addresses",
};

/** What comes from the proxy until the way is open, handed out in exact numbers of bytes. */
class Replies {
  readonly #socket: Socket;
  #held = Buffer.alloc(0);
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", this.#onData).on("close", this.#onClose);
  }

  /** Rejects when the proxy ends before. */
  async take(bytes: number): Promise<Buffer> {
    while (this.#held.length < bytes) {
      if (this.#isOver) throw new ProxyRefusal("closed the way");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const taken = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    return taken;
  }

  /** From here on the socket is the caller's. */
  release(): void {
    this.#socket.pause().off("data", this.#onData).off("close", this.#onClose);
    if (this.#held.length > 0) throw new ProxyRefusal("spoke before it was asked");
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#held = Buffer.concat([this.#held, chunk]);
    this.#wake();
  };
  readonly #onClose = (): void => {
    this.#isOver = true;
    this.#wake();
  };
}

const sized = (text: string): Buffer => {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > 255) throw new ProxyRefusal("takes no name, host or password of more than 255 bytes");
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
};

/** An IPv6 address is sent as a name too: every proxy that takes names takes it, and it need not be packed here. */
const addressOf = (host: string): Buffer =>
  isIP(host) === 4
    ? Buffer.from([IPV4, ...host.split(".").map(Number)])
    : Buffer.concat([Buffer.from([BY_NAME]), sized(host)]);

const authenticate = async (socket: Socket, replies: Replies, proxy: URL): Promise<void> => {
  const methods = proxy.username === "" ? [NO_AUTHENTICATION] : [NO_AUTHENTICATION, PASSWORD];
  socket.write(Buffer.from([VERSION, methods.length, ...methods]));
  const [version, chosen] = await replies.take(2);
  if (version !== VERSION) throw new ProxyRefusal("does not speak SOCKS 5");
  if (chosen === NO_AUTHENTICATION) return;
  if (chosen !== PASSWORD || proxy.username === "")
    throw new ProxyRefusal("asks for a name and password, or for more than that");
  socket.write(
    Buffer.concat([
      Buffer.from([AUTHENTICATION_VERSION]),
      sized(decodeURIComponent(proxy.username)),
      sized(decodeURIComponent(proxy.password)),
    ]),
  );
  const [, status] = await replies.take(2);
  if (status !== 0) throw new ProxyRefusal("does not take the name and password");
};

/** What follows the reply's address type: the address that the proxy uses, which nobody needs, and a port. */
const boundBytes = async (replies: Replies, type: number): Promise<number> => {
  if (type === IPV4) return 4 + 2;
  if (type === IPV6) return 16 + 2;
  const [length = 0] = await replies.take(1);
  return length + 2;
};

const ask = async (socket: Socket, replies: Replies, host: string, port: number): Promise<void> => {
  socket.write(
    Buffer.concat([
      Buffer.from([VERSION, CONNECT, 0]),
      addressOf(host),
      Buffer.from([port >> 8, port & 0xff]),
    ]),
  );
  const [version, reply = 1, , type = 0] = await replies.take(4);
  if (version !== VERSION) throw new ProxyRefusal("does not speak SOCKS 5");
  if (reply !== 0) throw new ProxyRefusal(`refused the way: ${WHY[reply] ?? `it answered ${reply}`}`);
  await replies.take(await boundBytes(replies, type));
};

/** Rejects with a `ProxyRefusal`; so it does when `signal` aborts. */
export const socksTunnel = async (
  proxy: URL,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<Socket> => {
  const socket = connect({ host: proxy.hostname.replace(/^\[|\]$/g, ""), port: Number(proxy.port || 1080) });
  const onAbort = (): void => void socket.destroy(new ProxyRefusal("did not open the way in time"));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await once(socket, "connect", { signal });
    // Whoever takes the socket over listens for itself; until then its end is told by its replies.
    socket.on("error", () => undefined);
    const replies = new Replies(socket);
    await authenticate(socket, replies, proxy);
    await ask(socket, replies, host, port);
    replies.release();
    return socket;
  } catch (error) {
    socket.destroy();
    throw ProxyRefusal.from(error, proxy);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
};
