/**
 * Objects by their ids, through one `git cat-file --batch`. git is trusted with finding the bytes and with nothing else: the digest
 * of what came has to be the id that was asked for, so neither a damaged pack, nor a replacement, nor a graft can stand in for it.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import type { Known } from "../../domain/known.ts";
import { known, unreadable } from "../../domain/known.ts";
import { type Environment, gitEnvironment, HARDENED, isId, whyNot } from "./hardened.ts";

export type ObjectType = "commit" | "tree" | "blob" | "tag";

export interface GitObject {
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

export interface Limits {
  /** For all of it together. */
  readonly deadlineMs: number;
  readonly objectBytes: number;
  readonly totalBytes: number;
}

const HEADER = /^([0-9a-f]+) (commit|tree|blob|tag) (\d{1,15})$/;
/** git says `ID missing`; no header is longer. */
const LONGEST_HEADER = 200;

interface Waiting {
  readonly id: string;
  readonly tell: (answer: Known<GitObject>) => void;
}

export class Objects {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #limits: Limits;
  readonly #lacking: () => string;
  readonly #timer: NodeJS.Timeout;
  #waiting: Waiting[] = [];
  #chunks: Buffer[] = [];
  #buffered = 0;
  /** Of the answer that is being read; null: its header has not come. */
  #wanted: { readonly type: ObjectType; readonly size: number } | null = null;
  #total = 0;
  #said = "";
  #ended: string | null = null;

  /** `lacking`: why something may be missing here, a clause. */
  constructor(folder: string, environment: Environment, limits: Limits, lacking: () => string) {
    this.#limits = limits;
    this.#lacking = lacking;
    this.#child = spawn("git", [...HARDENED, "cat-file", "--batch"], {
      cwd: folder,
      env: gitEnvironment(environment),
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#timer = setTimeout(
      () => this.#end(`git was not done after ${limits.deadlineMs / 1000} seconds`),
      limits.deadlineMs,
    );
    this.#timer.unref();
    this.#child.on("error", (error: NodeJS.ErrnoException) => this.#end(whyNot(error, "")));
    this.#child.on("close", () => this.#end(whyNot(null, this.#said)));
    this.#child.stdin.on("error", () => undefined);
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#said = `${this.#said}${chunk.toString("utf8")}`.slice(-4_096);
    });
    this.#child.stdout.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#buffered += chunk.length;
      this.#read();
    });
  }

  get ended(): boolean {
    return this.#ended !== null;
  }

  get(id: string): Promise<Known<GitObject>> {
    if (!isId(id)) return Promise.resolve(unreadable("this is no whole id of an object"));
    if (this.#ended !== null) return Promise.resolve(unreadable(this.#ended));
    return new Promise((tell) => {
      this.#waiting.push({ id, tell });
      this.#child.stdin.write(`${id}\n`);
    });
  }

  close(): void {
    this.#end("it was closed");
  }

  #end(why: string): void {
    if (this.#ended !== null) return;
    this.#ended = why;
    clearTimeout(this.#timer);
    this.#child.kill("SIGKILL");
    for (const { tell } of this.#waiting.splice(0)) tell(unreadable(why));
  }

  #read(): void {
    for (;;) {
      if (this.#ended !== null || this.#waiting.length === 0) return;
      if (this.#wanted === null && !this.#header()) return;
      if (this.#wanted !== null && !this.#body(this.#wanted)) return;
    }
  }

  #taken(size: number): Buffer {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#chunks = all.length === size ? [] : [all.subarray(size)];
    this.#buffered -= size;
    return all.subarray(0, size);
  }

  /** true: there may be more to read. */
  #header(): boolean {
    const first = this.#chunks.length === 0 ? Buffer.alloc(0) : Buffer.concat(this.#chunks);
    this.#chunks = first.length === 0 ? [] : [first];
    const at = first.subarray(0, LONGEST_HEADER).indexOf(0x0a);
    if (at < 0) {
      if (first.length >= LONGEST_HEADER) this.#end("git answered what is no header of an object");
      return false;
    }
    const line = this.#taken(at + 1).toString("latin1", 0, at);
    const id = (this.#waiting[0] as Waiting).id;
    if (line === `${id} missing`) {
      this.#answer(unreadable(`it holds no whole object ${id.slice(0, 10)}${this.#lacking()}`));
      return true;
    }
    const [, named, type, size] = HEADER.exec(line) ?? [];
    if (named !== id) {
      this.#end("git answered what was not asked for");
      return false;
    }
    const bytes = Number(size);
    this.#total += bytes;
    if (bytes > this.#limits.objectBytes || this.#total > this.#limits.totalBytes) {
      this.#end(
        bytes > this.#limits.objectBytes
          ? `object ${id.slice(0, 10)} has ${bytes} bytes; at most ${this.#limits.objectBytes} are read`
          : `more than ${this.#limits.totalBytes} bytes would have to be read`,
      );
      return false;
    }
    this.#wanted = { type: type as ObjectType, size: bytes };
    return true;
  }

  #body({ type, size }: { readonly type: ObjectType; readonly size: number }): boolean {
    if (this.#buffered < size + 1) return false;
    const bytes = this.#taken(size + 1).subarray(0, size);
    this.#wanted = null;
    const { id } = this.#waiting[0] as Waiting;
    const digest = createHash(id.length === 40 ? "sha1" : "sha256")
      .update(`${type} ${size}\0`)
      .update(bytes)
      .digest("hex");
    this.#answer(
      digest === id
        ? known({ type, bytes: Buffer.from(bytes) })
        : unreadable(`object ${id.slice(0, 10)} is damaged: what it holds has another digest than its id`),
    );
    return true;
  }

  #answer(answer: Known<GitObject>): void {
    (this.#waiting.shift() as Waiting).tell(answer);
  }
}
