// npm run bench:deliver -- [--records 10000] [--latency MS]… [--engine in-process|bullmq]… [--runs 3] [--profile DIR] [--check]
// How fast feedferry delivers, beside a bare loop without a ledger. Each round is measured in processes of its own against
// a new sandbox and a new ledger; the ways take turns, so that a busy machine is equally unkind to all.
import { parseArgs } from 'node:util';
import { deliveryReport, type Ways } from './delivery-report.ts';
import { bareRound, type FeedferryRound, feedferryRound, type Load, type Pass } from './delivery-rounds.ts';
import { engineNames, openEngine } from './engines.ts';

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '10000' },
    latency: { type: 'string', multiple: true, default: ['20', '0'] },
    engine: { type: 'string', multiple: true, default: engineNames },
    runs: { type: 'string', default: '3' },
    profile: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
});

const opened = await Promise.all(values.engine.map((name) => openEngine(name)));
const engines = opened.filter((engine) => engine !== undefined);
try {
  for (const latency of values.latency) {
    const load: Load = { records: Number(values.records), latencyMs: Number(latency), profile: values.profile };
    const { text, missed } = deliveryReport(await measure(load, Number(values.runs)), load);
    console.log(text);
    for (const target of missed) console.error(`MISSED: ${target}`);
    if (values.check && missed.length > 0) process.exitCode = 1;
  }
} finally {
  for (const engine of engines) await engine.stop();
}

async function measure(load: Load, runs: number): Promise<Ways> {
  const bare: Pass[] = [];
  const feedferry = new Map<string, FeedferryRound[]>(engines.map(({ name }) => [name, []]));
  for (let run = 1; run <= runs; run += 1) {
    console.error(`${load.latencyMs} ms latency, round ${run} of ${runs} …`);
    bare.push(await bareRound(load));
    for (const engine of engines) feedferry.get(engine.name)?.push(await feedferryRound(engine, load));
  }
  return { bare, feedferry };
}
