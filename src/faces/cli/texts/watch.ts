/** Words of the recorder. */
export const WATCH = {
  next: (folder: string): readonly string[] => [
    `to judge with it: asfound config trace KIND/NAME --held ${folder}`,
  ],
} as const;
