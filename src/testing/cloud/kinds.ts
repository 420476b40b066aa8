/** How one kind of object behaves when nothing goes wrong. */
export interface KindSettings {
  /** `replay`: a key seen before gets its first reply again. `ignore`: every create makes an object. */
  readonly keys: "replay" | "ignore";
  /**
   * `none`: 201, ready at once. `operation`: 202 with the Location of an operation resource, whose body names no
   * object until it succeeded. `status`: 202 with the Location of the object, which is `provisioning` for a while.
   * Deletes are asynchronous in the same way.
   */
  readonly async: "none" | "operation" | "status";
  /** How long the asynchronous work takes. */
  readonly workMs: number;
  readonly pageSize: number;
  /** A second object with the same `name` gets 409. */
  readonly uniqueNames: boolean;
  /** A PUT to an id that does not exist: `missing` answers 404, `create` makes it (201). */
  readonly puts: "missing" | "create";
}

export const USUAL: KindSettings = {
  keys: "replay",
  async: "none",
  workMs: 0,
  pageSize: 50,
  uniqueNames: false,
  puts: "missing",
};
