/** The testbed's second registry, which serves the same images to whoever logs in. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NETWORK } from "../../testbed/place.ts";
import { testbed } from "./testbed.ts";

/** Who logs in to the private registry: it wrote both to its log when it was started. */
export const privateRegistryLogin = async (): Promise<{
  readonly user: string;
  readonly password: string;
}> => {
  await testbed("start", "private-registry");
  const { logs } = JSON.parse((await testbed("status", "-o", "json")).stdout) as { readonly logs: string };
  const said = readFileSync(join(logs, "private-registry.log"), "utf8");
  const word = (name: string): string =>
    new RegExp(`provisioning with default user.* ${name}=(\\S+)`).exec(said)?.[1] ?? "";
  const login = { user: word("user"), password: word("password") };
  if (login.user === "" || login.password === "") throw new Error("the private registry told no login");
  return login;
};
export const privateImage = (tag: string): string => `${NETWORK.privateRegistry}/app${tag}`;
export const pullSecret = async (name: string): Promise<object> => {
  const { user, password } = await privateRegistryLogin();
  const auth = Buffer.from(`${user}:${password}`).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name },
    type: "kubernetes.io/dockerconfigjson",
    stringData: { ".dockerconfigjson": JSON.stringify({ auths: { [NETWORK.privateRegistry]: { auth } } }) },
  };
};
