/** A release is held to its own cluster: of another one the same names are other objects. */

import type { Question } from "../domain/question.ts";
import type { ReleaseCluster } from "../domain/release.ts";

/** Why it is of another one, as a sentence; null: it is not, or nothing says of which it is. An address may change. */
export const otherClusterOfRelease = (
  { expected: { release } }: Pick<Question, "expected">,
  now: ReleaseCluster,
): string | null => {
  if (release === null) return null;
  const { text, cluster } = release;
  const compare = "; asfound release diff compares across clusters";
  if (cluster.uid !== null && now.uid !== null)
    return cluster.uid === now.uid
      ? null
      : `${text} is of another cluster: its kube-system has UID ${cluster.uid}, and here it is ${now.uid}${compare}`;
  if (cluster.server === null || now.server === null || cluster.server === now.server) return null;
  return `${text} is of another cluster, as far as addresses tell: it was recorded at ${cluster.server}, and this is ${now.server}${compare}`;
};
