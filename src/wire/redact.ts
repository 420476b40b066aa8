/** E5: everything that keeps secrets, and other people's control characters, out of what is stored and shown. */
export {
  blankSecrets,
  holdsSecret,
  isKeptSecret,
  keepInputs,
  keepOutputs,
  openAllKept,
  openKept,
} from "./redact/kept-secret.ts";
export { printable } from "./redact/printable.ts";
export { Scrubber, SECRET_MARK } from "./redact/scrubber.ts";
