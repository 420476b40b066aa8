/**
 * Which file systems a ledger may lie on. SQLite's locks and its shared memory hold on one machine only, and a network
 * file system may acknowledge an fsync it has not done: there, two operations could both believe they are alone.
 *
 * `statfs` gives a number; FUSE has one for all its kinds, so for that one the mount table is read as well.
 */
import { readFileSync, realpathSync, statfsSync } from "node:fs";

/** Numbers from statfs(2) and linux/magic.h. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x01021997, "9p"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x73757245, "Coda"],
  [0x564c, "NCP"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x19830326, "BeeGFS"],
  [0x20030528, "OrangeFS"],
  [0x7461636f, "OCFS2"],
  [0x01161970, "GFS2"],
  [0x786f4256, "a VirtualBox shared folder"],
  [0xbacbacbc, "a VMware shared folder"],
]);

const FUSE = 0x65735546;

/** FUSE kinds that keep to one machine's disk. Of any other it cannot be known. */
const LOCAL_FUSE: ReadonlySet<string> = new Set(["fuseblk", "fuse.fuse-overlayfs", "virtiofs"]);

/** What the network file system is called, from its number and (for FUSE) its type; undefined when it is a local one. */
export const networkFileSystem = (magic: number, type: () => string | undefined): string | undefined => {
  const named = NETWORK.get(magic >>> 0);
  if (named !== undefined) return named;
  if (magic >>> 0 !== FUSE) return undefined;
  const kind = type();
  if (kind === undefined) return "FUSE of an unknown kind";
  return LOCAL_FUSE.has(kind) ? undefined : kind;
};

/** The network file system that holds this existing folder; undefined for a local one, or where the system cannot tell. */
export const networkUnder = (folder: string): string | undefined => {
  const { type } = statfsSync(folder);
  return networkFileSystem(type, () => mountType(realpathSync(folder)));
};

/** The type of the deepest mount that holds the folder, as /proc/self/mountinfo names it. */
const mountType = (folder: string): string | undefined => {
  let table: string;
  try {
    table = readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return undefined;
  }
  return typeInTable(table, folder);
};

/** Pure part of the above: later lines cover earlier ones at the same place. */
export const typeInTable = (table: string, folder: string): string | undefined => {
  let best = { length: -1, type: undefined as string | undefined };
  for (const line of table.split("\n")) {
    const [left, right] = line.split(" - ");
    const at = unescapeOctal(left?.split(" ")[4]);
    if (at === undefined || right === undefined) continue;
    const holds = at === "/" || folder === at || folder.startsWith(`${at}/`);
    if (holds && at.length >= best.length) best = { length: at.length, type: right.split(" ")[0] };
  }
  return best.type;
};

const unescapeOctal = (text: string | undefined): string | undefined =>
  text?.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
