// What runs inside the demo's machine: writes its config, reads it, probes it. Speaks asfound's exec protocol: one JSON
// object on stdin, one result line on stdout. A guest can only be reached while its machine exists, so once that is
// gone nobody can look inside any more: the command fails, and says nothing of absence.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit, stderr, stdin, stdout } from "node:process";

const work = argv[2];
let text = "";
for await (const chunk of stdin) text += chunk;
const { action, step, inputs } = JSON.parse(text);
appendFileSync(join(work, "guest.log"), `${action} ${step}\n`);

const reply = await fetch(inputs.machine);
if (!reply.ok) {
  stderr.write(`no route to the guest: its machine answers ${reply.status}\n`);
  exit(1);
}
const { id } = await reply.json();
const disk = join(work, "disks", id);
const file = join(disk, "app.conf");
const held = existsSync(file) ? readFileSync(file, "utf8") : null;

const print = (result) => stdout.write(`${JSON.stringify(result)}\n`);
if (action === "observe") {
  if (held === null) print({ present: false });
  else print({ present: true, asDeclared: held === inputs.version, outputs: { version: held } });
} else if (step === "health") {
  print(
    held === inputs.version
      ? { outcome: "done" }
      : { outcome: "refused", reason: "the probe found no config" },
  );
} else if (action === "destroy") {
  rmSync(file, { force: true });
  print({ outcome: "done" });
} else {
  mkdirSync(disk, { recursive: true });
  writeFileSync(file, inputs.version);
  print({ outcome: "done", outputs: { version: inputs.version } });
}
