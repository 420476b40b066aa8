/** Words for config on its way from an object to a process (DESIGN §3, C1, C2). */

/**
 * How content reaches a container. Rules: env and envFrom are read when the container is made; a volume's files follow
 * the object, after the kubelet's next sync; one that is mounted by subPath never follows it while the container runs.
 */
export type Delivery = "env" | "envFrom" | "volume" | "projected" | "subPath";

export type ContainerRole = "app" | "init" | "sidecar" | "ephemeral";

/** The objects that hold config. */
export type ConfigKind = "ConfigMap" | "Secret";

/**
 * What one start of one container made of one reference.
 *
 * - `fresh`                   what it was given is what the object holds now
 * - `stale`                   what it was given is known by its digest, and the object holds something else now
 * - `will-change-on-restart`  the object was made again after this start: the next start is given another object
 * - `propagating`             the file follows the object, and may not have yet
 * - `not-knowable`            nothing that was read tells
 * - `reference-missing`       what it needs is not there: the next container would not start
 */
export type ConfigState =
  | "fresh"
  | "stale"
  | "will-change-on-restart"
  | "propagating"
  | "not-knowable"
  | "reference-missing";

/**
 * How strong the evidence is (DESIGN §9): L0 the template names it, L1 times, L2 what a recorder held around the start, L4 a
 * file that was read in the container. (L3, a checksum on the template, says nothing of a start.)
 */
export type EvidenceLevel = "L0" | "L1" | "L2" | "L4";

/** What a ConfigMap is expected to hold. */
export interface ExpectedConfig {
  /** The object's digest (C3), in hex. */
  readonly sha256: string;
  /** What people call this content; null: nothing. Only ever said, never judged. */
  readonly version: string | null;
}

/** One key with its exact bytes. */
export interface ConfigEntry {
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** One way by which content reaches one container. */
export interface ConfigReference {
  readonly container: string;
  readonly role: ContainerRole;
  readonly kind: ConfigKind;
  readonly name: string;
  /** null: whatever keys there are. */
  readonly keys: readonly string[] | null;
  readonly delivery: Delivery;
  /** The variable, the prefix, or the path in the container. */
  readonly as: string;
  /** The variable also stands in the command line, as `$(NAME)`. */
  readonly inArguments: boolean;
  /** The container starts without it. */
  readonly optional: boolean;
}
