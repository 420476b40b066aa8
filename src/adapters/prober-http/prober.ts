/** The prober: a reply over HTTP, or the word of a gRPC health service; from an address that was checked and is pinned. */
import { randomUUID } from "node:crypto";
import type { Probe, Prober } from "../../ports/prober.ts";
import { get } from "./get.ts";
import { health } from "./health.ts";
import { resolved } from "./resolve.ts";
import type { Trust } from "./trust.ts";
import { wordFor } from "./words.ts";

type Ask<P, T> = (probe: P, address: string, trust: Trust, signal: AbortSignal) => Promise<T>;
type Failed = { readonly kind: "failed"; readonly why: string };

/** Under its deadline, and never throwing. */
const asking =
  <P extends Probe, T>(trust: Trust, ask: Ask<P, T>) =>
  async (probe: P, stop: AbortSignal): Promise<T | Failed> => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(Math.max(1, Math.ceil(probe.deadlineMs)))]);
    try {
      const found = await resolved(probe);
      return "why" in found
        ? { kind: "failed", why: found.why }
        : await ask(probe, found.address, trust, signal);
    } catch (error) {
      // An address or host that an object names may be anything: no URL, or letters that no header can have.
      return { kind: "failed", why: `it cannot be asked for: ${wordFor(error, trust.ca !== null)}` };
    }
  };

export const httpProber = (trust: Trust): Prober => ({
  fresh: () => randomUUID(),
  get: asking(trust, get),
  health: asking(trust, health),
});
