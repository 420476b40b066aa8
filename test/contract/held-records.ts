/** The contract of every place where a recorder's records are kept (`src/ports/held-records.ts`). */
import { describe, expect, it } from "vitest";
import type { HeldRecord } from "../../src/domain/held-record.ts";
import { HeldVersions } from "../../src/domain/held-timeline.ts";
import type { HeldReader, HeldWriter } from "../../src/ports/held-records.ts";
import { began, gone, read, second, version } from "../support/held.ts";

export interface HeldRecords {
  /** `maxBytes`, `keepMs`: as `--max-size` and `--keep`. */
  writer(limits?: { readonly maxBytes?: number; readonly keepMs?: number }): Promise<HeldWriter>;
  reader(): Promise<HeldReader>;
}

/** All records, the files apart. */
export const filesOf = async (
  reader: HeldReader,
): Promise<{ readonly files: readonly (readonly HeldRecord[])[]; readonly limits: readonly string[] }> => {
  const files: HeldRecord[][] = [];
  const limits = await reader.read(() => {
    const records: HeldRecord[] = [];
    files.push(records);
    return { take: (record) => void records.push(record), end: () => undefined };
  });
  return { files, limits };
};

export const heldRecordsContract = (name: string, make: () => HeldRecords): void => {
  describe(`the contract of held records, kept by ${name}`, () => {
    it("what was appended is read again as it was, in its order", async () => {
      const place = make();
      const records: readonly HeldRecord[] = [
        version(7, 1, {
          keys: new Map([
            ["__proto__", "2".repeat(64)],
            ["\u0000\u2028", "3".repeat(64)],
          ]),
        }),
        version(8, 2, { name: "s", of: "Secret", sha256: null, keys: null, namespace: "\ud800" }),
        read(3),
        read(4, null),
        { kind: "blind", of: "Secret", from: null, to: second(5), why: 'it said "no"\n' },
        { kind: "rewound", why: "set back" },
        gone(),
      ];
      const writer = await place.writer();
      await writer.append(records, second(5), () => [began(0)]);
      await writer.end("told to stop");
      const { files, limits } = await filesOf(await place.reader());
      expect(limits).toEqual([]);
      expect(files.flat()).toEqual([began(0), ...records, { kind: "ended", why: "told to stop" }]);
    });

    it("the next writer is told what the last one left, and begins with what it is given", async () => {
      const place = make();
      const first = await place.writer();
      await first.append([read(2)], second(2), () => [began(0), version(7, 1)]);
      await first.end("told to stop");
      // One that saw nothing leaves nothing.
      await (await place.writer()).end("told to stop");
      const next = await place.writer();
      const left: HeldRecord[] = [];
      expect(await next.left((record) => void left.push(record))).toBe(true);
      expect(left).toEqual([began(0), version(7, 1), read(2), { kind: "ended", why: "told to stop" }]);
      await next.append([read(9)], second(9), () => [began(9), version(7, 1)]);
      const { files } = await filesOf(await place.reader());
      expect(files.at(-1)).toEqual([began(9), version(7, 1), read(9)]);
      await next.end("told to stop");
    });

    it("nobody else writes while one does", async () => {
      const place = make();
      const first = await place.writer();
      await expect(place.writer()).rejects.toThrow(/records into it/);
      await first.end("told to stop");
      await (await place.writer()).end("told to stop");
    });

    it("it keeps within its size: the oldest goes, what is held stays, and what went is said for ever", async () => {
      const place = make();
      const writer = await place.writer({ maxBytes: 64 * 1024 });
      // Written once, and held ever since.
      const whole = () => [began(at), version(7, 1)];
      let at = 2;
      for (; at < 3_000; at += 10) {
        const some = Array.from({ length: 10 }, (_, more) => read(at + more));
        await writer.append(some, second(at), whole);
      }
      const { files, limits } = await filesOf(await place.reader());
      expect(files.length).toBeGreaterThan(3);
      const bytes = files.flat().length * 100;
      expect(bytes).toBeLessThan(64 * 1024 * 1.5);
      expect(limits.join("\n")).toMatch(/ files of 2026-11-30T03:00:0.* to .* were removed \(--max-size\)/);
      const versions = new HeldVersions();
      await (await place.reader()).read(() => versions.file());
      expect(versions.all()).toMatchObject([
        { from: "2026-11-30T03:00:01.000Z", to: "2026-11-30T03:50:01.000Z" },
      ]);
      await writer.end("told to stop");
      const next = await place.writer({ maxBytes: 64 * 1024 });
      await next.left(() => undefined);
      await next.append([read(at)], second(at), whole);
      expect((await filesOf(await place.reader())).limits.join("\n")).toContain("03:00:0");
      await next.end("told to stop");
    });

    it("it keeps nothing for longer than told, by the server's clock", async () => {
      const place = make();
      const writer = await place.writer({ keepMs: 60_000 });
      for (let at = 2; at < 400; at += 10)
        await writer.append([read(at)], second(at), () => [began(at), version(7, at)]);
      const { files, limits } = await filesOf(await place.reader());
      const first = files[0]?.[0];
      expect(first?.kind === "began" && first.at >= second(392 - 60 - 60)).toBe(true);
      expect(limits.join("\n")).toContain("(--keep)");
      await writer.end("told to stop");
    });

    it("more than it may keep at once is refused, and nothing is begun that cannot go on", async () => {
      const place = make();
      const writer = await place.writer({ maxBytes: 64 * 1024 });
      const much = Array.from({ length: 200 }, (_, at) => version(at, 1, { name: `settings-${at}` }));
      await expect(writer.append([], second(1), () => [began(0), ...much])).rejects.toThrow(
        /an eighth of --max-size/,
      );
      await expect(writer.append([read(2)], second(2), () => [began(0)])).rejects.toThrow(
        /could not be kept/,
      );
      await writer.end("told to stop");
    });
  });
};
