/** Which addresses are asked (SSRF): never one that a name or a cluster's object points at and that is this machine's own affair. */
import { BlockList, isIP, isIPv6 } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Link-local holds the clouds' metadata services; the others are no single host's address. */
const NEVER = new BlockList();
NEVER.addSubnet("0.0.0.0", 8, "ipv4");
NEVER.addSubnet("169.254.0.0", 16, "ipv4");
NEVER.addSubnet("224.0.0.0", 4, "ipv4");
NEVER.addSubnet("240.0.0.0", 4, "ipv4");
NEVER.addAddress("::", "ipv6");
NEVER.addSubnet("fe80::", 10, "ipv6");
NEVER.addSubnet("ff00::", 8, "ipv6");
// Metadata services with addresses of their own.
NEVER.addAddress("fd00:ec2::254", "ipv6");
NEVER.addAddress("100.100.100.200", "ipv4");
NEVER.addAddress("168.63.129.16", "ipv4");

/** `named`: a person wrote this very address; a name: one that stands for it; an object: a cluster's object says so. */
export type Origin = "named" | "local-name" | "name" | "object";

/** Why it is not asked, as a clause; null: it may be. */
export const addressFault = (address: string, origin: Origin): string | null => {
  if (isIP(address) === 0) return `${JSON.stringify(address)} is no address`;
  if (origin === "named") return null;
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  // An IPv4 address inside an IPv6 one is checked as what it is: BlockList does that for ::ffff:0:0/96.
  if (NEVER.check(address, family))
    return `${address} is link-local, a metadata service or no host's address, and is asked only where a person writes it`;
  if (origin !== "local-name" && LOOPBACK.check(address, family))
    return `${address} is this machine itself, and is asked only where a person writes it`;
  return null;
};
