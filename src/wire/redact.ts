/** E5: everything that keeps secrets, and other people's control characters, out of what is stored and shown. */
export type { KeepOptions, SecretKeeper } from "./redact/kept-secret.ts";
export {
  blankSecrets,
  holdsSecrets,
  isKeptSecret,
  keepInputs,
  keepOutputs,
  openAllKept,
  openKept,
} from "./redact/kept-secret.ts";
export { printable } from "./redact/printable.ts";
export { Scrubber } from "./redact/scrubber.ts";
