/** A Git repository as its URL names it. Two URLs are compared as texts: what a server makes of them is not asked. */

/** A password may stand in it. */
export const withoutUser = (url: string): string => url.replace(/^([a-z+]+:\/\/)[^/@]*@/i, "$1");

const plain = (url: string): string =>
  withoutUser(url)
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .toLowerCase();

/** As Git takes two URLs for one repository, as far as the texts tell. */
export const sameRepository = (a: string, b: string): boolean => plain(a) === plain(b);
