/** Puts images into the testbed's registry, by the OCI distribution specification. Runs in the testbed's network. */
import { TestbedFault } from "./fault.ts";
import type { Blob, Image } from "./images.ts";
import { NETWORK } from "./place.ts";

const REGISTRY = `http://${NETWORK.node}:${NETWORK.registryPort}`;

/** Sets `repository:tag` to this image, wherever the tag pointed before. Resolves to the manifest's digest. */
export const push = async (repository: string, tag: string, { manifest, blobs }: Image): Promise<string> => {
  for (const blob of blobs) await upload(repository, blob);
  await ask("PUT", `${REGISTRY}/v2/${repository}/manifests/${tag}`, [201], {
    body: manifest.bytes,
    headers: { "content-type": manifest.mediaType },
  });
  return manifest.digest;
};

const upload = async (repository: string, { digest, bytes }: Blob): Promise<void> => {
  const blobs = `${REGISTRY}/v2/${repository}/blobs`;
  if ((await ask("HEAD", `${blobs}/${digest}`, [200, 404])).status === 200) return;
  const started = await ask("POST", `${blobs}/uploads/`, [202]);
  const place = new URL(started.headers.get("location") ?? "", REGISTRY);
  place.searchParams.set("digest", digest);
  await ask("PUT", place.href, [201], {
    body: bytes,
    headers: { "content-type": "application/octet-stream" },
  });
};

const ask = async (
  method: string,
  url: string,
  expected: readonly number[],
  request: Request = {},
): Promise<Response> => {
  const { reply, text } = await answerTo(method, url, request);
  if (!expected.includes(reply.status))
    throw new TestbedFault(
      "failed",
      `the registry answered ${method} ${url} with ${reply.status}: ${text.slice(0, 500)}`,
    );
  return reply;
};

interface Request {
  readonly body?: Buffer<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

const answerTo = async (
  method: string,
  url: string,
  request: Request,
): Promise<{ readonly reply: Response; readonly text: string }> => {
  try {
    const reply = await fetch(url, { method, ...request });
    return { reply, text: await reply.text() };
  } catch (cause) {
    throw new TestbedFault(
      "failed",
      `the registry does not answer ${method} ${url}: ${(cause as { cause?: Error }).cause?.message ?? cause}`,
      { cause },
    );
  }
};
