/** An nginx image from Debian's package: the one workload here that was not written for tests. */
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { TestbedFault } from "./fault.ts";
import { directory, file, type Image, image, layer, USERS } from "./images.ts";
import type { Place } from "./place.ts";
import { must } from "./run.ts";

/** The package, unpacked; nothing of it is installed on the machine. */
const folderOf = (place: Place): string => join(place.cache, "nginx");

/** Downloads and unpacks the package, unless that was done before. Whoever calls this holds the cache's lock. */
export const unpackNginx = async (place: Place, say: (line: string) => void): Promise<void> => {
  if (existsSync(folderOf(place))) return;
  say("nginx: downloading Debian's package, for an image");
  const part = `${folderOf(place)}.part`;
  // Of somebody who was killed.
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  try {
    await must("Downloading nginx", "apt-get", ["download", "-q", "nginx"], { cwd: part });
    const [archive = ""] = globSync("*.deb", { cwd: part });
    await must("Unpacking nginx", "dpkg-deb", ["--extract", join(part, archive), join(part, "root")]);
    renameSync(join(part, "root"), folderOf(place));
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
};

/** The program, the machine's libraries that it is linked to, and a configuration that serves one page on port 80. */
export const nginxImage = async (place: Place): Promise<Image> => {
  const program = join(folderOf(place), "usr/sbin/nginx");
  if (!existsSync(program))
    throw new TestbedFault(
      "cannot-run",
      "not run, because nginx was not unpacked; `npm run testbed -- setup` does it",
    );
  const libraries = librariesIn(await must("Finding nginx's libraries", "ldd", [program]));
  const copied = [...libraries.map((path) => [path, path] as const), [program, "/usr/sbin/nginx"] as const];
  return image(
    [
      layer([
        ...["run", "tmp", "var/lib/nginx", "var/log/nginx"].map(directory),
        ...USERS,
        ...copied.map(([from, to]) => file(to.slice(1), 0o755, readFileSync(from))),
        file("etc/nginx/nginx.conf", 0o644, CONFIGURATION),
        file("usr/share/nginx/html/index.html", 0o644, "nginx\n"),
      ]),
    ],
    {
      Entrypoint: ["/usr/sbin/nginx", "-g", "daemon off;"],
      Env: ["PATH=/usr/sbin"],
      ExposedPorts: { "80/tcp": {} },
      WorkingDir: "/",
    },
  );
};

/** ldd prints `NAME => PATH (ADDRESS)`, and for the loader `PATH (ADDRESS)`. */
const librariesIn = (listed: string): readonly string[] =>
  listed.split("\n").flatMap((line) => {
    if (line.includes("=> not found"))
      throw new TestbedFault("cannot-run", `not run, because nginx lacks a library: ${line.trim()}`);
    return /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? [];
  });

const CONFIGURATION = `worker_processes 1;
pid /run/nginx.pid;
error_log /dev/stderr;
events {}
http {
  access_log /dev/stdout;
  server {
    listen 80;
    root /usr/share/nginx/html;
  }
}
`;
