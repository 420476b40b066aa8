#!/bin/sh
# Every gate, one after another; all run even if one fails. `npm run gates` sets up first.
cd "$(dirname "$0")/.." || exit 1
PATH=$PWD/node_modules/.bin:$PATH
export PATH
failed=
# With CI set and no terminal Biome colours every single letter.
plain=
[ -t 1 ] || plain=--colors=off

gate() {
  name=$1
  shift
  printf '\n=== gate: %s\n' "$name"
  "$@" || failed="$failed $name"
}

gate typecheck tsc
gate lint biome ci --error-on-warnings $plain
gate deps node scripts/deps.ts
gate mutations node scripts/mutations.ts
gate knip knip --no-progress
gate build sh scripts/build.sh
gate canaries vitest run test/canary

if [ -n "$failed" ]; then
  printf '\ngates: failed:%s\n' "$failed"
  exit 1
fi
printf '\ngates: all hold\n'
