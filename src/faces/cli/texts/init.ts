/** What init says. */
export const INIT = {
  name: "example",
  wrote: (file: string) => `wrote ${file}`,
  exists: (file: string) => `${file} is there already, and init overwrites nothing; run it in another folder`,
  cannotWrite: (file: string, why: string) =>
    `${file} cannot be written (${why}); run init in a folder that you may write`,
} as const;
