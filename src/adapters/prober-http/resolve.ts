/** Which address is connected to: checked, and from then on the only one. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Probe } from "../../ports/prober.ts";
import { addressFault, type Origin } from "./address.ts";
import { codeOf } from "./words.ts";

export type Resolved = { readonly address: string } | { readonly why: string };

export const resolved = async ({ url, address, namedBy }: Probe): Promise<Resolved> => {
  const checked = (found: string, origin: Origin): Resolved => {
    const fault = addressFault(found, origin);
    return fault === null ? { address: found } : { why: fault };
  };
  const isOfPerson = namedBy === "person";
  if (address !== null) return checked(address, isOfPerson ? "named" : "object");
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return checked(host, isOfPerson ? "named" : "object");
  try {
    const found = await lookup(host, { all: true });
    const origin = isOfPerson && /(^|\.)localhost$/i.test(host) ? "local-name" : "name";
    const all = found.map((one) => checked(one.address, origin));
    // One bad address among good ones is how a name is rebound.
    return all.find((one) => "why" in one) ?? all[0] ?? { why: `the name ${host} has no address` };
  } catch (error) {
    return { why: `the name ${host} cannot be resolved (${codeOf(error)})` };
  }
};
