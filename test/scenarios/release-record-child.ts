/** Records a release and dies by SIGKILL once this much was done on the disk: FOLDER COUNT. */
import { openReleases } from "../../src/adapters/system/releases.ts";
import { configMap, storedRelease } from "../support/made-release.ts";

const [folder = "", count = ""] = process.argv.slice(2);
let left = Number(count);
const releases = openReleases(folder, "releases", () => {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
});
const config = [configMap("settings", { a: "1", b: "2" }), configMap("other", { c: "3" })];
const done = await releases.record(storedRelease({ name: "v1", config }));
process.stdout.write(done.kind);
