/** The reply that is asked for, as flags say it. */
import {
  besideHealthFault,
  expectedReply,
  type ResponseExpectation,
  USUAL_SAMPLES,
  type Via,
} from "../../../domain/response.ts";
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
    ca: flags.ca ?? null,
    pod: flags.pod ?? null,
    samples: flags.samples ?? USUAL_SAMPLES,
  };
};

const besideHealth = (flags: Answering, via: Via): string | undefined => {
  const all = flags.expect ?? [];
  const calls = all.filter(({ kind }) => kind === "grpc");
  if (calls.length === 0) return undefined;
  if (calls.length > 1) return VERDICT.oneHealth;
  const says = new Set<"status" | "json" | "body" | "path">();
  if (flags.path !== undefined) says.add("path");
  for (const { kind } of all) if (kind !== "grpc" && kind !== "header") says.add(kind);
  const fault = besideHealthFault({ via, says, pod: flags.pod ?? null });
  return fault === null ? undefined : VERDICT.besideHealth(fault);
};

/** A flag that means nothing without a path, or beside the others, as a sentence; undefined: there is none. */
export const unfitAnswering = (flags: Answering): string | undefined => {
  if (flags.via !== undefined) return besideHealth(flags, flags.via);
  const names = ["path", "host", "port", "expect", "ca", "pod", "samples"] as const;
  const given = names.find((name) => flags[name] !== undefined);
  return given === undefined ? undefined : VERDICT.needsVia(`--${given}`);
};
