/**
 * A folder of releases (ports/releases.ts): one folder a workload, in it one folder a release. The key of the keyed digests
 * stands beside them (0600), never within a release, and no digest of Secrets is of use without it.
 */
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isReleaseId } from "../../domain/release-name.ts";
import { sameCluster, sameRelease, tellsNothingNew } from "../../domain/same-release.ts";
import type {
  FoundKey,
  Recorded,
  ReleaseFault,
  ReleaseListing,
  Releases,
  ReleaseTarget,
  StoredRelease,
} from "../../ports/releases.ts";
import { withFolderLock } from "./folder-lock.ts";
import { objectPlace } from "./object-place.ts";
import { reasonOf } from "./read-file.ts";
import { idOfDraft, readReleaseFolder, type Told, writeRelease } from "./release-files.ts";
import { storeKey } from "./store-key.ts";
import { createFile } from "./write-file.ts";

const LOCK_WAIT_MS = 30_000;
const KEY = "key";

/** Nothing is read or made yet. `named`: as the person wrote it. */
export const openReleases = (path: string, named: string, told: Told = () => undefined): Releases =>
  new Folder(path, named, told);

class Folder implements Releases {
  readonly place: string;
  readonly #path: string;
  readonly #told: Told;

  constructor(path: string, named: string, told: Told) {
    this.#path = path;
    this.place = named;
    this.#told = told;
  }

  async key({ create }: { readonly create: boolean }): Promise<FoundKey> {
    try {
      if (create) {
        await mkdir(this.#path, { recursive: true, mode: 0o700 });
        await createFile(join(this.#path, ".gitignore"), `/${KEY}\n.lock\n`, 0o644);
      }
    } catch (error) {
      return {
        kind: "fault",
        fault: `${this.place}: no releases can be kept there: ${reasonOf(error).why}`,
      };
    }
    return storeKey(join(this.#path, KEY), "releases", { create });
  }

  async record(stored: StoredRelease): Promise<Recorded> {
    const { release } = stored;
    if (!isReleaseId(release.id)) return { kind: "fault", fault: `${release.id} is no release's id` };
    const unsafe = release.config.find(
      ({ name, keys }) => !isFileName(name) || ![...keys.keys()].every(isKey),
    );
    if (unsafe !== undefined)
      return {
        kind: "fault",
        fault: `${unsafe.kind} ${unsafe.name} has a name or key that Kubernetes allows none of`,
      };
    const folder = join(this.#path, placeOf(release.target));
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const done = await withFolderLock(folder, LOCK_WAIT_MS, async (): Promise<Recorded> => {
        const before = this.#before(stored, await this.#in(folder));
        if (before !== undefined) return before;
        await writeRelease(folder, stored, this.#told);
        return { kind: "recorded" };
      });
      return "fault" in done ? { kind: "fault", fault: done.fault } : done;
    } catch (error) {
      return { kind: "fault", fault: reasonOf(error).why };
    }
  }

  /** What is there already that keeps it from being recorded. */
  #before({ release }: StoredRelease, { releases, altered }: ReleaseListing): Recorded | undefined {
    const its = releases.map((one) => one.release).filter((one) => sameCluster(one.cluster, release.cluster));
    const same = its.find(
      (one) =>
        sameRelease(one, release) &&
        tellsNothingNew(one, release) &&
        (release.name === null || release.name === one.name),
    );
    if (same !== undefined) return { kind: "already", release: same };
    if (release.name === null) return undefined;
    const named = its.find(({ name }) => name === release.name);
    if (named !== undefined) return { kind: "name-taken", release: named };
    const [broken] = altered;
    return broken === undefined
      ? undefined
      : {
          kind: "fault",
          fault: `whether another release has that name cannot be told, since ${broken.id} there is not as it was recorded (${broken.fault}); put it back or move it away, or record without a name`,
        };
  }

  async list(target?: ReleaseTarget): Promise<ReleaseListing | ReleaseFault> {
    try {
      const folders = target === undefined ? await this.#folders() : [placeOf(target)];
      const all = await Promise.all(folders.map((folder) => this.#in(join(this.#path, folder), folder)));
      const cluster = target?.cluster ?? null;
      return {
        releases: all
          .flatMap(({ releases }) => releases)
          .filter(({ release }) => cluster === null || sameCluster(release.cluster, cluster))
          .sort((a, b) => (a.release.id < b.release.id ? -1 : 1)),
        altered: all.flatMap(({ altered }) => altered),
        unfinished: all.flatMap(({ unfinished }) => unfinished),
      };
    } catch (error) {
      return {
        reason: "unreadable",
        fault: `the releases in ${this.place} cannot be read: ${reasonOf(error).why}`,
      };
    }
  }

  async read(idOrName: string, target?: ReleaseTarget): Promise<StoredRelease | ReleaseFault> {
    const listing = await this.list(target);
    if ("fault" in listing) return listing;
    const { releases, altered, unfinished } = listing;
    const where = `in ${this.place}`;
    const broken = altered.find(({ id }) => id === idOrName);
    if (broken !== undefined)
      return {
        reason: "altered",
        fault: `release ${broken.id} ${where} is not as it was recorded: ${broken.fault}`,
      };
    const found = releases.filter(({ release }) => release.id === idOrName || release.name === idOrName);
    const [first, ...others] = found;
    if (first !== undefined && others.length === 0) return first;
    const of = target === undefined ? "" : ` of ${target.kind} ${target.namespace}/${target.name}`;
    if (first !== undefined)
      return {
        reason: "ambiguous",
        fault: `${found.length} releases${of} ${where} are called ${idOrName} (${found
          .map(({ release }) => release.id)
          .slice(0, 5)
          .join(", ")}); say the id of the one that is meant`,
      };
    if (unfinished.some((path) => path.includes(idOrName)))
      return {
        reason: "absent",
        fault: `the recording of ${idOrName} ${where} was never finished: it is no release`,
      };
    const [broke] = altered;
    const more =
      broke === undefined
        ? ""
        : `; not as recorded there, so that what it is called is not known: ${broke.id} (${broke.fault})${altered.length === 1 ? "" : `, and ${altered.length - 1} more`}`;
    return { reason: "absent", fault: `there is no release ${idOrName}${of} ${where}${more}` };
  }

  /** Of every workload; none where there is no such folder. */
  async #folders(): Promise<readonly string[]> {
    const entries = await entriesIn(this.#path);
    return entries.filter((name) => /_[0-9a-f]{32}$/.test(name)).sort();
  }

  async #in(path: string, place = ""): Promise<ReleaseListing> {
    const releases: StoredRelease[] = [];
    const altered: { id: string; fault: string }[] = [];
    const unfinished: string[] = [];
    for (const name of [...(await entriesIn(path))].sort()) {
      if (idOfDraft(name) !== undefined) unfinished.push(place === "" ? name : `${place}/${name}`);
      if (!isReleaseId(name)) continue;
      const read = await readReleaseFolder(join(path, name), name);
      const fault = "fault" in read ? read.fault : misplaced(read, path);
      if (fault !== undefined) altered.push({ id: name, fault });
      else if ("release" in read) releases.push(read);
    }
    return { releases, altered, unfinished };
  }
}

const misplaced = ({ release }: StoredRelease, path: string): string | undefined =>
  path.endsWith(placeOf(release.target)) ? undefined : "release.json is of another workload";

const placeOf = ({ group, kind, namespace, name }: Omit<ReleaseTarget, "cluster">): string =>
  objectPlace([kind, namespace, name], [group, kind, namespace, name]);

/** What is not there holds nothing; what cannot be read throws. */
const entriesIn = async (path: string): Promise<readonly string[]> => {
  try {
    return await readdir(path);
  } catch (error) {
    if (reasonOf(error).code === "ENOENT") return [];
    throw error;
  }
};

/** RFC 1123 subdomains. */
const isFileName = (name: string): boolean => /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name);
/** `IsConfigMapKey` of apimachinery's validation. */
const isKey = (key: string): boolean => /^[-._a-zA-Z0-9]{1,253}$/.test(key) && !/^\.\.?$|^\.\./.test(key);
