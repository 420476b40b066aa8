#!/bin/sh
# Builds what is published: the library in dist/, by tsc, with the files of src/ that are not code (SQL, say) beside it,
# and the command line in dist/cli, as a bundle.
set -eu
cd "$(dirname "$0")/.."
rm -rf dist
node node_modules/typescript/bin/tsc -p tsconfig.build.json
find src -type f ! -name '*.ts' ! -name '*.md' ! -path '*/fixtures/*' | while read -r file; do
  target=dist/${file#src/}
  mkdir -p "${target%/*}"
  cp "$file" "$target"
done
node scripts/bundle.ts
