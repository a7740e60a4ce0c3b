// npm run dev -- compare:zones FOLDER: compares the offset of every zone at every hour from 2020 to 2035 with tables that `zic` has
// compiled into FOLDER (from the source of the IANA database: `zic -b fat -d FOLDER africa … backward`). Needs `zdump`.
// Both should have the same version of the database: this process uses the one in Node, or in ICU_TIMEZONE_FILES_DIR.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { namedZone } from '../src/core/dates/zone.ts';
import { zoneRules } from '../src/core/dates/zone-rules.ts';

const HOUR = 3_600_000;
const [FROM, TO] = [Date.UTC(2020, 0, 1), Date.UTC(2036, 0, 1)];

interface Period {
  /** First instant, in ms since 1970. */
  from: number;
  offset: number;
}

const [folder = ''] = process.argv.slice(2);
const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
const zones = entries
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  .filter((name) => name !== 'Factory')
  .sort();
if (zones.length === 0) throw new Error(`${folder} has no compiled zones.`);

let differences = 0;
for (const zone of zones) {
  const found = differencesOf(zone);
  differences += found.length;
  const [first] = found;
  if (first !== undefined) console.log(`${zone}: ${found.length} hours differ, first ${new Date(first).toISOString()}`);
}
console.log(`${zones.length} zones, ${(TO - FROM) / HOUR} hours each, rules ${zoneRules}: ${differences} differences`);
process.exitCode = differences === 0 ? 0 : 1;

function differencesOf(name: string): number[] {
  const periods = periodsOf(name);
  const zone = namedZone(name);
  const differing: number[] = [];
  let current = 0;
  for (let instant = FROM; instant < TO; instant += HOUR) {
    while ((periods[current + 1]?.from ?? TO) <= instant) current += 1;
    if (zone.offsetAt(instant) !== periods[current]?.offset) differing.push(instant);
  }
  return differing;
}

/** Reads the lines of `zdump -i`: day and time by the clock after the change, and the offset. The first line has no time. */
function periodsOf(zone: string): Period[] {
  const dumped = execFileSync('zdump', ['-i', '-c', '2020,2036', join(folder, zone)], { encoding: 'utf8' });
  const lines = dumped.split('\n').filter((line) => /^(-|\d)/.test(line));
  return lines.map((line) => {
    const [day = '', time = '', offset = ''] = line.split('\t');
    const ms = offsetOf(offset);
    return { from: day === '-' ? Number.NEGATIVE_INFINITY : wallTime(day, time) - ms, offset: ms };
  });
}

/** Parses an offset such as `-0330` or `+01`: hours, minutes and seconds, without colons. */
function offsetOf(text: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /^([+-])(\d\d)(\d\d)?(\d\d)?$/.exec(text) ?? [];
  if (sign === undefined) throw new Error(`${text} is no offset.`);
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

/** Parses a day such as `2026-11-01` and a time such as `02`, `02:30` or `02:30:15`. */
function wallTime(day: string, time: string): number {
  const [hours = '0', minutes = '0', seconds = '0'] = time.split(':');
  return Date.parse(`${day}T00:00:00Z`) + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
}
