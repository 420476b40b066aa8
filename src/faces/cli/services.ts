/** What the face asks of `compose.ts`, where adapters meet the runtime; a test hands in its own. */
type Compose = typeof import("../../compose.ts");

export type Services = Pick<
  Compose,
  "armSignals" | "backupLedger" | "doctor" | "exportLedger" | "importLedger" | "openProject" | "systemClock"
>;
