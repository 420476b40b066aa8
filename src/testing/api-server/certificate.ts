/**
 * Certificates (RFC 5280) for a server on loopback and for its clients, made here so that a test needs no openssl. For
 * tests only: the keys are as good as any, but nothing is kept, revoked or renewed.
 */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { bits, explicit, implicit, integer, octets, oid, sequence, set, text, time, yes } from "./der.ts";

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  /** `names` and `addresses`: what the certificate is for; empty for a client's. */
  issue(subject: Subject): Certificate;
}

export interface Subject {
  /** Kubernetes reads it as the user's name. */
  readonly commonName: string;
  /** Kubernetes reads them as groups. */
  readonly organizations?: readonly string[];
  readonly names?: readonly string[];
  /** IPv4. */
  readonly addresses?: readonly string[];
  /** Milliseconds since 1970. Default: a day around `nowMs`. */
  readonly notBefore?: number;
  readonly notAfter?: number;
}

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));

const nameOf = ({ commonName, organizations = [] }: Subject): Buffer =>
  sequence(
    ...organizations.map((organization) => set(sequence(oid("2.5.4.10"), text(organization)))),
    set(sequence(oid("2.5.4.3"), text(commonName))),
  );

const extension = (id: string, content: Buffer, critical = false): Buffer =>
  sequence(oid(id), ...(critical ? [yes] : []), octets(content));

const extensionsOf = (subject: Subject, isAuthority: boolean): Buffer => {
  const { names = [], addresses = [] } = subject;
  const alternatives = [
    ...names.map((name) => implicit(2, Buffer.from(name))),
    ...addresses.map((address) => implicit(7, Buffer.from(address.split(".").map(Number)))),
  ];
  return sequence(
    extension("2.5.29.19", sequence(...(isAuthority ? [yes] : [])), true),
    ...(alternatives.length === 0 ? [] : [extension("2.5.29.17", sequence(...alternatives))]),
  );
};

/** Lines of 64 letters; an empty line would end it for OpenSSL. */
const pem = (der: Buffer): string => {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
};

interface Signer {
  readonly subject: Subject;
  readonly key: KeyObject;
}

const made = (
  serial: number,
  subject: Subject,
  issuer: Signer | null,
  nowMs: number,
): Certificate & { readonly signer: Signer } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signer = issuer ?? { subject, key: privateKey };
  const body = sequence(
    explicit(0, integer(2)),
    integer(serial),
    ECDSA_WITH_SHA256,
    nameOf(signer.subject),
    sequence(time(subject.notBefore ?? nowMs - DAY_MS), time(subject.notAfter ?? nowMs + DAY_MS)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, extensionsOf(subject, issuer === null)),
  );
  const signature = sign("sha256", body, signer.key);
  return {
    cert: pem(sequence(body, ECDSA_WITH_SHA256, bits(signature))),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    signer: { subject, key: privateKey },
  };
};

/** A new authority that signs what it is told. */
export const authority = (nowMs: number, commonName = "asfound test authority"): Authority => {
  const own = made(1, { commonName }, null, nowMs);
  let serial = 1;
  return {
    cert: own.cert,
    key: own.key,
    issue(subject) {
      serial += 1;
      const { cert, key } = made(serial, subject, own.signer, nowMs);
      return { cert, key };
    },
  };
};
