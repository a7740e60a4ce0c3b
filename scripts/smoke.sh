#!/usr/bin/env bash
# Packs the package, installs it in an empty folder as its users do, and runs it there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# The build is there already: `prepack` would only make it again.
tarball=$(cd "$root" && npm pack --ignore-scripts --silent --pack-destination "$dir")
cd "$dir"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --silent "./$tarball"

export PATH="$dir/node_modules/.bin:$root/node_modules/.bin:$PATH"
feedferry --version
CMS_API_TOKEN=none feedferry validate --config node_modules/feedferry/config
CMS_API_TOKEN=none feedferry preview staff --json --config node_modules/feedferry/config > preview.ndjson || [ $? = 3 ]
grep -q '"resource":"accounts"' preview.ndjson
feedferry demo > demo.txt || { cat demo.txt; exit 1; }
tail -n 1 demo.txt | node -e 'JSON.parse(require("fs").readFileSync(0)).runs.length === 9 || process.exit(1)'
node --input-type=module -e 'import { createCmsClient } from "feedferry/cms"; if (typeof createCmsClient !== "function") process.exit(1)'
echo 'The packed package works.'
