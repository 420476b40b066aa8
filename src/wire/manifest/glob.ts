/** Why a glob cannot name input files, as one sentence; undefined when it can. They stay inside the stack file's folder. */
export const globFault = (glob: string): string | undefined => {
  if (glob.trim() === "") return "a glob must not be empty";
  if (glob.includes("\0")) return "a glob cannot hold a NUL character";
  if (glob.includes("${")) return "references work in with only, not in globs";
  if (/^([/\\~]|[A-Za-z]:)/.test(glob))
    return "a glob is relative to the stack file's folder, so it cannot be absolute";
  if (glob.split(/[/\\]/).some((part) => /^[{,]?\.\.[},]?$/.test(part)) || /[{,]\.\.[,}/]/.test(glob))
    return "a glob cannot leave the stack file's folder, so .. is not allowed in it";
  if (glob.length > 1000) return "a glob has at most 1000 characters";
  return undefined;
};
