/** A part of the cluster: how it is started, and how one sees that it works. */
import type { ComponentName } from "./component-name.ts";

/** `url`: answers 200 there, with the administrator's certificate where it is https. `socket`: takes connections. */
export type Readiness =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "socket"; readonly path: string };

export interface Component {
  readonly name: ComponentName;
  readonly program: string;
  readonly words: readonly string[];
  /** Beside what every process of the testbed has. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly ready: Readiness;
  /** Files, or folders of them, with objects that must be there before it starts. */
  readonly objects?: readonly string[];
}
