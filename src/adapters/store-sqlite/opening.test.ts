import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LedgerFolder, ledgerFolder } from "../../../test/support/ledger-folder.ts";

let at: LedgerFolder;
beforeEach(() => {
  at = ledgerFolder();
});
afterEach(() => at.dispose());

const script = fileURLToPath(new URL("../../../test/contract/store-child.ts", import.meta.url));
const opener = fileURLToPath(new URL("../../../test/contract/store-sqlite-opener.ts", import.meta.url));

describe("opening while another process writes", () => {
  it("never takes a sound ledger for a damaged one", async () => {
    await at.fill(1);
    const child = spawn(process.execPath, [script, opener, at.path, "shop", "n", "0"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let acknowledged = 0;
    child.stdout.on("data", (bytes: Buffer) => {
      acknowledged += bytes.toString().split("\n").length - 1;
    });
    await once(child.stdout, "data");
    try {
      // It really is written to all the while: as often as that, however busy the machine is.
      for (let i = 0; i < 150 || acknowledged <= 100; i++) {
        const mode = i % 2 === 0 ? "read" : "write";
        const store = await at.open(mode);
        expect(await store.checkIntegrity()).toEqual([]);
        await store.close();
        // All of that is synchronous underneath: what the child says is heard only now.
        await new Promise(setImmediate);
      }
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });
});
