// Kills planners, workers, Redis, PostgreSQL and the CMS at random moments and checks that nothing is lost or doubled:
// npm run dev -- test:crash [--rounds 4] [--minutes M] [--seed N] [--combination sqlite+bullmq]
// The rounds are dealt to the combinations of ledger and queue in turn. Round n has the seed N + n.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { buildProgram } from '../../scripts/build-program.ts';
import { findTestPrograms } from '../support/find-programs.ts';
import { combinations } from './combination.ts';
import { figures, formatRound, killsOf } from './figures.ts';
import { playRound, type RoundReport } from './round.ts';
import { missingServer, openServers } from './servers/servers.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    combination: { type: 'string' },
  },
});
const chosen = combinations.filter(({ name }) => name === (values.combination ?? name));
if (chosen.length === 0) throw new Error(`The combinations are ${combinations.map(({ name }) => name).join(', ')}.`);
const rounds = Number(values.rounds ?? (values.minutes ? Number.POSITIVE_INFINITY : chosen.length));
const ms = Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
const firstSeed = Number(values.seed ?? randomInt(1_000_000_000));

// So that nothing is left behind: what was started goes when this process exits.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

buildProgram();
const servers = openServers(findTestPrograms({ redis: true, postgres: true }));
const playable = chosen.filter((combination) => {
  const missing = missingServer(combination, servers.programs);
  if (missing) console.error(`LEFT OUT: ${combination.name}, for there is no ${missing}.`);
  return !missing;
});

const until = performance.now() + ms;
console.log(`${values.minutes ? `${values.minutes} minutes` : `${rounds} rounds`}, seed ${firstSeed}`);
const reports: RoundReport[] = [];
try {
  for (let round = 0; round < rounds && performance.now() < until; round++) {
    const combination = playable[round % playable.length];
    if (!combination) break;
    const report = await playRound(combination, firstSeed + round, servers);
    console.log(formatRound(report));
    reports.push(report);
  }
} finally {
  await servers.close();
}
console.log(`\n${figures(reports)}\n\n${killsOf(...reports)} kills, seed ${firstSeed}`);
process.exitCode = reports.length > 0 && reports.every(({ findings }) => findings.length === 0) ? 0 : 1;
