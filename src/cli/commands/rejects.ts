import { siteTime } from '../../core/dates/site-time.ts';
import { quantity } from '../../core/text/describe-changes.ts';
import { nameWithKey } from '../../core/text/record-title.ts';
import { terminalText } from '../../core/text/text-parts.ts';
import type { RejectGroupView, RejectsView } from '../../queries/views/sync.ts';
import { type CommandContext, defineCommand, execute, readLimit } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { colour, plain, print, printJson, write } from '../output/print.ts';
import { textTable } from '../output/tables.ts';
import { withQueries } from '../with-ledger.ts';

export const rejectsCommand = defineCommand('rejects')
  .argument('<sync>', 'name of a sync file')
  .option('--run <run>', 'id of a run or plan (default: the last run that read records)')
  .option('--limit <n>', 'how many records to list for each reason', '20')
  .option('--csv', 'print CSV of all records for a spreadsheet, including the source fields')
  .option('--no-bom', 'leave out the byte order mark that Excel needs to recognise UTF-8')
  .action(execute(rejects));

interface RejectsOptions {
  run?: string;
  limit: string;
  csv?: boolean;
  bom: boolean;
}

async function rejects({ environment, json }: CommandContext, name: string, options: RejectsOptions) {
  const { run, csv, bom } = options;
  const limit = readLimit(options.limit, 'records');
  return withQueries(environment, async (queries, { config }) => {
    const view = await queries.rejects(name, { run, limit });
    if (csv)
      for await (const line of queries.rejectsCsv(name, run)) await write(bom ? line : line.replace('\uFEFF', ''));
    else if (json) printJson(view);
    else printRejects(name, view, config.target.timezone);
    return EXIT.success;
  });
}

function printRejects(name: string, { run, startedAt, read, total, groups }: RejectsView, timezone: string): void {
  if (run === null) {
    print(`${name}: no run has read records yet.`);
    return;
  }
  const when = startedAt === undefined ? '' : ` (${siteTime(startedAt, timezone)})`;
  print(`${name}: run ${run}${when} rejected ${total} of ${quantity(read, 'record')}.`);
  for (const group of groups) printGroup(name, run, group);
}

function printGroup(sync: string, run: string, { code, cause, remedy, total, first }: RejectGroupView): void {
  const column = (heading: string, cell: (rejection: (typeof first)[number]) => string) => {
    return { heading, cells: first.map((rejection) => plain(cell(rejection)).replaceAll(/\s+/g, ' ')) };
  };
  print(`\n${colour('red', code)} ${cause} (${total})\n  → ${terminalText(remedy, { sync })}`);
  print(
    textTable([
      column('place', ({ at }) => at),
      column('record', ({ key = '', title }) => nameWithKey({ key, title })),
      column('reason', ({ reason }) => reason),
    ]),
  );
  if (total > first.length) print(`… and ${total - first.length} more: feedferry rejects ${sync} --run ${run} --csv`);
}
