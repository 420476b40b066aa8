/** What a release may be called. */

/** A clause that follows what was typed; undefined: it can be. */
export const releaseNameFault = (name: string): string | undefined => {
  if (name !== name.normalize("NFC")) return "is not in Unicode NFC form; write it composed";
  if (!/^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}._+-]{0,99}$/u.test(name))
    return "cannot be a release's name: letters, digits, '.', '_', '+' and '-', at most 100, and it begins with a letter or digit";
  return name.startsWith("rel_") ? "looks like a release's id; choose another name" : undefined;
};

/** `rel_` + UUIDv7. */
export const isReleaseId = (text: string): boolean =>
  /^rel_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text);
