import { loadUsableAppConfig } from '../../app/load-config.ts';
import { syncNamed, withBroken } from '../../config/select.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import { type CommandContext, defineCommand, execute, readLimit } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { print, printJson } from '../output/print.ts';
import { describeRunRecords, resultColumn } from '../output/run-tables.ts';
import { textTable, unbroken } from '../output/tables.ts';
import { warnOfBroken } from '../select-sync.ts';
import { withLedger } from '../with-ledger.ts';

export const runsCommand = defineCommand('runs')
  .argument('[sync]', 'name of a sync, also of one that no longer has a file (default: all)')
  .option('--limit <n>', 'how many runs to list', '20')
  .option('--changed', 'list only runs that changed something in the CMS')
  .action(execute(runs));

async function runs(context: CommandContext, sync: string | undefined, options: { limit: string; changed?: boolean }) {
  const { environment, json } = context;
  const { changed } = options;
  const limit = readLimit(options.limit, 'runs');
  const config = loadUsableAppConfig(environment);
  warnOfBroken(config);
  const found = await withLedger(environment, (ledger) => ledger.runs.newest({ sync, limit, changed }));
  if (sync !== undefined && found.length === 0) syncNamed(sync, withBroken(config));
  if (json) printJson({ runs: found });
  else if (found.length === 0) print(changed ? 'No run has changed anything in the CMS.' : 'Nothing has run yet.');
  else print(pastRunsTable(found, config.target.timezone));
  return EXIT.success;
}

function pastRunsTable(runs: readonly PastRun[], timezone: string): string {
  return textTable([
    {
      heading: 'run',
      cells: runs.map(({ run, startedAt }) => `${run} ${unbroken(siteTime(startedAt, timezone))}`),
    },
    { heading: 'sync', cells: runs.map(({ sync }) => sync) },
    { heading: 'kind', cells: runs.map(({ kind }) => kind) },
    resultColumn(runs),
    { heading: 'seconds', align: 'right', cells: runs.map(({ durationMs }) => (durationMs / 1000).toFixed(1)) },
    { heading: 'records', cells: runs.map(describeRunRecords) },
  ]);
}
