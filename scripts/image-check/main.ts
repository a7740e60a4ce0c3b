// Builds the image and runs it as users do: with Docker if an engine is running, else with buildah and crun. NODE_IMAGE replaces
// the base image.
import { join } from 'node:path';
import { findTestPrograms } from '../../test/support/find-programs.ts';
import { buildahEngine, buildahProblem } from './buildah.ts';
import { type Check, checksOf } from './checks.ts';
import { containersOf } from './containers.ts';
import { dockerEngine, dockerRuns } from './docker.ts';
import type { Engine } from './engine.ts';
import { shareWork } from './shared-work.ts';

const begin = performance.now();
const engine = findEngine();
const containers = containersOf(engine);
// The containers also receive the signal.
process.once('SIGINT', () => {
  engine.clean();
  process.exit(130);
});
try {
  engine.build();
  console.log(`The image is built with ${engine.name}. Its size: ${engine.size()}`);
  let failed = 0;
  for (const check of [...checksOf(containers), ...sharedWork()]) if (!(await passes(check))) failed++;
  const seconds = Math.round((performance.now() - begin) / 1000);
  console.log(`${failed > 0 ? `Failed checks: ${failed}.` : 'The image works.'} This took ${seconds} s.`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await containers.killAll();
  engine.clean();
}

function findEngine(): Engine {
  const root = join(import.meta.dirname, '../..');
  const { NODE_IMAGE } = process.env;
  if (dockerRuns()) return dockerEngine(root, NODE_IMAGE);
  const problem = buildahProblem();
  if (problem === undefined) return buildahEngine(root, NODE_IMAGE);
  console.error(`No Docker engine runs, and ${problem}. The image was not built, and nothing was checked.`);
  process.exit(1);
}

function sharedWork(): Check[] {
  const name = 'two workers share a run, with their secrets in files';
  const { redisServer, postgresBin } = findTestPrograms({ redis: true, postgres: true });
  if (redisServer && postgresBin)
    return [{ name, run: () => shareWork(containers, { redisServer, postgresBin, chromium: '' }) }];
  if (process.env.CI) throw new Error('CI checks everything, but Redis or PostgreSQL is not installed.');
  console.log(`not checked: ${name}, because Redis or PostgreSQL is not installed`);
  return [];
}

async function passes({ name, run }: Check): Promise<boolean> {
  try {
    await run();
    console.log(`ok   ${name}`);
    return true;
  } catch (error) {
    console.log(`FAIL ${name}: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}
