// Runs the service for a while on feeds that never rest and a CMS that often fails, and checks the result:
// npm run dev -- soak [--minutes 10] [--seed N] [--engines postgresql+bullmq]
// Without --engines: first SQLite and no Redis, then PostgreSQL and Redis, each for that long.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { buildProgram } from '../../scripts/build-program.ts';
import { combinations } from '../crash/combination.ts';
import { missingServer, openServers } from '../crash/servers/servers.ts';
import { findTestPrograms } from '../support/find-programs.ts';
import { formatSoak } from './figures.ts';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, engines: { type: 'string', multiple: true } },
});
const engines = values.engines ?? ['sqlite+in-process', 'postgresql+bullmq'];
const chosen = combinations.filter(({ name }) => engines.includes(name));
if (chosen.length < engines.length) {
  throw new Error(`The engines are ${combinations.map(({ name }) => name).join(', ')}.`);
}
const ms = Number(values.minutes ?? 10) * 60_000;
const seed = Number(values.seed ?? randomInt(1_000_000_000));
if (!(ms > 0) || !Number.isInteger(seed)) throw new Error('--minutes and --seed are numbers.');

// So that nothing is left behind: what was started goes when this process exits.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

buildProgram();
const servers = openServers(findTestPrograms({ redis: true, postgres: true }));
let isWell = true;
try {
  for (const combination of chosen) {
    const missing = missingServer(combination, servers.programs);
    if (missing) {
      console.error(`LEFT OUT: ${combination.name}, for there is no ${missing}.`);
      isWell = false;
      continue;
    }
    const report = await soak(combination, { seed, ms }, servers);
    console.log(formatSoak(report));
    isWell &&= report.findings.length === 0;
  }
} finally {
  await servers.close();
}
process.exitCode = isWell ? 0 : 1;
