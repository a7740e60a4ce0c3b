#!/usr/bin/env bash
# Packs the package, installs it in an empty folder as its users do, and runs it there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# The build exists already, so only the bill of materials of `prepack` is missing.
(cd "$root" && npm run --silent dev -- sbom > feedferry.cdx.json)
tarball=$(cd "$root" && npm pack --ignore-scripts --silent --pack-destination "$dir")
(cd "$root" && publint run "$dir/$tarball" --strict && attw "$dir/$tarball" --profile esm-only --quiet)
cd "$dir"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --silent "./$tarball"
npm ls --all --parseable | wc -l | awk -v mb="$(du -sm node_modules | cut -f 1)" '{ print "Installed: " $1 - 1 " packages, " mb " MB" }'

export PATH="$dir/node_modules/.bin:$root/node_modules/.bin:$PATH"
feedferry --version
CMS_API_TOKEN=none feedferry validate --config node_modules/feedferry/examples
CMS_API_TOKEN=none feedferry preview staff --json --config node_modules/feedferry/examples > preview.ndjson || [ $? = 3 ]
grep -q '"resource":"accounts"' preview.ndjson
test -f node_modules/feedferry/recipes/localist.yaml
grep -q '"bomFormat": "CycloneDX"' node_modules/feedferry/feedferry.cdx.json
# Uses the parts that are loaded on first use: syncs in TypeScript, templates, sanitized HTML, the table of Windows zones.
mkdir -p config/syncs
echo 'target: { baseUrl: "http://127.0.0.1:1", token: none, timezone: America/New_York }' > config/feedferry.yaml
cat > config/syncs/talks.ts << 'SYNC'
import { defineSync } from 'feedferry';
const map = { title: { template: '{{ summary | upcase }}' }, room: { template: '{{ location | upcase }}' }, start: 'start', description: 'description' };
export default defineSync({ resource: 'events', source: { connector: 'ical', url: './talks.ics' }, key: 'uid', map });
SYNC
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:smoke BEGIN:VEVENT UID:1 DTSTAMP:20270101T000000Z SUMMARY:Maps LOCATION:hall \
  'DTSTART;TZID=Pacific Standard Time:20270301T190000' 'DESCRIPTION:<b onclick="x()">Old</b> maps' END:VEVENT END:VCALENDAR > config/syncs/talks.ics
feedferry preview talks --json 2> /dev/null | node -e '
  const { title, room, time, description } = JSON.parse(require("fs").readFileSync(0)).payload;
  const printed = [title, room, time.start, description].join("|");
  if (printed !== "MAPS|HALL|22:00:00|<b>Old</b> maps") throw new Error(printed);'
feedferry demo --json > demo.txt || { cat demo.txt; exit 1; }
tail -n 1 demo.txt | node -e 'JSON.parse(require("fs").readFileSync(0)).runs.length === 9 || process.exit(1)'
# An unreachable Redis is reported with its own code.
export CMS_API_TOKEN=none CMS_BASE_URL=http://127.0.0.1:1
! REDIS_URL=redis://127.0.0.1:1 feedferry sync staff --config node_modules/feedferry/examples 2> redis.txt
grep -q '^FF_QUEUE_UNAVAILABLE ' redis.txt
# The exports work together, also for CommonJS, and with types in a project that only has the types of Node.
cat > uses.ts << 'USES'
import { defineSync } from 'feedferry';
import { createCmsClient } from 'feedferry/cms';
import { startSandbox } from 'feedferry/sandbox';
const sandbox = await startSandbox({ switches: { lastPage: 'error' } });
const cms = createCmsClient({ baseUrl: sandbox.url, token: sandbox.token });
const concert = { title: 'Concert', date: '2030-05-01', endDate: '2030-05-01', time: { start: '19:30:00' } };
const { id } = await cms.events().create(concert);
const { title } = await cms.events().get(id);
await cms.close();
await sandbox.close();
if (title !== 'Concert' || sandbox.writes() !== 1) throw new Error(`created: ${title}`);
// @ts-expect-error: there is no such resource
export const wrong = () => defineSync({ resource: 'rooms' });
// @ts-expect-error: there is no such switch
export const odd = () => startSandbox({ switches: { earthquake: true } });
USES
tsc uses.ts --noEmit --ignoreConfig --strict --module nodenext --target es2024 --lib es2024,esnext.disposable --types node \
  --typeRoots "$root/node_modules/@types"
node --disable-warning=ExperimentalWarning uses.ts
node --disable-warning=ExperimentalWarning -e 'if (typeof require("feedferry/cms").createCmsClient !== "function") process.exit(1)'
echo 'The packed package works.'
