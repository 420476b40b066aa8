/** A runtime over a ledger in memory: the real laws, the real clock, nothing on disk. For tests of providers. */
import { memoryDisk, openMemoryStore } from "../../adapters/store-memory/memory.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { systemHost } from "../../adapters/system/host.ts";
import { systemIds } from "../../adapters/system/ids.ts";
import { inputFiles } from "../../adapters/system/input-files.ts";
import { systemSecrets } from "../../adapters/system/secrets.ts";
import { passingVault } from "../../adapters/system/vault.ts";
import { unreached } from "../../domain/crash-point.ts";
import { ledgerId } from "../../domain/ids.ts";
import type { Provider } from "../../ports/provider.ts";
import type { ProgressEvent } from "../../ports/reporter.ts";
import type { Spool } from "../../ports/spool.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { Scrubber } from "../../wire/redact.ts";

export interface MemoryRuntimeOptions {
  readonly provider: Provider;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onProgress: (event: ProgressEvent) => void;
}

/** The memory store never fails here, so no result ever waits in the spool. */
const emptySpool: Spool = {
  take: async () => ({ keep: async () => undefined, release: () => undefined }),
  pending: async () => [],
  close: async () => undefined,
};

export const memoryRuntime = (options: MemoryRuntimeOptions): Runtime => {
  const ids = systemIds(systemClock);
  return {
    store: openMemoryStore(memoryDisk(ledgerId(`lg_${ids.uuid()}`))),
    clock: systemClock,
    ids,
    host: systemHost({ clock: systemClock, environment: options.environment }),
    spool: emptySpool,
    vault: passingVault(),
    secrets: systemSecrets(options.directory, options.environment),
    files: inputFiles(options.directory),
    runFiles: { write: async () => null, find: () => null },
    provider: async (name) => (name === options.provider.name ? options.provider : undefined),
    verifier: async () => ({ fault: "the kit asks no cluster" }),
    reporter: { report: options.onProgress },
    scrubber: new Scrubber(),
    interrupt: {
      drain: new AbortController().signal,
      kill: new AbortController().signal,
      first: () => null,
    },
    reached: unreached,
    actor: "test",
    baseDirectory: options.directory,
  };
};
