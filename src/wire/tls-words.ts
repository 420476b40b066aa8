/** Why a TLS connection did not come about, from OpenSSL's and Node's codes, as a clause. */

const UNTRUSTED = "its certificate is not signed by an authority that is trusted here";
const WORDS: ReadonlyMap<string, string> = new Map([
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", UNTRUSTED],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", UNTRUSTED],
  ["UNABLE_TO_GET_ISSUER_CERT", UNTRUSTED],
  ["SELF_SIGNED_CERT_IN_CHAIN", UNTRUSTED],
  // Clusters made with one tool have authorities of one name: this is one that was made anew.
  ["CERT_SIGNATURE_FAILURE", UNTRUSTED],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is signed by itself, and not trusted here"],
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["CERT_NOT_YET_VALID", "its certificate is not valid yet; look at this machine's clock"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name"],
]);

/** undefined: the code is none of TLS. */
export const tlsWords = (code: string): string | undefined => {
  const words = WORDS.get(code);
  if (words !== undefined) return `${words} (${code})`;
  return /^(ERR_SSL|ERR_TLS|CERT_|UNABLE_TO|HOSTNAME_|INVALID_)|^EPROTO$/.test(code)
    ? `no TLS connection came about (${code})`
    : undefined;
};

/** Of these another authority would make a trusted one. */
export const isUntrusted = (code: string): boolean =>
  WORDS.get(code) === UNTRUSTED || code === "DEPTH_ZERO_SELF_SIGNED_CERT";
