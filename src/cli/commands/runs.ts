import { siteTime } from '../../core/dates/site-time.ts';
import type { RunRowView } from '../../queries/views/overview.ts';
import { type CommandContext, defineCommand, execute, readLimit } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { print, printJson } from '../output/print.ts';
import { describeRunRecords, resultColumn } from '../output/run-tables.ts';
import { textTable, unbroken } from '../output/tables.ts';
import { withQueries } from '../with-ledger.ts';

export const runsCommand = defineCommand('runs')
  .argument('[sync]', 'name of a sync, also of one that no longer has a file (default: all)')
  .option('--limit <n>', 'how many runs to list', '20')
  .option('--changed', 'list only runs that changed something in the CMS')
  .action(execute(runs));

async function runs(context: CommandContext, sync: string | undefined, options: { limit: string; changed?: boolean }) {
  const { environment, json } = context;
  const { changed } = options;
  const limit = readLimit(options.limit, 'runs');
  return withQueries(environment, async (queries, { config }) => {
    const page = await queries.runs({ ...(sync !== undefined && { sync }), limit, ...(changed && { changed }) });
    if (json) printJson(page);
    else if (page.runs.length === 0)
      print(changed ? 'No run has changed anything in the CMS.' : 'Nothing has run yet.');
    else print(pastRunsTable(page.runs, config.target.timezone));
    return EXIT.success;
  });
}

function pastRunsTable(runs: readonly RunRowView[], timezone: string): string {
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
