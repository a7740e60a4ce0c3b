// npm run build && npm run dev -- bench:ical [--events N]: time and memory of reading calendars with their occurrences, compared with plain node-ical.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import Table from 'cli-table3';
import { writeCalendar, writeCostlyCalendars } from './calendar.ts';
import type { IcalReading } from './ical-one.ts';
import { type Measured, runMeasured } from './measured-process.ts';
import { median } from './table.ts';

const MOST_GROWTH = 2.3;
const MOST_RATIO = 2;
const MOST_PEAK_MB = 250;
/** For any feed of 5 MB. */
const COSTLY = { cpuSeconds: 5, peakMb: 300 };

const { values } = parseArgs({ options: { events: { type: 'string', default: '25000' } } });
const events = Number(values.events);
const dir = mkdtempSync(join(tmpdir(), 'feedferry-bench-'));
try {
  const zoned = writeCalendar(join(dir, 'zoned.ics'), events, ';TZID=America/New_York');
  const floating = writeCalendar(join(dir, 'floating.ics'), events, '');
  const doubled = writeCalendar(join(dir, 'doubled.ics'), events * 2, ';TZID=America/New_York');
  const bare = await run('node-ical', zoned);
  const ours = await run('feedferry', zoned);
  const isFast = report(bare, ours, await run('feedferry', floating), await run('feedferry', doubled));
  const isPreviewFast = await reportPreview(zoned);
  const isBounded = await reportCostly(writeCostlyCalendars(dir));
  process.exitCode = isFast && isPreviewFast && isBounded ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true });
}

/** Reads in a separate process, so that its peak memory is measured alone. */
async function run(way: string, file: string): Promise<IcalReading> {
  const script = join(import.meta.dirname, 'ical-one.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    script,
    way,
    file,
  ]);
  return JSON.parse(stdout) as IcalReading;
}

/** @returns whether the targets are met */
function report(bare: IcalReading, zoned: IcalReading, floating: IcalReading, doubled: IcalReading): boolean {
  const table = new Table({ head: ['reading', 'records', 'seconds', 'CPU s', 'peak MB'], style: { head: [] } });
  const rows = { 'node-ical alone, zoned': bare, zoned, floating, 'zoned, twice as many': doubled };
  for (const [name, { records, seconds, cpuSeconds, peakBytes }] of Object.entries(rows)) {
    table.push([name, records, seconds.toFixed(1), cpuSeconds.toFixed(1), Math.round(peakBytes / 1e6)]);
  }
  const ratio = zoned.cpuSeconds / bare.cpuSeconds;
  const growth = doubled.seconds / zoned.seconds;
  const peak = Math.max(zoned.peakBytes, floating.peakBytes) / 1e6;
  process.stdout.write(`${table.toString()}\n`);
  process.stdout.write(`${ratio.toFixed(2)} of the CPU time of node-ical (at most ${MOST_RATIO}); `);
  process.stdout.write(`twice the events take ${growth.toFixed(2)} of the time (at most ${MOST_GROWTH}); `);
  process.stdout.write(`peak ${Math.round(peak)} MB (below ${MOST_PEAK_MB})\n`);
  return ratio <= MOST_RATIO && growth <= MOST_GROWTH && peak < MOST_PEAK_MB;
}

/** The whole command, as users start it: built. Medians of three; returns whether they stay within the limits. */
async function reportPreview(calendar: string): Promise<boolean> {
  const main = join(import.meta.dirname, '../dist/src/cli/main.js');
  mkdirSync(join(dir, 'syncs'));
  writeFileSync(
    join(dir, 'feedferry.yaml'),
    'target: { baseUrl: "http://127.0.0.1", token: none, timezone: America/New_York }\n',
  );
  writeFileSync(join(dir, 'syncs/zoned.yaml'), 'resource: events\nsource: { connector: ical, url: ../zoned.ics }\n');
  const [bare, previews]: [number[], Measured[]] = [[], []];
  for (let round = 1; round <= 3; round += 1) {
    bare.push((await run('node-ical', calendar)).cpuSeconds);
    previews.push(await runMeasured(main, ['preview', 'zoned', '--config', dir], {}));
  }
  const cpuSeconds = median(previews.map((preview) => preview.cpuSeconds));
  const [ratio, peak] = [cpuSeconds / median(bare), median(previews.map(({ peakBytes }) => peakBytes / 1e6))];
  process.stdout.write(`feedferry preview zoned: ${cpuSeconds.toFixed(1)} CPU s, ${ratio.toFixed(2)} of node-ical `);
  process.stdout.write(`(at most ${MOST_RATIO}); peak ${Math.round(peak)} MB (below ${MOST_PEAK_MB})\n`);
  return ratio <= MOST_RATIO && peak < MOST_PEAK_MB;
}

/** @returns whether every calendar stays within the limits */
async function reportCostly(files: Record<string, string>): Promise<boolean> {
  const table = new Table({ head: ['costly calendar, one year', 'records', 'CPU s', 'peak MB'], style: { head: [] } });
  let isBounded = true;
  for (const [name, file] of Object.entries(files)) {
    const { records, cpuSeconds, peakBytes } = await run('one-year', file);
    table.push([name, records, cpuSeconds.toFixed(1), Math.round(peakBytes / 1e6)]);
    isBounded &&= cpuSeconds <= COSTLY.cpuSeconds && peakBytes / 1e6 <= COSTLY.peakMb;
  }
  process.stdout.write(`${table.toString()}\nat most ${COSTLY.cpuSeconds} CPU s and ${COSTLY.peakMb} MB\n`);
  return isBounded;
}
