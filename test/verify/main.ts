// npm run dev -- test:verify [--items 20000] [--drifts 1000] [--minutes M] [--switches '{"cleared":"omit"}']
// Plants drifts of every kind among the items that feedferry has delivered, and as many changes that are none, under every switch
// of the sandbox, and prints what a verification finds. With --minutes, it begins with any switch, and ends when the time is over.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { foundBy, openPlantedSite } from './planted-site.ts';
import { variants } from './variants.ts';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '20000' },
    drifts: { type: 'string', default: '1000' },
    minutes: { type: 'string' },
    switches: { type: 'string' },
  },
});
const [items, drifts] = [Number(values.items), Number(values.drifts)];
const until = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
const first = values.minutes === undefined ? 0 : randomInt(variants.length);
const inTurn = [...variants.slice(first), ...variants.slice(0, first)];

for (const switches of values.switches === undefined ? inTurn : [JSON.parse(values.switches)]) {
  if (performance.now() > until) break;
  const site = await openPlantedSite(items, drifts, { switches });
  try {
    const before = process.memoryUsage().rss;
    const begunAt = performance.now();
    const result = await site.verify();
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(1);
    const found = new Set(foundBy(result));
    const planted = new Set(site.planted);
    const missed = [...planted].filter((text) => !found.has(text));
    const alarms = [...found].filter((text) => !planted.has(text));
    const { rss } = process.memoryUsage();
    console.log(
      `${JSON.stringify(switches)}: ${planted.size} planted, ${planted.size - missed.length} found, ${alarms.length} false alarms; ` +
        `${result.items} items, ${result.requests} requests, ${seconds} s, +${Math.round((rss - before) / 2 ** 20)} MiB`,
    );
    for (const text of missed.slice(0, 5)) console.log(`  missed: ${text}`);
    for (const text of alarms.slice(0, 5)) console.log(`  false: ${text}`);
    if (missed.length + alarms.length > 0 || !result.certificate.proven) process.exitCode = 1;
  } finally {
    await site[Symbol.asyncDispose]();
  }
}
