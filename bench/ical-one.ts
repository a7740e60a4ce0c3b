// Reads once, in its own process: ical-one.ts <node-ical|feedferry|one-year> <file>
import { readFileSync } from 'node:fs';
import nodeIcal from 'node-ical';
import { ical } from '../connectors/ical/ical.ts';
import { countRecords } from './count-records.ts';

/** Printed as JSON. `peakBytes` is the largest resident set. */
export interface IcalReading {
  records: number;
  seconds: number;
  cpuSeconds: number;
  peakBytes: number;
}

const YEAR = { from: '2026-01-01', to: '2026-12-31' };
const ways: Record<string, (file: string) => Promise<number>> = {
  'node-ical': async (file) => Object.keys(nodeIcal.sync.parseICS(readFileSync(file, 'utf8'))).length,
  feedferry: (file) => countRecords(ical, file),
  'one-year': (file) => countRecords(ical, file, { window: YEAR, onProblem: () => undefined }),
};

const [way = '', file = ''] = process.argv.slice(2);
const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()];
const records = await ways[way]?.(file);
if (records === undefined) throw new Error(`"${way}" is none of ${Object.keys(ways).join(', ')}`);
const cpu = process.cpuUsage(cpuBefore);
const reading: IcalReading = {
  records,
  seconds: (performance.now() - startedAt) / 1000,
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
process.stdout.write(JSON.stringify(reading));
