// npm run dev -- bench:read [--rows N] [--json-mb N]: speed and memory of reading and mapping, compared with plain csv-parse.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import Table from 'cli-table3';
import { writeConfig, writeCsv, writeJson } from './files.ts';
import type { Reading } from './read-one.ts';

const TARGET_RATIO = 0.75;
const TARGET_MAPPED_RATIO = 0.6;
const TARGET_PEAK_MB = 250;

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, 'json-mb': { type: 'string', default: '500' } },
});
const dir = mkdtempSync(join(tmpdir(), 'feedferry-bench-'));
try {
  writeConfig(dir);
  await writeCsv(join(dir, 'people.csv'), Number(values.rows));
  await writeJson(join(dir, 'people.json'), Number(values['json-mb']) * 1e6);
  const bare = await run('csv-parse');
  const rows = await run('csv-rows');
  const csv = await run('csv');
  const json = await run('json');
  process.exitCode = report(bare, rows, csv, json) ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true });
}

async function run(way: string): Promise<Reading> {
  const script = join(import.meta.dirname, 'read-one.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    script,
    way,
    dir,
  ]);
  return JSON.parse(stdout) as Reading;
}

/** @returns whether the targets are met */
function report(bare: Reading, rows: Reading, csv: Reading, json: Reading): boolean {
  const table = new Table({
    head: ['reading', 'records', 'seconds', 'records/s', 'MB/s', 'peak MB'],
    style: { head: [], border: [] },
  });
  const add = (name: string, file: string, { records, seconds, peakBytes }: Reading) =>
    table.push([
      name,
      records,
      seconds.toFixed(1),
      Math.round(records / seconds),
      (statSync(join(dir, file)).size / 1e6 / seconds).toFixed(1),
      Math.round(peakBytes / 1e6),
    ]);
  add('csv-parse alone', 'people.csv', bare);
  add('CSV', 'people.csv', rows);
  add('CSV, mapped', 'people.csv', csv);
  add('JSON, mapped', 'people.json', json);
  const ratio = bare.seconds / rows.seconds;
  const mappedRatio = bare.seconds / csv.seconds;
  const peak = Math.max(csv.peakBytes, json.peakBytes) / 1e6;
  process.stdout.write(`${table.toString()}\n`);
  process.stdout.write(`CSV at ${ratio.toFixed(2)} of csv-parse (target ${TARGET_RATIO}), `);
  process.stdout.write(`mapped at ${mappedRatio.toFixed(2)} (target ${TARGET_MAPPED_RATIO}); `);
  process.stdout.write(`peak ${Math.round(peak)} MB (target below ${TARGET_PEAK_MB})\n`);
  return ratio >= TARGET_RATIO && mappedRatio >= TARGET_MAPPED_RATIO && peak < TARGET_PEAK_MB;
}
