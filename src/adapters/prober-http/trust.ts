/** Whom a server of https may be: never unchecked, whatever the environment says. */
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import type { Probe } from "../../ports/prober.ts";

export interface Trust {
  /** PEM, instead of the authorities that Node trusts; null: those. */
  readonly ca: string | null;
}

const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Certificates as a file holds them. The fault is a clause. */
export const trustIn = (pem: string): Trust | { readonly fault: string } => {
  const blocks = pem.match(BLOCK) ?? [];
  if (blocks.length === 0) return { fault: "holds no certificate (PEM: -----BEGIN CERTIFICATE-----)" };
  for (const [at, block] of blocks.entries()) {
    try {
      new X509Certificate(block);
    } catch {
      return { fault: `holds a certificate that cannot be read (number ${at + 1} of ${blocks.length})` };
    }
  }
  return { ca: blocks.join("\n") };
};

/** The name that is asked for, without a port: the Host header, else the URL's. */
const nameOf = ({ url, host }: Probe): string =>
  (host ?? new URL(url).host).replace(/:\d+$/, "").replace(/^\[|\]$/g, "");

/** The certificate is checked against that name, not against the address that happens to be connected to. */
export const tlsOptions = (probe: Probe, { ca }: Trust): ConnectionOptions => {
  const name = nameOf(probe);
  return {
    // Written out, so that no environment variable can turn it off.
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ...(isIP(name) === 0 ? { servername: name } : {}),
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
    ...(ca === null ? {} : { ca }),
  };
};
