/**
 * How to check one run without asfound: a script for a POSIX shell with sha256sum and openssl (3 or later) alone. It says
 * `as recorded` and ends with 0, names what is not and ends with 10, or with 20 where it cannot tell.
 */
export interface Recipe {
  /** The run's own folder. */
  readonly folder: string;
  /** The signer's public key; null: to be named when it is run. */
  readonly key: string | null;
}

export const recipeText = ({ folder, key }: Recipe): string =>
  SCRIPT.replace("@FOLDER@", () => quotedForShell(folder)).replace("@KEY@", () => quotedForShell(key ?? ""));

/** A text as one word of a POSIX shell, whatever is in it. */
const quotedForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const SCRIPT = String.raw`#!/bin/sh
# Checks one run of evidence with sha256sum and openssl alone:  sh recipe.sh [FOLDER [PUBLIC-KEY.pem]]
# The public key has to come from whoever signs. One that lies beside the evidence proves nothing.
set -u
folder=${"$"}{1:-@FOLDER@}
key=${"$"}{2:-@KEY@}
LC_ALL=C
export LC_ALL
wrong() { echo "NOT AS RECORDED: $1"; exit 10; }
open() { echo "CANNOT BE TOLD: $1"; exit 20; }
case $key in /* | '') ;; *) key=$PWD/$key ;; esac
cd "$folder" || open "there is no folder $folder"

# 1. A run is whole when its last file is there, and statement.json says which that is.
for file in SHA256SUMS statement.json statement.sha256; do
  [ -f "$file" ] && [ ! -L "$file" ] || open "$file is not there: never finished, or taken away"
done
signer=$(sed -n 's/^    "signer": "\([0-9a-f]*\)",$/\1/p' statement.json)
if [ -n "$signer" ]; then
  [ -f bundle.sigstore.json ] || open "bundle.sigstore.json is not there: never finished, or taken away"
fi

# 2. statement.json is the one that was sealed, and it names SHA256SUMS and every file in it.
[ "$(sha256sum statement.json)" = "$(cat statement.sha256)" ] || wrong "statement.json (or statement.sha256)"
named=$(sed -n '/^  "subject": \[$/,/^  \],$/p' statement.json |
  sed -n 's/^      "name": "\(.*\)",$/\1/p; s/^        "sha256": "\([0-9a-f]*\)"$/\1/p' |
  while read -r name && read -r sum; do printf '%s  %s\n' "$sum" "$name"; done)
[ "$named" = "$(sha256sum SHA256SUMS; cat SHA256SUMS)" ] || wrong "SHA256SUMS is not what statement.json names"

# 3. Every file has its digest, and there is no other.
missing=$(sha256sum -c SHA256SUMS 2>/dev/null | grep -v ': OK$')
[ -z "$missing" ] || wrong "$missing"
known=$(printf '%s\n' SHA256SUMS statement.json statement.sha256; cut -c67- SHA256SUMS)
[ -z "$signer" ] || known=$(printf '%s\nbundle.sigstore.json' "$known")
found=$(find . ! -type d | cut -c3- | sort)
[ "$found" = "$(printf '%s\n' "$known" | sort)" ] || wrong "there are other files than the statement names:
$found"

# 4. Who signed: the bundle holds this very statement, and the signature over it is by the key that you have.
if [ -n "$signer" ]; then
  [ -n "$key" ] || open "it is signed by $signer; name the signer's public key"
  id=$(openssl pkey -pubin -in "$key" -outform DER | sha256sum | cut -c-64)
  [ "$id" = "$signer" ] || open "it is signed by $signer, and $key is $id"
  temporary=$(mktemp -d) || open "no temporary folder can be made"
  trap 'rm -rf "$temporary"' EXIT
  sig=$(sed -n 's/^        "sig": "\([A-Za-z0-9+\/=]*\)",$/\1/p' bundle.sigstore.json)
  type=application/vnd.in-toto+json
  printf '{
  "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
  "verificationMaterial": {
    "publicKey": {
      "hint": "%s"
    },
    "tlogEntries": []
  },
  "dsseEnvelope": {
    "payload": "%s",
    "payloadType": "%s",
    "signatures": [
      {
        "sig": "%s",
        "keyid": "%s"
      }
    ]
  }
}
' "$signer" "$(openssl base64 -A -in statement.json)" "$type" "$sig" "$signer" | cmp -s - bundle.sigstore.json ||
    wrong "bundle.sigstore.json holds another statement or key"
  printf '%s' "$sig" | openssl base64 -d -A >"$temporary/sig"
  [ "$(openssl base64 -A -in "$temporary/sig")" = "$sig" ] || wrong "bundle.sigstore.json holds no signature"
  { printf 'DSSEv1 %s %s %s ' "${"$"}{#type}" "$type" "$(($(wc -c <statement.json)))"; cat statement.json; } >"$temporary/signed"
  openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$temporary/signed" -sigfile "$temporary/sig" >/dev/null 2>&1 ||
    wrong "bundle.sigstore.json: the signature is not by $signer over this statement"
  echo "as recorded, and signed by $signer"
else
  [ -z "$key" ] || open "nobody signed it"
  echo "as recorded; nobody signed it, so whoever can write here can have made all of it"
fi
sed -n 's/^    "\(run\|sequence\|verb\|actor\|recordedAt\|verdict\)": "\{0,1\}\([^"]*\)"\{0,1\},$/\1: \2/p' statement.json
previous=$(sed -n '/^    "previous": {$/,/^    },$/s/^      "[a-z0-9]*": "\(.*\)",\{0,1\}$/\1/p' statement.json)
# shellcheck disable=SC2086 # a run and a digest, each a word
[ -z "$previous" ] || printf 'the run before it: %s, whose statement.json has the SHA-256 %s\n' $previous
`;
