/** E5: everything that keeps secrets, and other people's control characters, out of what is stored and shown. */
export {
  blankSecrets,
  isKeptSecret,
  keepInputs,
  keepOutputs,
  openAllKept,
  openKept,
} from "./redact/kept-secret.ts";
export { printable } from "./redact/printable.ts";
export { Scrubber } from "./redact/scrubber.ts";
