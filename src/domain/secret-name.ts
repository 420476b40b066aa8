/**
 * Which keys hold a secret, judged by their name (DESIGN §6): the last word is password, passwd, secret, token or
 * credential(s), or it is `key` after api or private. Words are split at case changes, `_`, `-`, dots and digits.
 */

const SECRET_WORDS: ReadonlySet<string> = new Set([
  "password",
  "passwd",
  "secret",
  "token",
  "credential",
  "credentials",
]);
const BEFORE_KEY: ReadonlySet<string> = new Set(["api", "private"]);
/** Written as one word, so no split can find them. */
const RUN_TOGETHER: ReadonlySet<string> = new Set(["apikey", "privatekey"]);

/** `APIKey` → api, key; `db-password2` → db, password. */
const wordsOf = (key: string): readonly string[] =>
  key
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/([\p{Ll}])(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());

/** Longer keys are looked at by their end only: that is where the last words are. */
const LOOK_AT = 200;

/** The same few keys are asked about in every step; hostile ones must not fill the memory. */
const MOST_REMEMBERED = 1000;
const remembered = new Map<string, boolean>();

/** Whether a value under this key is treated as a secret, unless the step lists the key in `public`. */
export const looksSecret = (key: string): boolean => {
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const answer = judge(key);
  if (key.length <= LOOK_AT && remembered.size < MOST_REMEMBERED) remembered.set(key, answer);
  return answer;
};

const judge = (key: string): boolean => {
  const words = wordsOf(key.slice(-LOOK_AT));
  const last = words.at(-1);
  if (last === undefined) return false;
  if (SECRET_WORDS.has(last) || RUN_TOGETHER.has(last)) return true;
  const before = words.at(-2);
  return last === "key" && before !== undefined && BEFORE_KEY.has(before);
};
