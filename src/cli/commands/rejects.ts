import type { Command } from 'commander';
import { CodedError, errorTable } from '../../core/errors.ts';
import type { Json } from '../../core/record.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { KeptRejection } from '../../ledger/runs/rejections.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit.ts';
import { BYTE_ORDER_MARK, csvLine } from '../output/csv.ts';
import { colour, plain, plainTable, print, printJson } from '../output/tables.ts';
import { selectSync, withLedger } from '../with-app.ts';

const WIDEST_REASON = 100;

interface RejectsOptions extends CommonOptions {
  run?: string;
  csv?: boolean;
  bom: boolean;
}

export function rejectsCommand(): Command {
  return defineCommand('rejects', 'list the records that a run has set aside, and why')
    .argument('<sync>', 'name of a sync file')
    .option('--run <run>', 'id of a run or plan (default: the last one that has read records)')
    .option('--csv', 'print CSV for a spreadsheet, with the fields of the source')
    .option('--no-bom', 'leave out the byte order mark by which Excel recognises UTF-8')
    .action(execute(rejects));
}

async function rejects(context: CommandContext, name: string, options: RejectsOptions): Promise<number> {
  const { environment, json } = context;
  const { sync } = selectSync(name, environment);
  return withLedger(environment, async (ledger) => {
    const run = await findRunOf(sync.name, options.run, ledger);
    if (options.csv) await printCsv(run, ledger, options.bom);
    else if (json) await printLines(run, ledger);
    else await printTable(sync.name, run, ledger);
    return EXIT.success;
  });
}

async function findRunOf(sync: string, id: string | undefined, ledger: Ledger): Promise<PastRun | undefined> {
  if (id === undefined) return ledger.pastRuns.lastReading(sync);
  const run = await ledger.pastRuns.find(id);
  if (run?.sync === sync) return run;
  throw new CodedError('FF_RUN_UNKNOWN', `"${sync}" has no run "${id}"${run ? `; it is a run of "${run.sync}"` : ''}`);
}

function rejectionsOf(run: PastRun | undefined, ledger: Ledger): AsyncIterable<KeptRejection> | [] {
  return run ? ledger.rejections.of(run.run) : [];
}

async function printLines(run: PastRun | undefined, ledger: Ledger): Promise<void> {
  for await (const { at, key, code, reason, fields } of rejectionsOf(run, ledger)) {
    printJson({ run: run?.run, at, key, code, reason, remedy: errorTable[code].remedy, fields });
  }
}

/** Our columns first, then those of the source: each field that any of the records has. */
async function printCsv(run: PastRun | undefined, ledger: Ledger, byteOrderMark: boolean): Promise<void> {
  const names = new Set<string>();
  for await (const { fields } of rejectionsOf(run, ledger)) {
    for (const name of Object.keys(fields ?? {})) names.add(name);
  }
  const columns = [...names];
  process.stdout.write(byteOrderMark ? BYTE_ORDER_MARK : '');
  process.stdout.write(csvLine(['at', 'key', 'code', 'reason', 'remedy', ...columns]));
  for await (const { at, key = '', code, reason, fields = {} } of rejectionsOf(run, ledger)) {
    const cells = columns.map((name) => (Object.hasOwn(fields, name) ? toText(fields[name]) : ''));
    process.stdout.write(csvLine([at, key, code, reason, errorTable[code].remedy, ...cells]));
  }
}

function toText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function printTable(sync: string, run: PastRun | undefined, ledger: Ledger): Promise<void> {
  if (!run) return print(process.stdout, `${sync}: no run has read records yet.`);
  const table = plainTable(['place', 'key', 'code', 'reason'], { left: 4 });
  const remedies = new Map<string, string>();
  for await (const { at, key = '', code, reason } of rejectionsOf(run, ledger)) {
    table.push([plain(at), plain(key), colour('red', code), shorten(plain(reason))]);
    remedies.set(code, errorTable[code].remedy);
  }
  const heading = `${sync}: ${run.kind} ${run.run} of ${run.startedAt} rejected ${table.length} of ${run.counts.read} records.`;
  print(process.stdout, heading);
  if (table.length === 0) return;
  print(process.stdout, table.toString());
  for (const [code, remedy] of remedies) print(process.stdout, `${colour('red', code)} → ${remedy}`);
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > WIDEST_REASON ? `${line.slice(0, WIDEST_REASON - 1)}…` : line;
}
