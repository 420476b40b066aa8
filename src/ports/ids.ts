/** Fresh ids come through here, so that tests can predict them. */
export interface Ids {
  /** A UUIDv7, lower case, with hyphens. */
  uuid(): string;
}
