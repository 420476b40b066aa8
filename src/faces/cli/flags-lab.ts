/** The flags of the labs. */
import {
  type Asking,
  askingFlags,
  duration,
  type Everywhere,
  everywhere,
  everywhereAliases,
  type Flags,
  type Place,
  place,
  text,
  toggle,
  type Working,
  working,
} from "./flags.ts";
import { FLAG } from "./texts/flags.ts";

export interface LabFlags
  extends Everywhere,
    Pick<Place, "ledger" | "actor">,
    Pick<Asking, "context" | "kubeconfig" | "allowExec">,
    Pick<Working, "progress" | "grace"> {
  readonly image?: string;
  readonly within?: number;
  readonly keep: boolean;
  readonly report?: string;
}

export const labFlags: Flags<LabFlags> = {
  ...everywhere,
  ledger: place.ledger,
  actor: place.actor,
  context: askingFlags.context,
  kubeconfig: askingFlags.kubeconfig,
  allowExec: askingFlags.allowExec,
  progress: working.progress,
  grace: working.grace,
  image: text(FLAG.labImage, "IMAGE"),
  within: duration(FLAG.within),
  keep: toggle(FLAG.labKeep),
  report: text(FLAG.labReport, "FILE"),
};

/** Of labs that deliver by Git. */
export interface DeliveryFlags {
  readonly repository?: string;
  readonly argocdNamespace?: string;
}

export const deliveryFlags: Flags<DeliveryFlags> = {
  repository: text(FLAG.labRepository, "URL"),
  argocdNamespace: text(FLAG.argocdNamespace, "NAMESPACE"),
};

export const labAliases = { ...everywhereAliases, o: "output" } as const;
