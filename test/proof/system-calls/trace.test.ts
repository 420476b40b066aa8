import { expect, it } from "vitest";
import { readTrace, succeeded } from "./trace.ts";

it("calls are read in the order in which they were entered, with where they returned", () => {
  const calls = readTrace(
    [
      '10 1764457000.000001 execve("/bin/x", ["x"], ["A=(b) = c"]) = 0',
      "10 1764457000.000002 fsync(22</p/ledger.db-wal> <unfinished ...>",
      '11 1764457000.000003 pwrite64(23</p/a (deleted)>, "\\"=\\"", 3, 0) = 3',
      "10 1764457000.000004 <... fsync resumed>) = -1 EIO (Input/output error) (INJECTED)",
      "11 1764457000.000005 +++ exited with 0 +++",
      '12 1764457000.000006 openat(AT_FDCWD</p>, "/p/ledger.db", O_RDWR <unfinished ...>',
      "12 1764457000.000007 --- SIGKILL {si_signo=SIGKILL} ---",
    ].join("\n"),
  );
  expect(
    calls.map(({ thread, name, path, enteredAt, returnedAt, isStruck }) => [
      ...[thread, name, path, enteredAt, returnedAt, isStruck],
    ]),
  ).toEqual([
    [10, "execve", null, 0, 0, false],
    [10, "fsync", "/p/ledger.db-wal", 1, 3, true],
    [11, "pwrite64", "/p/a (deleted)", 2, 2, false],
    [12, "openat", "/p/ledger.db", 5, Number.POSITIVE_INFINITY, false],
  ]);
  expect(calls.map(succeeded)).toEqual([true, false, true, false]);
});

it("without -f no thread is named", () => {
  expect(readTrace("fsync(3</p/x>) = 0 (DELAYED)\n")).toMatchObject([
    { thread: 0, name: "fsync", path: "/p/x", result: "0 (DELAYED)", isStruck: true },
  ]);
});
