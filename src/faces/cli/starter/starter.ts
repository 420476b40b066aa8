/** A small stack that `init` writes: files by name, relative to the folder. The stack file is the last one written. */
export interface Starter {
  readonly files: ReadonlyMap<string, string>;
  /** What to run next, in order. */
  readonly next: readonly { readonly command: string; readonly why: string }[];
}

/** For editors (yaml-language-server); JSON Schema of the stack file, as the package publishes it. */
export const SCHEMA_LINE = "# yaml-language-server: $schema=https://asfound.dev/schema/v1alpha1/stack.json";
