/** The cluster's certificate authority, and a certificate for each that talks in it. Made anew for every start. */
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NETWORK, NODE_NAME, type Place } from "./place.ts";
import { must } from "./run.ts";

interface Subject {
  readonly commonName: string;
  readonly organization?: string;
  readonly names?: readonly string[];
}

const SUBJECTS = {
  apiserver: {
    commonName: "kube-apiserver",
    names: [
      "DNS:kubernetes",
      "DNS:kubernetes.default",
      "DNS:kubernetes.default.svc",
      "DNS:kubernetes.default.svc.cluster.local",
      "DNS:localhost",
      "IP:127.0.0.1",
      `IP:${NETWORK.apiService}`,
      `IP:${NETWORK.node}`,
    ],
  },
  "apiserver-to-kubelet": { commonName: "kube-apiserver-kubelet-client", organization: "system:masters" },
  "front-proxy": { commonName: "front-proxy-client" },
  admin: { commonName: "testbed-admin", organization: "system:masters" },
  "controller-manager": { commonName: "system:kube-controller-manager" },
  scheduler: { commonName: "system:kube-scheduler" },
  proxy: { commonName: "system:kube-proxy" },
  coredns: { commonName: "testbed-coredns", organization: "system:masters" },
  kubelet: {
    commonName: `system:node:${NODE_NAME}`,
    organization: "system:nodes",
    names: [`DNS:${NODE_NAME}`, `IP:${NETWORK.node}`, "IP:127.0.0.1"],
  },
} satisfies Readonly<Record<string, Subject>>;

export type Holder = keyof typeof SUBJECTS;

export const keyOf = (place: Place, holder: Holder): string => join(place.keys, `${holder}.key`);
export const certificateOf = (place: Place, holder: Holder): string => join(place.keys, `${holder}.crt`);
export const authorityOf = (place: Place): string => join(place.keys, "ca.crt");
/** Signs and checks service accounts' tokens. */
export const accountKeyOf = (place: Place): string => join(place.keys, "accounts.key");
export const accountPublicKeyOf = (place: Place): string => join(place.keys, "accounts.pub");

export const makeKeys = async (place: Place): Promise<void> => {
  mkdirSync(place.keys, { recursive: true, mode: 0o700 });
  const authorityKey = join(place.keys, "ca.key");
  writeKey(authorityKey);
  await openssl([
    ...["-key", authorityKey, "-out", authorityOf(place), "-subj", "/CN=testbed"],
    ...["-addext", "keyUsage=critical,keyCertSign,cRLSign"],
  ]);
  const holders = Object.keys(SUBJECTS) as readonly Holder[];
  await Promise.all(
    holders.map((holder) => {
      const { commonName, organization, names }: Subject = SUBJECTS[holder];
      writeKey(keyOf(place, holder));
      return openssl([
        ...["-CA", authorityOf(place), "-CAkey", authorityKey, "-key", keyOf(place, holder)],
        ...["-out", certificateOf(place, holder)],
        ...["-subj", `${organization === undefined ? "" : `/O=${organization}`}/CN=${commonName}`],
        ...["-addext", "basicConstraints=critical,CA:FALSE"],
        ...["-addext", "keyUsage=critical,digitalSignature"],
        ...["-addext", "extendedKeyUsage=clientAuth,serverAuth"],
        ...(names === undefined ? [] : ["-addext", `subjectAltName=${names.join(",")}`]),
      ]);
    }),
  );
  writeKey(accountKeyOf(place), accountPublicKeyOf(place));
};

/** A kubeconfig of which every kubectl and client library can make use; for processes in the testbed's network. */
export const kubeconfigOf = (place: Place, holder: Holder): string => {
  const data = (path: string): string => readFileSync(path).toString("base64");
  const user = {
    "client-certificate-data": data(certificateOf(place, holder)),
    "client-key-data": data(keyOf(place, holder)),
  };
  const cluster = {
    server: "https://127.0.0.1:6443",
    "certificate-authority-data": data(authorityOf(place)),
  };
  const name = `testbed-${place.name}`;
  return JSON.stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name, cluster }],
      users: [{ name, user }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      "current-context": name,
    },
    null,
    2,
  );
};

/** Certificates by OpenSSL; valid longer than any testbed lives. */
const openssl = (words: readonly string[]): Promise<string> =>
  must("Making a certificate", "openssl", ["req", "-x509", "-sha256", "-days", "3650", ...words]);

/** An ECDSA key, which is quick to make, and its public half where it is asked for. */
const writeKey = (path: string, publicPath?: string): void => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  if (publicPath !== undefined) writeFileSync(publicPath, publicKey.export({ type: "spki", format: "pem" }));
};
