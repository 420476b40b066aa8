/**
 * `asfound/testing`: for tests of providers and of stacks. An HTTP cloud and a Kubernetes API server that misbehave on
 * request and keep a log of their own, a harness that carries one step's calls out through a ledger in memory, the checks that every provider passes,
 * and a report of the class that it keeps.
 */
export type { PolicyRule, User } from "./testing/api-server/access.ts";
export type {
  ApiServer,
  ApiServerOptions,
  KubeconfigOptions,
  ObjectPlace,
} from "./testing/api-server/api-server.ts";
export type { ApiFault, ApiFaultRule } from "./testing/api-server/fault.ts";
export type { ApiLogEntry } from "./testing/api-server/log.ts";
export { type ServedResource, USUAL_RESOURCES } from "./testing/api-server/resources.ts";
export { startApiServer } from "./testing/api-server/start.ts";
export type { Cloud, CloudOptions } from "./testing/cloud/cloud.ts";
export type { Fault, FaultRule, Verb } from "./testing/cloud/fault.ts";
export type { KindSettings } from "./testing/cloud/kinds.ts";
export type { LogEntry } from "./testing/cloud/log.ts";
export { startCloud } from "./testing/cloud/start.ts";
export { type CloudSwitchesOptions, cloudSwitches } from "./testing/cloud/switches.ts";
export type { Subject } from "./testing/provider/check.ts";
export {
  type Check,
  type CheckResult,
  type ClassResult,
  type Conformance,
  conformance,
  conformanceText,
  providerChecks,
} from "./testing/provider/conformance.ts";
export { type ExecSubjectOptions, execSubject } from "./testing/provider/exec-subject.ts";
export type { CallFault, ReadingFault, SeenCall } from "./testing/provider/faulty.ts";
export { type After, type Harness, type HarnessOptions, harness } from "./testing/provider/harness.ts";
export type { Switches } from "./testing/provider/switches.ts";
