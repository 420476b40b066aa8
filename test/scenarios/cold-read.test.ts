/** What a cold read of the code found, each as a story with the right end. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cloudStep, makePlace, type Place, stackText } from "./place.ts";

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});
afterEach(() => place.end());

const exec = (create: string, observe?: string): string =>
  [
    "    uses: exec",
    "    settle: 1s",
    "    with:",
    `      create: [sh, -c, ${JSON.stringify(create)}]`,
    ...(observe === undefined ? [] : [`      observe: [sh, -c, ${JSON.stringify(observe)}]`]),
  ].join("\n");

describe("D2: what left the file together", () => {
  const both = (guest: readonly string[]) => [
    cloudStep("machine"),
    cloudStep("guest", ["partOf: machine", ...guest]),
  ];

  it("a contained child that waits for an approval stops its parent there too, exit 23", async () => {
    await place.writeStack(stackText(both(["approve: { before: destroy, by: [tester] }"])));
    expect((await place.apply()).exit).toBe(0);
    await place.writeStack(stackText([cloudStep("other")]));
    expect((await place.apply({ allowDestroy: true })).exit).toBe(23);
    expect(await place.calls("destroy", "machine")).toHaveLength(0);
    expect(await place.objects()).toContain("machine-1");
  });

  it("control: one that waits for nothing goes with it", async () => {
    await place.writeStack(stackText(both([])));
    await place.apply();
    await place.writeStack(stackText([cloudStep("other")]));
    expect((await place.apply({ allowDestroy: true })).exit).toBe(0);
    expect(await place.calls("destroy", "machine")).toHaveLength(1);
  });

  it("D6: a retained child keeps its parent although that was renamed", async () => {
    const retain = ["retain: { owner: a, reason: hold, reviewBy: 2027-06-30 }"];
    await place.writeStack(stackText(both(retain)));
    await place.apply();
    await place.writeStack(stackText([cloudStep("host", ["renamedFrom: machine"])]));
    expect((await place.apply()).exit).toBe(0);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.effects("destroy machine")).toBe(0);
    expect(await place.objects()).toContain("machine-1");
  });
});

describe("E5: an output out of which a secret was scrubbed", () => {
  const steps = (observe: string) =>
    stackText([
      `  db:\n${exec(
        `cat > in; echo '{"outcome":"done","id":"db","outputs":{"url":"pg://u:s3cr3t-word@h"}}'`,
        observe,
      )}\n      environment: { WORD: "\${secret.env.WORD}" }`,
      `  app:\n${exec(`cat > got; echo '{"outcome":"done","id":"app"}'`, `echo '{"present":true,"id":"app","asDeclared":true}'`)}\n      inputs: { url: "\${steps.db.outputs.url}" }`,
    ]);
  const environment = { ...process.env, CI: "", WORD: "s3cr3t-word" };
  const got = async () => (await import("node:fs/promises")).readFile(`${place.folder}/got`, "utf8");

  it("reaches a dependant whole, never with the mark in the secret's place", async () => {
    await place.writeStack(steps(`echo '{"present":true,"id":"db","asDeclared":true}'`));
    expect((await place.do({ verb: "apply" }, { where: { environment } })).exit).toBe(0);
    expect(await got()).toContain("pg://u:s3cr3t-word@h");
    expect(JSON.stringify((await place.step("db")).outputs)).not.toContain("s3cr3t-word");
  });
});
