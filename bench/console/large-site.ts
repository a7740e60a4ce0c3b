import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironment } from '../../src/app/environment.ts';
import type { RunResult } from '../../src/core/run.ts';
import { sqliteFile } from '../../src/ledger/database/open.ts';
import type { CmsProcess } from '../cms-process.ts';
import { copyLedger } from '../copy-ledger.ts';
import { writeEvents } from '../event-sync.ts';
import { copyName, FIRST, writeManySyncs } from '../many-syncs.ts';
import { runMeasured } from '../measured-process.ts';
import { openSqlClient, type SqlClient } from '../sql-client.ts';

/** The program as it is shipped. */
export const MAIN = join(import.meta.dirname, '../../dist/src/cli/main.js');
const CHANGED_EVERY = 100;
/** Of each sync. */
const EARLIER_RUNS = 100;

/** A config and a ledger with many records, and what is in it. */
export interface LargeSite {
  variables: Record<string, string>;
  /** Of the sync whose items are in the CMS. */
  feed: string;
  /** A run of that sync, which changed some of its records. */
  changingRun: string;
  /** A run of another sync, whose plan is held: it would delete most of its items. */
  heldRun: string;
}

/**
 * Writes a config of so many syncs. One of them creates its records in the CMS and changes some; plain SQL copies what it left in
 * the ledger for the others.
 */
export async function prepareSite(
  dir: string,
  cms: CmsProcess,
  database: Record<string, string>,
  { syncs, records }: { syncs: number; records: number },
): Promise<LargeSite> {
  const target = { CMS_BASE_URL: cms.url, CMS_API_TOKEN: cms.token, FEEDFERRY_DATA: join(dir, 'data') };
  const variables = { ...target, ...database, FEEDFERRY_CONFIG: join(dir, 'config'), LOG_LEVEL: 'warn' };
  const { configDir, dataDir, databaseUrl } = readEnvironment(variables);
  const feed = writeManySyncs(configDir, syncs);
  appendFileSync(join(configDir, 'syncs', `${copyName(1)}.yaml`), 'missing: { policy: delete, after: 1 run }\n');
  const sync = async () => runIn((await runMeasured(MAIN, ['sync', FIRST, '--json'], variables)).stdout);
  writeEvents(feed, records);
  await sync();
  writeEvents(feed, records, CHANGED_EVERY);
  const changingRun = await sync();
  const last = await sync();
  const client = await openSqlClient({ databaseUrl, file: sqliteFile(dataDir) });
  try {
    await copyLedger(client, { syncs: syncs - 1, runs: EARLIER_RUNS, last });
    await client.all(databaseUrl ? 'vacuum analyze' : 'pragma wal_checkpoint(truncate)');
    return { variables, feed, changingRun, heldRun: await hold(client, variables) };
  } finally {
    await client.close();
  }
}

/** Its feed has lost most of the records. */
async function hold(client: SqlClient, variables: Record<string, string>): Promise<string> {
  // A held run is no success.
  await runMeasured(MAIN, ['sync', copyName(1), '--json'], variables).catch(() => {});
  const [held] = await client.all(`select id from runs where sync = '${copyName(1)}' and held_set is not null`);
  if (!held) throw new Error('No run is held.');
  return String(held.id);
}

function runIn(stdout: string): string {
  const [run] = (JSON.parse(stdout) as { runs: RunResult[] }).runs;
  if (!run) throw new Error(stdout);
  return run.run;
}
