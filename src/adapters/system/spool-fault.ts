/** A spool that could not do its work. The message is one sentence with the way out. */
export class SpoolFault extends Error {
  readonly code: "spool-unavailable" | "spool-unreadable" | "spool-not-kept";
  constructor(code: SpoolFault["code"], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "SpoolFault";
    this.code = code;
  }
}

/** What the system called it, or the error's own words. */
export const codeOf = (error: unknown): string => {
  const { code } = error as NodeJS.ErrnoException;
  return code ?? String(error);
};
