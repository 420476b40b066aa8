#!/bin/sh
# Installs what package-lock.json names, unless that very lock file is what was installed last.
# `npm test`, `npm run demo` and the gates begin with it, so a fresh clone needs no step before them.
# (`--installed` is called by npm's `dependencies` hook, so a plain `npm ci` counts as well. The `prepare` hook would
# also reach people who install from a tarball.)
set -eu
cd "$(dirname "$0")/.."

# A copy of the lock file, compared by content: git gives files the times of the checkout, which say nothing.
stamp=node_modules/.asfound-installed

if [ "${1:-}" = --installed ]; then
  # After `npm ci --omit=dev`, say, there is no Node to vouch for.
  if [ -x node_modules/.bin/node ]; then cp package-lock.json "$stamp"; fi
  exit 0
fi

is_installed() { [ -x node_modules/.bin/node ] && cmp -s package-lock.json "$stamp"; }
if is_installed; then exit 0; fi

if ! command -v npm >/dev/null 2>&1; then
  echo "asfound: npm is not on the PATH; install Node.js with npm first." >&2
  exit 1
fi

# One installer at a time. A symbolic link is made and named after its owner in a single step.
lock=.asfound-setup.lock
while ! ln -s "$$" "$lock" 2>/dev/null; do
  owner=$(readlink "$lock" 2>/dev/null || :)
  if [ -z "$owner" ] && [ ! -w . ]; then
    echo "asfound: cannot install the development tools, $(pwd) is not writable." >&2
    exit 1
  elif [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
    # Its owner died. Of several waiters one gets to move it away.
    mv "$lock" "$lock.dead.$$" 2>/dev/null && rm -f "$lock.dead.$$"
  else
    sleep 1
  fi
done
trap 'rm -f "$lock"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if is_installed; then exit 0; fi

# npm must not run on the Node that it is about to delete: drop node_modules/.bin, which `npm run` puts first.
path=
IFS=:
for folder in $PATH; do
  case $folder in */node_modules/.bin) ;; *) path=${path:+$path:}$folder ;; esac
done
unset IFS
PATH=$path

echo "asfound: installing the development tools from package-lock.json (npm ci, about half a minute)" >&2
if ! npm ci >/dev/null; then
  echo "asfound: npm ci failed, see above; nothing else was run." >&2
  exit 1
fi
cp package-lock.json "$stamp"
