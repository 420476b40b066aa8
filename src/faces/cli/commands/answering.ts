/** The reply that is asked for, as flags say it. */
import { expectedReply, type ResponseExpectation, USUAL_SAMPLES } from "../../../domain/response.ts";
import type { Answering } from "../flags.ts";
import { VERDICT } from "../texts/verdict.ts";

export const responseOf = (flags: Answering): ResponseExpectation | null => {
  if (flags.via === undefined) return null;
  return {
    via: flags.via,
    path: flags.path ?? "/",
    host: flags.host ?? null,
    port: flags.port ?? null,
    expect: expectedReply(flags.expect ?? []),
    pod: flags.pod ?? null,
    samples: flags.samples ?? USUAL_SAMPLES,
  };
};

/** A flag that means nothing without a path, as a sentence; undefined: there is none. */
export const needsVia = (flags: Answering): string | undefined => {
  if (flags.via !== undefined) return undefined;
  const names = ["path", "host", "port", "expect", "pod", "samples"] as const;
  const given = names.find((name) => flags[name] !== undefined);
  return given === undefined ? undefined : VERDICT.needsVia(`--${given}`);
};
