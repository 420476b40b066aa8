/** The kit as a command, over cloud.sh as a provider in another language. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ownTempFolder } from "../../support/own-folder.ts";
import { folderFor } from "../fuzz/folder.ts";

ownTempFolder("kit-command");

const MAIN = fileURLToPath(new URL("../../../src/testing/provider/main.ts", import.meta.url));
const CLOUD_SH = fileURLToPath(new URL("../../fixtures/cloud/cloud.sh", import.meta.url));

const fault = (what: string): string[] => [
  "sh",
  "-c",
  `mkdir -p PLACE/faults && printf '%s' '${what}' > PLACE/faults/ACTION-thing`,
];

const SUBJECT = {
  command: [
    "sh",
    "-c",
    `mkdir -p "$CLOUD_FOLDER" && touch "$CLOUD_FOLDER/keyed" && exec ${CLOUD_SH} "$CLOUD_FOLDER"`,
  ],
  with: { environment: { CLOUD_FOLDER: "PLACE" }, inputs: { size: 1 } },
  changed: { environment: { CLOUD_FOLDER: "PLACE" }, inputs: { size: 2 } },
  count: ["sh", "-c", "ls PLACE/objects 2>/dev/null | wc -l"],
  switches: {
    loseReply: fault("lose"),
    failAfter: fault("fail-after"),
    refuse: fault("refuse"),
    late: ["sh", "-c", "mkdir -p PLACE/faults && echo late 0.MS > PLACE/faults/ACTION-thing"],
    hang: fault("hang"),
    reads: [
      "sh",
      "-c",
      "mkdir -p PLACE/faults; case HOW in off) rm -f PLACE/faults/observe-thing ;; denied) echo always denied > PLACE/faults/observe-thing ;; *) echo always deny > PLACE/faults/observe-thing ;; esac",
    ],
    twin: ["sh", "-c", "cd PLACE/objects && first=$(ls | head -n 1) && cp $first $first-twin"],
  },
};

const checked = (subject: object): { readonly status: number | null; readonly said: string } => {
  const file = join(folderFor("kit"), "subject.json");
  writeFileSync(file, JSON.stringify(subject));
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, file], { encoding: "utf8" });
  return { status, said: stdout + stderr };
};

describe("the kit as a command", () => {
  it("reports the class that the command keeps, and exits 0", () => {
    const { status, said } = checked(SUBJECT);
    expect(said).toMatch(/exec: it may declare retry: keyed; it declares none\n$/);
    expect(status, said).toBe(0);
  });

  it("exits 10 where a class is declared that is not kept", () => {
    const { status, said } = checked({ ...SUBJECT, retry: "idempotent" });
    expect(said).toMatch(/^idempotent broken: /m);
    expect(status, said).toBe(10);
  });

  it("exits 10 without the switches, since nothing is shown then", () => {
    const { switches: _, ...bare } = SUBJECT;
    const { status, said } = checked(bare);
    expect(said).toMatch(/no class was shown; it declares none\n$/);
    expect(status, said).toBe(10);
  });

  it.for([
    ["no command", { ...SUBJECT, command: [] }, /'command' must be an argument array/],
    [
      "a switch that there is none of",
      { ...SUBJECT, switches: { loose: ["true"] } },
      /there is no switch 'loose'/,
    ],
    ["a class that there is none of", { ...SUBJECT, retry: "twice" }, /'retry' must be one of once, named/],
  ] as const)("exits 2 for %s, and says what is wrong", ([, subject, says]) => {
    const { status, said } = checked(subject);
    expect(said).toMatch(says);
    expect(status).toBe(2);
  });
});
