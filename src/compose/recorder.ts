/** Where the recorder meets the cluster and the disk. */
import { resolve } from "node:path";
import { openHeldWriter } from "../adapters/system/held/writer.ts";
import { systemHost } from "../adapters/system/host.ts";
import type { ConfigKind } from "../domain/config.ts";
import { EXIT } from "../domain/exit.ts";
import type { HeldRecord } from "../domain/held-record.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { CollectionRef } from "../ports/cluster.ts";
import { HeldFault } from "../ports/held-records.ts";
import type { Recording } from "../runtime/held-sight.ts";
import { recordHeld } from "../runtime/record-held.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { actorOf } from "./actor.ts";
import { exitOfSignal, type Live, openedUntil } from "./verify-cluster.ts";

export interface RecorderOptions {
  /** As the person wrote it. */
  readonly folder: string;
  readonly everywhere: boolean;
  readonly selector: string | null;
  readonly kinds: readonly ConfigKind[];
  /** null: until a signal. */
  readonly forMs: number | null;
  readonly keepMs: number;
  readonly maxBytes: number;
  readonly told: (record: HeldRecord) => void;
}

export const recordLive = (live: Live, options: RecorderOptions): Promise<Recording | Refused> =>
  openedUntil(live, async (opened, signals) => {
    const { cluster, clock, stop } = opened;
    const { folder, selector, kinds } = options;
    const namespace = options.everywhere ? null : cluster.facts.namespace;
    const environment = live.environment;
    const made = await openHeldWriter({
      folder: resolve(live.cwd, folder),
      host: systemHost({ clock, environment }),
      clock,
      actor: actorOf(null, environment),
      keepMs: options.keepMs,
      maxBytes: options.maxBytes,
      stop,
      note: (text) => live.reporter.report({ kind: "note", text: `${folder}: ${text}` }),
    });
    if (made.kind === "held") return refused(EXIT.refused, `${folder}: ${made.why}; nothing was asked`);
    if (made.kind === "fault") return refused(EXIT.usage, `${folder}: ${made.why}`);
    const collections = new Map(
      kinds.map((kind): [ConfigKind, CollectionRef] => {
        const { plural, version } = RESOURCES[kind];
        const resource = { group: "", version: version ?? "v1", resource: plural, kind, namespaced: true };
        return [kind, { resource, namespace, labelSelector: selector, fieldSelector: null }];
      }),
    );
    const scope = { server: cluster.facts.server, namespace, selector, kinds };
    const recording = {
      ...opened,
      ...options,
      collections,
      scope,
      writer: made.writer,
      reporter: live.reporter,
    };
    try {
      const recorded = await recordHeld(recording);
      if ("kind" in recorded) return refused(EXIT.refused, recorded.why);
      const exit = exitOfSignal(signals);
      return exit === null ? recorded : { ...recorded, exit };
    } catch (error) {
      if (!(error instanceof HeldFault)) throw error;
      return refused(EXIT.notDurable, `${folder}: ${error.message}; what was recorded before stands`);
    }
  });
