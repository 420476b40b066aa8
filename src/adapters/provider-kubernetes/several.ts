/** What is asked of many objects, some at once: rehearsals change nothing, so their order does not count. */

/** As an API server's fair queues give one client without waiting. */
const AT_ONCE = 8;

/** The first answer that there is, by the order of `all`; undefined: none of them has one. */
export const firstOf = async <A, B>(
  all: readonly A[],
  ask: (one: A) => Promise<B | undefined>,
): Promise<B | undefined> => {
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const answers = await Promise.all(all.slice(at, at + AT_ONCE).map(ask));
    const first = answers.find((answer) => answer !== undefined);
    if (first !== undefined) return first;
  }
  return undefined;
};

/** All answers, by the order of `all`. */
export const eachOf = async <A, B>(all: readonly A[], ask: (one: A) => Promise<B>): Promise<readonly B[]> => {
  const answers: B[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    answers.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(ask))));
  return answers;
};
