import type { SyncConfig } from '../../config/types.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import { errorTable } from '../../core/errors.ts';
import { nameWithKey } from '../../core/text/record-title.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { KeptRejection } from '../../ledger/runs/rejections.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import { BYTE_ORDER_MARK } from '../../queries/answers/csv-line.ts';
import { withTitles } from '../../queries/answers/rejected-title.ts';
import { readingOf, rejectionLines } from '../../queries/syncs/rejects.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { colour, plain, print, printJson, write } from '../output/print.ts';
import { textTable } from '../output/tables.ts';
import { selectSync } from '../select-sync.ts';
import { withLedger } from '../with-ledger.ts';

export const rejectsCommand = defineCommand('rejects')
  .argument('<sync>', 'name of a sync file')
  .option('--run <run>', 'id of a run or plan (default: the last run that read records)')
  .option('--csv', 'print CSV for a spreadsheet, including the source fields')
  .option('--no-bom', 'leave out the byte order mark that Excel needs to recognise UTF-8')
  .action(execute(rejects));

async function rejects(context: CommandContext, name: string, options: { run?: string; csv?: boolean; bom: boolean }) {
  const { environment, json } = context;
  const { config, sync } = selectSync(name, environment);
  return withLedger(environment, async (ledger) => {
    const run = await readingOf(sync.name, options.run, ledger);
    if (options.csv) await printCsv(run, ledger, options.bom);
    else if (json) await printLines(run, ledger);
    else await printTable(sync, run, ledger, config.target.timezone);
    return EXIT.success;
  });
}

function rejectionsOf(run: PastRun | undefined, ledger: Ledger): AsyncIterable<KeptRejection> | [] {
  return run ? ledger.runs.rejections(run.run) : [];
}

async function printLines(run: PastRun | undefined, ledger: Ledger): Promise<void> {
  for await (const { at, key, code, reason, fields } of rejectionsOf(run, ledger)) {
    printJson({ run: run?.run, at, key, code, reason, remedy: errorTable[code].remedy, fields });
  }
}

async function printCsv(run: PastRun | undefined, ledger: Ledger, byteOrderMark: boolean): Promise<void> {
  if (byteOrderMark) await write(BYTE_ORDER_MARK);
  for await (const line of rejectionLines(run, ledger)) await write(line);
}

async function printTable(sync: SyncConfig, run: PastRun | undefined, ledger: Ledger, timezone: string): Promise<void> {
  const { name } = sync;
  if (!run) return print(`${name}: no run has read records yet.`);
  const read: KeptRejection[] = [];
  for await (const rejection of rejectionsOf(run, ledger)) read.push(rejection);
  const rejections = await withTitles(read, name, sync, ledger);
  const { kind, startedAt, counts } = run;
  const when = siteTime(startedAt, timezone);
  print(`${name}: the ${kind} ${run.run} (${when}) rejected ${rejections.length} of ${counts.read} records.`);
  if (rejections.length === 0) return;
  const column = (heading: string, cell: (rejection: (typeof rejections)[number]) => string) => {
    return { heading, cells: rejections.map((rejection) => plain(cell(rejection)).replaceAll(/\s+/g, ' ')) };
  };
  print(
    textTable([
      column('place', ({ at }) => at),
      column('record', ({ key = '', title }) => nameWithKey({ key, title })),
      column('reason', ({ code, reason }) => `${code} ${reason}`),
    ]),
  );
  print('');
  for (const code of new Set(rejections.map((rejection) => rejection.code))) {
    print(`${colour('red', code)} → ${errorTable[code].remedy}`);
  }
}
