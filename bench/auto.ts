// npm run dev -- bench:auto [--most 8] [--until 240] [--seeds 1] [--real NAME]… [--seconds 20]
// What `target.concurrency: auto` comes to with CMSs of all kinds, beside the best fixed number of requests in flight. All
// profiles are simulated in virtual time, and measured after their first minute; of several seeds, the worst is shown. With --real, those of these names are run
// against an HTTP server instead, and the last half of each run is measured.
import { parseArgs } from 'node:util';
import { compare, fixedNumbers, missesOf } from './auto/compare.ts';
import { profiles } from './auto/profiles.ts';
import { measure } from './auto/real.ts';
import type { Outcome } from './auto/simulate.ts';
import { markdown } from './table.ts';

const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '8' },
    until: { type: 'string', default: '240' },
    seeds: { type: 'string', default: '1' },
    real: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '20' },
  },
});
const most = Number(values.most);
const rows: string[][] = [];
for (const profile of profiles) {
  if (values.real.length === 0) {
    const until = Number(values.until) * 1000;
    const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1);
    const comparisons = seeds.map((seed) => compare(profile, { most, from: 60_000, until, seed }));
    const worst = comparisons.toSorted(
      (one, other) =>
        other.misses.length - one.misses.length || one.found.perSecond / one.best - other.found.perSecond / other.best,
    );
    const { found, best, misses } = worst[0] ?? fail('No seeds: name 1 or more with --seeds.');
    rows.push(rowOf(profile.name, found, best, misses));
  } else if (values.real.includes(profile.name)) {
    const forMs = Number(values.seconds) * 1000;
    const found = await measure(profile, { most, forMs, measuredMs: forMs / 2 });
    const fixedMs = Math.min(10_000, forMs / 2);
    const fixed: number[] = [];
    for (const count of fixedNumbers(most)) {
      const { perSecond } = await measure(profile, { fixed: count, most, forMs: fixedMs, measuredMs: fixedMs / 2 });
      fixed.push(perSecond);
    }
    rows.push(rowOf(profile.name, found, Math.max(...fixed), missesOf(found, Math.max(...fixed))));
  }
}
const head = [
  'CMS',
  'requests/s',
  'of the best fixed',
  '429',
  'p95, × idle',
  'in flight',
  'limit on the rate',
  'missed',
];
console.log(markdown(head, rows));
if (rows.some((row) => row.at(-1) !== '')) process.exitCode = 1;

function rowOf(name: string, found: Omit<Outcome, 'changes'>, best: number, misses: string[]): string[] {
  const { perSecond, refused, p95, pace } = found;
  return [
    name,
    perSecond.toFixed(1),
    `${Math.round((100 * perSecond) / best)} %`,
    `${(100 * refused).toFixed(2)} %`,
    p95.toFixed(2),
    String(pace?.limit ?? '–'),
    pace?.perSecond?.toFixed(1) ?? '–',
    misses.join(', '),
  ];
}

function fail(message: string): never {
  throw new Error(message);
}
