/**
 * What a claim that has no volume yet waits for: its first Pod, as its class wants; a provisioner; or somebody who makes a
 * volume. Rules: storage.k8s.io/v1 StorageClass (volumeBindingMode, provisioner, the default's annotation), core/v1
 * PersistentVolumeClaim (storageClassName) and pkg/controller/volume/persistentvolume, whose events are hints only.
 */
import type { Seen } from "../domain/evidence.ts";
import { type Known, known } from "../domain/known.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { Case } from "./case.ts";
import { latestEvent } from "./events.ts";
import type { Found, Inquiry } from "./inquiry.ts";
import { fieldAt, hint, TEXT, valueAt } from "./read.ts";
import { nameOf, quoted } from "./words.ts";

/** Of a claim whose phase is Pending. */
export const pendingClaim = (inquiry: Inquiry, given: Case): Found => {
  const { target, collection } = given;
  const named = className(target);
  if (named.kind !== "known") {
    inquiry.miss(`${nameOf(target)} ${named.kind === "unreadable" ? named.why : "spec.storageClassName"}`);
    return inquiry.unknown();
  }
  const name = named.value;
  const classes = inquiry.needList(collection, RESOURCES.StorageClass, null);
  if (classes === undefined) return byEvent(inquiry, given, "it is not bound yet");
  if (name === "") return byHand(inquiry, given, name, "it asks for a volume of no class");
  const its =
    name === null ? classes.objects.find(isDefault) : classes.objects.find((one) => one.name === name);
  if (its === undefined)
    return byHand(
      inquiry,
      given,
      name,
      name === null
        ? "it names no class, and none is the default"
        : `there is no StorageClass ${quoted(name)}`,
    );
  inquiry.cite(its, ["provisioner"]);
  if (isWaiting(its, target)) {
    inquiry.cite(its, ["volumeBindingMode"]);
    return inquiry.progressing(
      "waits-for-consumer",
      `it is not bound yet, which is normal until a Pod that uses it has a node to run on: StorageClass ${its.name} binds at the first one (WaitForFirstConsumer)${told(given)}`,
    );
  }
  return hint(its.raw, ["provisioner"], TEXT) === "kubernetes.io/no-provisioner"
    ? byHand(inquiry, given, its.name, `its class ${its.name} has no provisioner`)
    : byEvent(inquiry, given, `it is not bound yet; its class is ${its.name}`);
};

/** null: it names none, and the default counts, now or once there is one. */
const className = ({ raw }: Seen): Known<string | null> => {
  const old = fieldAt(raw, ["metadata", "annotations", "volume.beta.kubernetes.io/storage-class"], TEXT);
  const name = old.kind === "absent" ? fieldAt(raw, ["spec", "storageClassName"], TEXT) : old;
  return name.kind === "absent" ? known(null) : name;
};

const isDefault = ({ raw }: Seen): boolean =>
  valueAt(raw, ["metadata", "annotations", "storageclass.kubernetes.io/is-default-class"]) === "true";

/** Until the scheduler has chosen a node for a Pod that uses it. */
const isWaiting = ({ raw }: Seen, claim: Seen): boolean =>
  valueAt(raw, ["volumeBindingMode"]) === "WaitForFirstConsumer" &&
  valueAt(claim.raw, ["metadata", "annotations", "volume.kubernetes.io/selected-node"]) === undefined;

/** Nothing provisions it: without a free volume of its class nothing is under way. */
const byHand = (inquiry: Inquiry, given: Case, name: string | null, why: string): Found => {
  const volumes = inquiry.needList(given.collection, RESOURCES.PersistentVolume, null);
  const says = `nothing provisions a volume for it: ${why}`;
  if (volumes === undefined)
    return inquiry.progressing(
      "volume-pending",
      `it is not bound yet, and ${says}; whether a volume of its class is free is not known${told(given)}`,
    );
  const free = volumes.objects.filter((volume) => isFree(volume, given.target, name));
  return free.length === 0
    ? inquiry.refuted("never-bound", `${says}, and no volume of its class is free${told(given)}`)
    : inquiry.progressing(
        "volume-pending",
        `it is not bound yet, and ${says}; ${free.length} of its class ${free.length === 1 ? "is" : "are"} free${told(given)}`,
      );
};

/** Whether it fits in size and modes as well is the controller's to say. */
const isFree = ({ raw }: Seen, claim: Seen, name: string | null): boolean => {
  const phase = hint(raw, ["status", "phase"], TEXT);
  const its = hint(raw, ["spec", "storageClassName"], TEXT);
  const kept = hint(raw, ["spec", "claimRef", "name"], TEXT);
  const keptIn = hint(raw, ["spec", "claimRef", "namespace"], TEXT);
  return (
    (phase === undefined || phase === "Pending" || phase === "Available") &&
    (its === undefined || its === "" ? name === null || name === "" : its === name) &&
    (kept === undefined || (kept === claim.name && keptIn === claim.namespace))
  );
};

/** What its controllers last said of it names the reason, and decides nothing. */
const byEvent = (inquiry: Inquiry, given: Case, says: string): Found => {
  const event = latestEvent(given.target, given.collection);
  const reason = event === undefined ? undefined : REASONS.get(event.reason);
  return inquiry.progressing(reason === undefined ? "volume-pending" : reason, `${says}${told(given)}`);
};

const REASONS: ReadonlyMap<string, string> = new Map([
  ["WaitForFirstConsumer", "waits-for-consumer"],
  ["ProvisioningFailed", "provisioning-failed"],
]);

const told = ({ target, collection }: Case): string => {
  const event = latestEvent(target, collection);
  return event === undefined ? "" : `; last said: ${quoted(event.reason)} (${quoted(event.message)})`;
};
