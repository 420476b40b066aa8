/**
 * `asfound/testing`: for tests of providers and of stacks. An HTTP cloud that misbehaves on request and keeps a log of
 * its own, a harness that carries one step's calls out through a ledger in memory, and the checks every provider passes.
 */
export type { Cloud, CloudOptions } from "./testing/cloud/cloud.ts";
export type { Fault, FaultRule, Verb } from "./testing/cloud/fault.ts";
export type { KindSettings } from "./testing/cloud/kinds.ts";
export type { LogEntry } from "./testing/cloud/log.ts";
export { startCloud } from "./testing/cloud/start.ts";
export { type Check, providerChecks, type Subject } from "./testing/provider/checks.ts";
export type { CallFault, ReadingFault, SeenCall } from "./testing/provider/faulty.ts";
export { type After, type Harness, type HarnessOptions, harness } from "./testing/provider/harness.ts";
