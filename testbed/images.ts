/**
 * Images, made from the programs that were built here; nothing is ever pulled from outside. An image is a configuration
 * and two layers: the program, which all versions share, and `/etc/app-version`, which no two do. The same content gives
 * the same digests.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { type TarEntry, tar } from "./tar.ts";

export interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly bytes: Buffer<ArrayBuffer>;
}

export interface Image {
  readonly manifest: Blob;
  /** Configuration and layers. */
  readonly blobs: readonly Blob[];
}

/** The versions of `app` that a fresh testbed's registry holds. */
export const APP_VERSIONS = ["1.0.0", "1.1.0", "2.0.0"] as const;

export const appImages = <Version extends string>(
  program: string,
  versions: readonly Version[],
): readonly { readonly version: Version; readonly image: Image }[] => {
  const common = layer([
    ...["bin", "etc", "tmp"].map(directory),
    ...USERS,
    file("bin/app", 0o755, readFileSync(program)),
  ]);
  return versions.map((version) => ({
    version,
    image: image([common, layer([file("etc/app-version", 0o644, `${version}\n`)])], {
      Entrypoint: ["/bin/app"],
      Env: ["PATH=/bin"],
      User: "65534:65534",
      ExposedPorts: { "8080/tcp": {} },
      WorkingDir: "/",
    }),
  }));
};

/** What holds a Pod's namespaces. */
export const pauseImage = (program: string): Image =>
  image([layer([...USERS, file("bin/pause", 0o755, readFileSync(program))])], {
    Entrypoint: ["/bin/pause"],
    User: "65534:65534",
    WorkingDir: "/",
  });

export const file = (path: string, mode: number, content: string | Buffer): TarEntry => ({
  path,
  mode,
  content: Buffer.from(content),
});
export const directory = (path: string): TarEntry => ({
  path,
  mode: path === "tmp" ? 0o1777 : 0o755,
  content: null,
});
export const USERS: readonly TarEntry[] = [
  file("etc/passwd", 0o644, "root:x:0:0::/:/bin/app\nnobody:x:65534:65534::/:/bin/app\n"),
  file("etc/group", 0o644, "root:x:0:\nnogroup:x:65534:\n"),
];

/** Media types of the OCI image specification. */
const CONFIG = "application/vnd.oci.image.config.v1+json";
const LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

interface Layer {
  /** Of the archive before it was packed. */
  readonly diffId: string;
  readonly packed: Blob;
}

export const layer = (entries: readonly TarEntry[]): Layer => {
  const archive = tar(entries);
  return { diffId: digestOf(archive), packed: blob(LAYER, gzipSync(archive, { level: 1 })) };
};

export const image = (layers: readonly Layer[], config: object): Image => {
  const configuration = blob(CONFIG, {
    architecture: ARCHITECTURES[process.arch] ?? process.arch,
    os: "linux",
    config,
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
  });
  const descriptor = ({ mediaType, digest, bytes }: Blob) => ({ mediaType, digest, size: bytes.length });
  return {
    manifest: blob(MANIFEST, {
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: descriptor(configuration),
      layers: layers.map(({ packed }) => descriptor(packed)),
    }),
    blobs: [configuration, ...layers.map(({ packed }) => packed)],
  };
};

const blob = (mediaType: string, content: Buffer<ArrayBuffer> | object): Blob => {
  const bytes = content instanceof Buffer ? content : Buffer.from(JSON.stringify(content));
  return { mediaType, digest: digestOf(bytes), bytes };
};

const digestOf = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
