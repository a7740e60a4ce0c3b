import { play } from './play.ts';

const from = Number(process.argv[2] ?? 1);
const many = Number(process.argv[3] ?? 1);
const started = performance.now();
let runs = 0;
for (let seed = from; seed < from + many; seed++) {
  const played = await play(seed);
  runs += played.syncRuns;
  if (many === 1) console.log(played.story.join('\n'), JSON.stringify(played.settings));
  if (played.findings.length) console.log(seed, played.findings);
}
const ms = performance.now() - started;
console.log(`${(ms / many).toFixed(1)} ms a seed, ${(ms / runs).toFixed(1)} ms a sync run`);
