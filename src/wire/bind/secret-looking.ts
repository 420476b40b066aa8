/**
 * Whether a value in a ConfigMap looks like a secret. By what it is called or by its form; a reason never repeats the value.
 * Not found is no proof that there is none: it keeps the usual accidents out, no more.
 */
import { looksSecret } from "../../domain/secret-name.ts";

/** Prefixes and forms that issuers publish for their own scanners. */
const FORMS: readonly (readonly [what: string, form: RegExp])[] = [
  ["a private key", /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY-----/],
  ["a URL with a password", /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@'"]{0,200}:[^\s/@'"${<*]{1,200}@/i],
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40})/],
  ["a GitLab token", /\bglpat-[A-Za-z0-9_-]{20}/],
  ["a Slack token", /\bxox[abprs]-[A-Za-z0-9-]{10}/],
  ["a Stripe key", /\b[sr]k_live_[A-Za-z0-9]{16}/],
  ["a Google API key", /\bAIza[A-Za-z0-9_-]{35}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}/],
  ["a JSON web token", /\beyJ[A-Za-z0-9_-]{8,400}\.eyJ[A-Za-z0-9_-]{8}/],
];

/** `db.password = x`, `"token": "x"`, `export API_KEY=x`. */
const SETTING =
  /^[\s{,"'-]{0,40}(?:export\s{1,10})?["']?([A-Za-z][\w.-]{0,99})["']?\s{0,20}[:=]\s{0,20}(\S.{0,200})/;

/** Of JSON in one line, each member. */
const MEMBER = /"([A-Za-z][\w.-]{0,99})"\s{0,5}:\s{0,5}"([^"]{1,200})"/g;

/** What stands for a value that comes from elsewhere, or for none. */
const NO_VALUE =
  /^["']?(?:\$[{(A-Za-z_]|\{\{|<|%[({A-Za-z]|\*+["',;]*$|["',;]*$|(?:true|false|null|none|~|yes|no)["',;]*$|\/|file:)/i;

/** The reason, as the end of a sentence; undefined: it does not look like one. */
export const secretReason = (key: string, text: string): string | undefined => {
  for (const [what, form] of FORMS) if (form.test(text)) return `it holds ${what}`;
  const isFile = text.trimEnd().includes("\n");
  if (!isFile && looksSecret(key) && !NO_VALUE.test(text.trim())) return "its key says that it is a secret";
  for (const [index, line] of text.split("\n").entries()) {
    const settings = [SETTING.exec(line) ?? [], ...line.matchAll(MEMBER)];
    for (const [, name, value] of settings)
      if (name !== undefined && value !== undefined && looksSecret(name) && !NO_VALUE.test(value.trim()))
        return isFile ? `line ${index + 1} sets '${name}'` : `it sets '${name}'`;
  }
  return undefined;
};
