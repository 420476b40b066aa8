/** kubectl on the cluster that KUBECONFIG names. */
import { execFile } from "node:child_process";

/** Resolves to what it printed; a failure rejects with what it said. */
export const kubectl = (words: readonly string[], stdin = ""): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = execFile("kubectl", words, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`kubectl ${words.join(" ")}: ${stderr.trim() || error.message}`));
    });
    child.stdin?.end(stdin);
  });

/** What tests read of any object. */
export interface KubeObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation?: number;
  };
  // biome-ignore lint/suspicious/noExplicitAny: an object as the API has it; each test names the fields that it reads.
  readonly spec: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly status: any;
}

/** A namespace that belongs to one test file. */
export interface Namespace extends AsyncDisposable {
  readonly name: string;
  apply(...objects: readonly object[]): Promise<void>;
  get(resource: string, name: string): Promise<KubeObject>;
  list(resource: string, selector?: string): Promise<readonly KubeObject[]>;
  run(...words: readonly string[]): Promise<string>;
}

export const ownNamespace = async (): Promise<Namespace> => {
  const name = `asfound-e2e-${crypto.randomUUID().slice(0, 8)}`;
  await kubectl(["create", "namespace", name]);
  const run = (...words: readonly string[]): Promise<string> => kubectl(["-n", name, ...words]);
  const read = async <T>(...words: readonly string[]): Promise<T> =>
    JSON.parse(await run("get", ...words, "-o", "json")) as T;
  return {
    name,
    run,
    apply: async (...objects) => {
      const list = { apiVersion: "v1", kind: "List", items: objects };
      await kubectl(["-n", name, "apply", "-f", "-"], JSON.stringify(list));
    },
    get: (resource, object) => read<KubeObject>(resource, object),
    list: async (resource, selector) =>
      (
        await read<{ readonly items: readonly KubeObject[] }>(
          resource,
          ...(selector === undefined ? [] : ["-l", selector]),
        )
      ).items,
    [Symbol.asyncDispose]: async () => {
      await kubectl(["delete", "namespace", name, "--wait=false"]);
    },
  };
};
