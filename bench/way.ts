/** The way to a server in a kubeconfig of the fake API server or the testbed, for a client that reads none. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

export interface Way {
  readonly server: string;
  /** PEM texts; what is not there is not used. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

type Fields = Readonly<Record<string, string | undefined>>;

export const wayIn = (kubeconfig: string): Way => {
  const config = parse(readFileSync(kubeconfig, "utf8")) as {
    readonly clusters: readonly { readonly cluster: Fields }[];
    readonly users: readonly { readonly user: Fields }[];
  };
  const cluster = config.clusters[0]?.cluster ?? {};
  const user = config.users[0]?.user ?? {};
  const { server } = cluster;
  if (server === undefined) throw new Error(`${kubeconfig} names no server`);
  return {
    server,
    ...pem("ca", cluster, "certificate-authority"),
    ...pem("cert", user, "client-certificate"),
    ...pem("key", user, "client-key"),
    ...(user["token"] === undefined ? {} : { token: user["token"] }),
  };
};

const pem = (name: "ca" | "cert" | "key", of: Fields, field: string): Partial<Way> => {
  const [data, file] = [of[`${field}-data`], of[field]];
  if (data !== undefined) return { [name]: Buffer.from(data, "base64").toString("utf8") };
  return file === undefined ? {} : { [name]: readFileSync(file, "utf8") };
};
