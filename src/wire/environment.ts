/** What the environment's variables mean. */

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether this is a CI job, as CI systems say it: `CI` is set, and not to nothing, `false` or `0`. */
export const isCi = (environment: Environment): boolean => {
  const value = environment["CI"] ?? "";
  return value !== "" && value !== "false" && value !== "0";
};
