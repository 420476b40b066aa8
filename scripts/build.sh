#!/bin/sh
# Builds what is published: dist/, by tsc alone, and beside it the files of src/ that are not code (SQL, say).
set -eu
cd "$(dirname "$0")/.."
rm -rf dist
node node_modules/typescript/bin/tsc -p tsconfig.build.json
find src -type f ! -name '*.ts' ! -name '*.md' ! -path '*/fixtures/*' | while read -r file; do
  target=dist/${file#src/}
  mkdir -p "${target%/*}"
  cp "$file" "$target"
done
