import type { Command } from 'commander';
import { CodedError } from '../../core/errors.ts';
import type { Json } from '../../core/record.ts';
import type { DeliveryAttempt } from '../../ledger/history/deliveries.ts';
import { explainRecord } from '../../sync/explain/explain-record.ts';
import type { FoundRecord, SourceFinding, Story } from '../../sync/explain/story.ts';
import { adoptRun } from '../../sync/runs/adopt-run.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit.ts';
import { describeDifference, showInLine } from '../output/difference-lines.ts';
import { unlessRefused } from '../output/run-result.ts';
import { colour, indent, plain, print, printJson } from '../output/tables.ts';
import { runAndPrint } from '../run-and-print.ts';
import { withSync } from '../with-app.ts';

interface ExplainOptions extends CommonOptions {
  adopt?: string;
}

const COLOURS = {
  unread: 'red',
  rejected: 'red',
  absent: 'yellow',
  skipped: 'yellow',
  refused: 'red',
  create: 'cyan',
  update: 'cyan',
  unchanged: 'green',
} as const satisfies Record<Story['verdict']['is'], string>;

export function explainCommand(): Command {
  return defineCommand(
    'explain',
    'tell one record’s whole story: source, payload, difference, deliveries, what is next',
  )
    .argument('<sync>', 'name of a sync file')
    .argument('<key>', 'key of the record')
    .option('--adopt <id>', 'say which item of the CMS the record is, and deliver what differs')
    .action(execute(explain));
}

async function explain(context: CommandContext, name: string, key: string, { adopt }: ExplainOptions): Promise<number> {
  const { json, signal } = context;
  const cmsId = adopt === undefined ? undefined : toCmsId(adopt);
  return withSync(name, context, async (app, sync) => {
    if (cmsId !== undefined) {
      return runAndPrint(context, (options) =>
        unlessRefused(sync, () => adoptRun(key, cmsId, app.contextOf(sync, options))),
      );
    }
    const story = await explainRecord(key, app.contextOf(sync, { signal }));
    if (json) printJson(story);
    else print(process.stdout, tell(story));
    return EXIT.success;
  });
}

function toCmsId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new CodedError('FF_USAGE', `--adopt takes the id of an item of the CMS, not "${text}".`);
}

function tell({ sync, key, source, record, differences, verdict, history }: Story): string {
  const heading = `${colour('bold', plain(key))} of ${sync}: ${colour(COLOURS[verdict.is], verdict.is)}`;
  return [
    heading,
    `  ${plain(verdict.why)}`,
    `  ${colour('dim', '→')} ${plain(verdict.next)}`,
    ...tellSource(source),
    // Where nothing was delivered yet, the whole payload differs.
    ...(verdict.is === 'update' ? section('Differs from what was delivered', differences.map(describeDifference)) : []),
    ...section('In the ledger', record ? tellRecord(record) : ['nothing: it was never delivered']),
    ...section('Deliveries, the newest first', history.map(tellDelivery)),
  ].join('\n');
}

function tellSource({ location, complete, reason, found }: SourceFinding): string[] {
  const state = complete ? '' : `, which is incomplete${reason ? `: ${plain(reason)}` : ''}`;
  if (found.length === 0) return section('In the feed', [`not in ${plain(location)}${state}`]);
  return found.flatMap((each) => [
    ...section(`In the feed, ${plain(each.at)} of ${plain(location)}${state}`, tellFields(each.fields ?? {})),
    ...tellFound(each),
  ]);
}

function tellFound(found: FoundRecord): string[] {
  if (found.is === 'rejected') return section('Rejected', [`${colour('red', found.code)} ${plain(found.reason)}`]);
  if (found.is === 'skipped') return section('Skipped', [plain(found.reason)]);
  const files = found.files.map(({ attribute, name }) => `${attribute}: ${plain(name)} (file)`);
  const warnings = found.warnings.map((warning) => `${colour('yellow', 'warning')}: ${plain(warning)}`);
  return section('Payload', [...tellFields(found.payload), ...files, ...warnings]);
}

function tellFields(fields: Readonly<Record<string, Json>>): string[] {
  return Object.entries(fields).map(([name, value]) => `${plain(name)}: ${showInLine(value)}`);
}

function tellRecord(record: NonNullable<Story['record']>): string[] {
  const { status, cmsId, deliveredAt, run, attempts, retryAt, maybeSent, error } = record;
  return [
    `status: ${status}`,
    `CMS id: ${cmsId ?? 'none'}`,
    ...(deliveredAt ? [`delivered: ${deliveredAt}`] : []),
    `run: ${run}`,
    ...(attempts > 0 ? [`attempts: ${attempts}`] : []),
    ...(retryAt ? [`tried again: ${retryAt}`] : []),
    ...(maybeSent ? ['a create may have been sent that the CMS never answered'] : []),
    ...(error ? [`error: ${error.code} ${plain(error.reason)}`] : []),
  ];
}

function tellDelivery({ time, run, outcome, sent, uploads, cmsId, error }: DeliveryAttempt): string {
  const parts = [
    sent ? `${sent.method} ${sent.attributes.join(', ')}` : 'nothing sent',
    ...(uploads > 0 ? [`${uploads} uploads`] : []),
    `${outcome}${cmsId === undefined ? '' : ` as ${cmsId}`}`,
    ...(error ? [`${error.code} ${plain(error.reason)}`] : []),
  ];
  return `${time} ${colour('dim', `run ${run}`)} ${parts.join('; ')}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', colour('bold', title), ...lines.map(indent)];
}
