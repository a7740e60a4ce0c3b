// npm run dev -- compare:calendars DIR: reads each calendar in DIR with the connector and with node-ical, and prints the events that
// only one of the two finds.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWithConnector } from '../test/contract/calendars/connector.ts';
import { readWithNodeIcal } from '../test/contract/calendars/node-ical.ts';
import { differencesOf } from '../test/contract/calendars/reading.ts';

const MOST_LINES = 3;
const window = { from: '2000-01-01', to: '2030-12-31' };

const [dir] = process.argv.slice(2);
const files = dir === undefined ? [] : globSync('**/*.ics', { cwd: dir }).sort();
if (dir === undefined || files.length === 0) {
  process.stderr.write('Usage: npm run dev -- compare:calendars DIR, with calendars (.ics) in it.\n');
  process.exitCode = 2;
} else {
  for (const file of files) await compare(file, readFileSync(join(dir, file)));
}

async function compare(file: string, bytes: Buffer): Promise<void> {
  const ours = await readWithConnector(bytes, window);
  const differences = differencesOf(ours, readWithNodeIcal(bytes.toString(), window));
  process.stdout.write(`${file}: ${ours.size} UIDs, ${differences.length} differ\n`);
  for (const { uid, onlyOurs, onlyTheirs } of differences) {
    process.stdout.write(`  ${uid}\n${linesOf('feedferry', onlyOurs)}${linesOf('node-ical', onlyTheirs)}`);
  }
}

function linesOf(reader: string, occurrences: readonly string[]): string {
  const shown = occurrences.slice(0, MOST_LINES).map((one) => `    only ${reader}: ${one}\n`);
  const more = occurrences.length - shown.length;
  return `${shown.join('')}${more > 0 ? `    only ${reader}: ${more} more\n` : ''}`;
}
