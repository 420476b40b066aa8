/** The rules of the recorder, one by one; `test/property/held.test.ts` has them over drawn histories. */
import { describe, expect, it } from "vitest";
import { began, gone, read, second, version } from "../../test/support/held.ts";
import type { HeldRecord } from "./held-record.ts";
import { HeldTimeline, HeldVersions } from "./held-timeline.ts";

const heldBy = (...files: readonly (readonly HeldRecord[])[]): readonly string[] => {
  const versions = new HeldVersions();
  for (const records of files) {
    const file = versions.file();
    for (const record of records) file.take(record);
    file.end();
  }
  return versions
    .all()
    .map(
      ({ name, resourceVersion, from, to }) =>
        `${name} ${resourceVersion} ${from.slice(14, 19)}-${to.slice(14, 19)}`,
    );
};

describe("what was held", () => {
  it("1: two readings of the same resourceVersion show one content throughout, whatever was recorded in between", () => {
    expect(
      heldBy([
        began(0),
        version(7, 1),
        read(3),
        { kind: "blind", of: "ConfigMap", from: null, to: second(9), why: "" },
        read(60),
      ]),
    ).toEqual(["settings 7 00:01-01:00"]);
    expect(heldBy([began(0), version(7, 1), gone(), version(7, 60)])).toEqual(["settings 7 00:01-00:59"]);
    expect(heldBy([began(0), version(7, 1)], [began(60), version(7, 60)])).toEqual([
      "settings 7 00:01-00:59",
    ]);
  });

  it("2: two that differ show nothing of the time between them", () => {
    expect(heldBy([began(0), version(7, 1), read(5), version(8, 20), read(30)])).toEqual([
      "settings 7 00:01-00:05",
      "settings 8 00:20-00:30",
    ]);
    const again = version(9, 20, { uid: "uid-2" });
    expect(heldBy([began(0), version(9, 1), read(5), gone(), again, read(30)])).toEqual([
      "settings 9 00:01-00:05",
      "settings 9 00:20-00:30",
    ]);
  });

  it("3: one reading is a moment, and a reading of another kind is none of it", () => {
    expect(heldBy([began(0), version(7, 1)])).toEqual([]);
    expect(heldBy([began(0), version(7, 1, { of: "Secret", sha256: null, keys: null }), read(9)])).toEqual(
      [],
    );
  });

  it("4: nothing counts from before a new era, whether it is told or found", () => {
    const rewound: HeldRecord = { kind: "rewound", why: "a backup was restored" };
    expect(heldBy([began(0), version(7, 1), read(5), rewound, version(7, 20), read(30)])).toEqual([
      "settings 7 00:20-00:30",
    ]);
    expect(heldBy([began(0), version(7, 1), read(5)], [began(9, 1), version(7, 20), read(30)])).toEqual([
      "settings 7 00:20-00:30",
    ]);
    // Control: in one era they are joined.
    expect(heldBy([began(0), version(7, 1), read(5)], [began(9), version(7, 20), read(30)])).toEqual([
      "settings 7 00:01-00:30",
    ]);
  });

  it("5: a file stands for itself: what an earlier one left open is not held by a later one's readings", () => {
    expect(heldBy([began(0), version(7, 1), read(5)], [began(9), read(30)])).toEqual([
      "settings 7 00:01-00:05",
    ]);
  });

  it("a reading that is earlier than the last takes nothing back", () => {
    expect(heldBy([began(0), version(7, 1), read(30), read(20)])).toEqual(["settings 7 00:01-00:30"]);
  });
});

it("what is open is written out as it is known so far", () => {
  const timeline = new HeldTimeline();
  for (const record of [began(0, 3), version(7, 1), read(5), version(8, 6, { name: "other" })])
    timeline.take(record);
  expect(timeline.open()).toEqual([
    version(7, 1, { to: version(7, 6).to }),
    version(8, 6, { name: "other" }),
  ]);
  expect([timeline.count, timeline.era, timeline.last("Secret")]).toEqual([2, 3, undefined]);
});
