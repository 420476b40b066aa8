/** Why the fences closed right before a call (N2, N5): nothing was sent, and that is known. */
export class NotSent extends Error {
  readonly code = "ASFOUND_NOT_SENT";
}
