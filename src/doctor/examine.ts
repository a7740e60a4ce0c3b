import type { Environment } from '../app/environment.ts';
import { loadUsableAppConfig } from '../app/load-config.ts';
import { queueName } from '../app/queue.ts';
import { siteOf } from '../app/target-id.ts';
import { ConfigError, type ConfigProblem, describeProblem } from '../config/files/problems.ts';
import type { Config } from '../config/types.ts';
import { zoneRules, zoneRulesDoubt } from '../core/dates/zone-rules.ts';
import { errorTable } from '../core/errors.ts';
import { checkDataDir } from './checks/data-dir.ts';
import { checkFeed, READING_MS } from './checks/feed-check.ts';
import { checkLedger } from './checks/ledger-check.ts';
import { checkLimits } from './checks/limits-check.ts';
import { checkRedis } from './checks/redis-check.ts';
import { checkSecret } from './checks/secret-check.ts';
import { checkZones } from './checks/zones.ts';
import { checkCms } from './cms/cms-check.ts';
import { capped } from './findings/capped.ts';
import { type Check, type Examination, type Finding, ok, problemOf } from './findings/finding.ts';

const WITHIN_MS = 30_000;
/** Time limit for reading a feed and then fetching a file. */
const FEED_MS = 2 * READING_MS;
/** Time limit for dozens of requests, under the limits of the target. */
const CMS_MS = 120_000;

/**
 * Checks everything that feedferry depends on, one thing after the other, without writing to the CMS or starting a run. If a
 * check fails, the other checks continue.
 */
export async function* examine(examination: Examination): AsyncGenerator<Finding> {
  const config = yield* readConfig(examination.environment);
  for (const check of checksOf(config, examination)) {
    if (examination.signal.aborted) return;
    yield* capped(check, examination.signal);
  }
}

/** Reads the config, and yields its mistakes if there are any. */
function* readConfig(environment: Environment): Generator<Finding, Config | undefined> {
  const check = 'config';
  try {
    const config = loadUsableAppConfig(environment);
    const { broken, syncs, dir, target } = config;
    for (const { name, problems } of broken) yield* problems.map((each) => mistake(each, `${name} cannot run.`));
    if (broken.length === 0) yield ok(check, `${dir} is valid: ${syncs.length} syncs for ${target.baseUrl}.`);
    return syncs.length > 0 ? config : undefined;
  } catch (error) {
    const follows = 'No sync can run. Feeds, the CMS and time zones were not checked.';
    if (error instanceof ConfigError) yield* error.problems.map((each) => mistake(each, follows));
    else yield problemOf(check, error, follows);
    return undefined;
  }

  function mistake(problem: ConfigProblem, follows: string): Finding {
    const { code } = problem;
    return { check, is: 'problem', message: describeProblem(problem), follows, remedy: errorTable[code].remedy, code };
  }
}

/** Returns the checks to run. Without a valid config, only the machine can be checked. */
function checksOf(config: Config | undefined, examination: Examination): Check[] {
  const { environment } = examination;
  const queue = config && queueName(siteOf(config.target.baseUrl));
  const machine: Check[] = [
    { name: 'node', asks: 'this machine', withinMs: WITHIN_MS, find: checkNode },
    { name: 'data', asks: 'the data directory', withinMs: WITHIN_MS, find: () => checkDataDir(environment) },
    { name: 'ledger', asks: 'the ledger', withinMs: WITHIN_MS, find: () => checkLedger(environment) },
    { name: 'redis', asks: 'Redis', withinMs: WITHIN_MS, find: () => checkRedis(environment, queue) },
  ];
  if (!config) return machine;
  return [
    ...machine,
    { name: 'secret', asks: 'the ledger', withinMs: WITHIN_MS, find: () => checkSecret(environment, config) },
    { name: 'zones', asks: 'the calendar of time zones', withinMs: WITHIN_MS, find: () => checkZones(config) },
    { name: 'limits', asks: 'the ledger', withinMs: WITHIN_MS, find: () => checkLimits(environment, config) },
    ...config.syncs.map((sync): Check => {
      const asks = `the feed of ${sync.name}`;
      return { name: `feed.${sync.name}`, asks, withinMs: FEED_MS, find: (signal) => checkFeed(config, sync, signal) };
    }),
    {
      name: 'cms',
      asks: `the CMS (${config.target.baseUrl})`,
      withinMs: CMS_MS,
      find: (signal) => checkCms(config, { ...examination, signal }),
    },
  ];
}

const outdatedRules = {
  follows: 'Events in places that have changed their clocks since may be an hour off.',
  remedy:
    'Update Node, or set ICU_TIMEZONE_FILES_DIR to a folder with newer rules (`feedferry help configuration`, "Time zone rules").',
};

/** Reports the runtime. The command line has already checked that Node is new enough. */
async function* checkNode(): AsyncGenerator<Finding> {
  const { node, sqlite = 'none' } = process.versions;
  yield ok('node', `Node ${node} with SQLite ${sqlite} and time zone rules ${zoneRules}.`);
  const message = zoneRulesDoubt(zoneRules, Date.now());
  if (message) yield { check: 'node.zones', is: 'warning', message, ...outdatedRules };
}
