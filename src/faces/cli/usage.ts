/** What a person typed wrongly: exit 2 and one sentence that says what to do. */
export class Usage extends Error {
  readonly code = "ASFOUND_USAGE";
}
