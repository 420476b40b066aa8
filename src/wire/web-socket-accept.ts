/** What a server answers to the key of who wants a WebSocket (RFC 6455, 1.3). */
import { createHash } from "node:crypto";

const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export const acceptOf = (key: string): string => createHash("sha1").update(`${key}${MAGIC}`).digest("base64");
