/** Which boot of which machine this is, by /proc. */
import { readFileSync, readlinkSync } from "node:fs";

/** "" where the system does not tell. */
export const bootId = (): string =>
  readOr("", () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());

/** The time namespace that a machine boots with has this number in every kernel. */
const FIRST_TIME_NAMESPACE = "time:[4026531834]";

/** Whether this process reads the machine's clocks as they are. A kernel without time namespaces names none. */
export const hasMachineTime = (): boolean =>
  readOr(FIRST_TIME_NAMESPACE, () => readlinkSync("/proc/self/ns/time")) === FIRST_TIME_NAMESPACE;

const readOr = (otherwise: string, read: () => string): string => {
  try {
    return read();
  } catch {
    return otherwise;
  }
};
