/** Who acts: as said, as the CI system says, else as this system knows the user. Attributed, not authenticated. */
import { userInfo } from "node:os";

export const actorOf = (
  said: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): string => {
  const named = ["ASFOUND_ACTOR", "GITHUB_ACTOR", "GITLAB_USER_LOGIN", "USER", "LOGNAME"].map(
    (name) => environment[name],
  );
  return said ?? named.find((name) => name !== undefined && name !== "") ?? systemUser();
};

const systemUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a uid that no user has.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
};
