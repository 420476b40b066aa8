/**
 * E5: the user and password of a URL, taken out of a sentence that repeats what a person typed. Whatever stands between a
 * scheme and the last `@` of a word: a password may hold any letter, and the slashes may be missing.
 */
export const withoutUser = (text: string): string =>
  text.replace(/\b([a-z][a-z0-9+.-]*:)(\/*)[^\s@][^\s]*@/gi, "$1$2…@");
