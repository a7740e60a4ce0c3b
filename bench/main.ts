// npm run build && npm run bench -- [--runs 5] [--only TEXT] [--profile DIR] [--against DIR [--most 1.1]]
// Whole commands on a fast CMS, beside a bare loop without a ledger: medians, and what is owed. The ways take turns, each in
// processes of its own with a new ledger, so that a busy machine is equally unkind to all. `--only 20` plays the scenarios whose
// names have that text. `--against DIR` compares the first runs with those of another checkout, built: see against.ts.
import { parseArgs } from 'node:util';
import { firstRunsAgainst } from './against.ts';
import { openEngine } from './engines.ts';
import { bareRound, feedferryRound, type Pass, type Round } from './rounds.ts';
import { exceedsLimit, judge, type Scenario, scenarios } from './scenarios.ts';
import { markdown } from './table.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    profile: { type: 'string' },
    against: { type: 'string' },
    most: { type: 'string', default: '1.1' },
  },
});
const profiler = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];

const wanted = scenarios.filter(({ name, engine }) => `${engine}: ${name}`.includes(values.only));
if (values.against !== undefined) {
  const [scenario] = wanted;
  const options = { runs: Number(values.runs), most: Number(values.most) };
  const isFastEnough = scenario !== undefined && (await firstRunsAgainst(values.against, scenario, options));
  process.exit(isFastEnough ? 0 : 1);
}
const rows: string[][] = [];
for (const scenario of wanted) {
  rows.push(...(await play(scenario)));
}
console.log(markdown(['', 'figure', 'measured', 'owed', ''], rows));

async function play(scenario: Scenario): Promise<string[][]> {
  const { load, targets } = scenario;
  const title = `${scenario.engine}: ${scenario.name}`;
  const engine = await openEngine(scenario.engine);
  if (!engine) return [[title, '', 'left out', '', '']];
  const [bare, rounds]: [Pass[], Round[]] = [[], []];
  try {
    for (let run = 1; run <= Number(values.runs); run += 1) {
      console.error(`${title}, round ${run} of ${values.runs} …`);
      if (targets.throughput !== undefined || targets.cpu !== undefined) bare.push(await bareRound(load));
      rounds.push(await feedferryRound(engine, load, { nodeOptions: profiler }));
    }
  } finally {
    await engine.stop();
  }
  const judged = judge(scenario, bare, rounds);
  if (exceedsLimit(scenario, rounds)) throw new Error(`${title}: more requests were in flight than the limit allows`);
  if (judged.some(({ isMet }) => !isMet)) process.exitCode = 1;
  return judged.map(({ name, figure, target, isMet }) => [
    title,
    name,
    shown(figure),
    shown(target),
    isMet ? 'met' : 'MISSED',
  ]);
}

function shown(figure: number): string {
  return figure >= 10 ? Math.round(figure).toLocaleString('en') : figure.toFixed(2);
}
