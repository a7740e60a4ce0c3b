// npm run dev -- bench:console [--syncs 50] [--records 20000] [--viewers 50] [--latency 50] [--rounds 3] [--engine sqlite|postgresql]…
// The console over a large ledger: the first byte of each page, and what it costs a run that delivers if many people look at it.
// `--records` are those of each sync, `--latency` is how long the CMS takes for a request, in ms. Linux only.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProgram } from '../scripts/build-program.ts';
import { startCms } from './cms-process.ts';
import { prepareSite } from './console/large-site.ts';
import { measurePages, SLOWEST_MS } from './console/pages.ts';
import { measureRuns } from './console/runs.ts';
import { startConsole } from './console/service.ts';
import { onEachEngine } from './ledger-engines.ts';
import { markdown, median } from './table.ts';

/** What viewers may cost a run. */
const MOST_PERCENT = 5;

const { values } = parseArgs({
  options: {
    syncs: { type: 'string', default: '50' },
    records: { type: 'string', default: '20000' },
    viewers: { type: 'string', default: '50' },
    latency: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '3' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgresql'] },
  },
});
const [syncs, records, viewers, rounds] = [values.syncs, values.records, values.viewers, values.rounds].map(Number) as [
  ...[number, number, number, number],
];

buildProgram();
await onEachEngine(values.engine, bench);

async function bench(name: string, database: Record<string, string>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-bench-'));
  const cms = await startCms(Number(values.latency));
  const stop: Array<() => Promise<unknown>> = [cms.stop];
  try {
    console.error(`${name}: writing ${syncs * records} records …`);
    const site = await prepareSite(dir, cms, database, { syncs, records });
    const service = await startConsole(site.variables);
    stop.unshift(service.stop);
    console.error(`${name}: pages …`);
    const pages = await measurePages(service.url, site);
    console.log(`\n## ${name}: ${syncs} syncs of ${records} records\n`);
    console.log(markdown(['page', 'first byte: median ms', 'slowest ms', 'kB', ''], pages.map(pageRow)));

    console.error(`${name}: runs …`);
    const runs = await measureRuns(service.url, { site, cms, records, viewers, rounds });
    const [alone, watched] = [median(runs.alone), median(runs.watched)];
    const cost = (100 * (alone - watched)) / alone;
    if (cost > MOST_PERCENT) process.exitCode = 1;
    const rows = [
      ['nobody looks', alone.toFixed(0), ''],
      [`${viewers} people look`, watched.toFixed(0), `${cost.toFixed(1)} % less`],
      ['their pages: median, 99 %', '', `${runs.pages.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`],
    ];
    console.log(`\n${markdown(['', 'records a second', ''], rows)}`);
  } finally {
    for (const end of stop) await end();
    rmSync(dir, { recursive: true, force: true });
  }
}

function pageRow({
  title,
  times,
  bytes,
  isLimited,
  isFailed,
}: Awaited<ReturnType<typeof measurePages>>[number]): string[] {
  const middle = median(times);
  const isMissed = isFailed || (isLimited && middle > SLOWEST_MS);
  if (isMissed) process.exitCode = 1;
  return [title, middle.toFixed(0), Math.max(...times).toFixed(0), (bytes / 1000).toFixed(1), isMissed ? 'MISSED' : ''];
}
