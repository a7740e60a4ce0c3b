import { siteTime } from '../../core/dates/site-time.ts';
import { CodedError } from '../../core/errors.ts';
import type { Json } from '../../core/record.ts';
import { quantity } from '../../core/text/describe-changes.ts';
import { describeGivers } from '../../core/text/describe-givers.ts';
import { nameWithKey } from '../../core/text/record-title.ts';
import { terminalText } from '../../core/text/text-parts.ts';
import type { DeliveryAttempt } from '../../ledger/attempts/deliveries.ts';
import { explainRecord, type RecordMatches, type Story } from '../../sync/explain/explain-record.ts';
import type { FoundRecord, SourceFinding } from '../../sync/explain/verdict.ts';
import { actHere } from '../act.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { describeDifference, showInLine } from '../output/difference-lines.ts';
import { colour, indent, plain, print, printJson, printList } from '../output/print.ts';
import { fileLine } from '../output/run-result.ts';
import { withSync } from '../with-app.ts';

const COLOURS = {
  unread: 'red',
  rejected: 'red',
  absent: 'yellow',
  skipped: 'yellow',
  refused: 'red',
  create: 'cyan',
  update: 'cyan',
  withoutFile: 'yellow',
  unchanged: 'green',
} as const satisfies Record<Story['verdict']['is'], string>;

export const explainCommand = defineCommand('explain')
  .argument('<sync>', 'name of a sync file')
  .argument(
    '<words...>',
    'key of the record, or part of its key, title or e-mail address, or its CMS id or CMS address',
  )
  .option('--adopt <id>', 'link the record to this existing CMS item, and deliver what differs')
  .action(execute(explain));

async function explain(context: CommandContext, name: string, words: string[], options: { adopt?: string }) {
  const { json, signal } = context;
  const { adopt } = options;
  const key = words.join(' ');
  const cmsId = adopt === undefined ? undefined : toCmsId(adopt);
  return withSync(name, context, async (app, sync) => {
    if (cmsId !== undefined) {
      return (await actHere('adopt', { sync: name, key, cmsId }, app, context)).exitCode;
    }
    const found = await explainRecord(key, app.contextOf(sync, { signal }));
    const isOne = !('matches' in found);
    if (json) printJson(found);
    else if (isOne) print(describeStory(found, app.config.target.timezone));
    else printMatches(found);
    return isOne ? EXIT.success : EXIT.usage;
  });
}

function printMatches({ sync, words, matches }: RecordMatches): void {
  printList(`${sync}: several records fit "${words}"`, matches.length, matches, ({ key, name, cmsId }) => {
    return `${key}: ${showInLine(name)}${cmsId === null ? ', not in the CMS' : ` (item ${cmsId})`}`;
  });
}

function toCmsId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new CodedError('FF_USAGE', `--adopt needs the id of a CMS item, not "${text}".`);
}

function describeStory(story: Story, timezone: string): string {
  const { sync, source, record, event, differences, verdict, history } = story;
  const heading = `${colour('bold', plain(nameWithKey(story)))} of ${sync}: ${colour(COLOURS[verdict.is], verdict.is)}`;
  return [
    heading,
    `  ${plain(verdict.why)}`,
    `  ${colour('dim', '→')} ${terminalText(plain(verdict.next), story)}`,
    ...(event ? section('In several sources', describeEvent(event)) : []),
    ...describeSource(source),
    // If the record was not delivered yet, the whole payload differs.
    ...(verdict.is === 'update'
      ? section('Differences from the last delivery', differences.map(describeDifference))
      : []),
    ...section('In the ledger', record ? describeRecord(record, timezone) : ['not in the ledger: never delivered']),
    ...section(
      'Deliveries, newest first',
      history.map((attempt) => describeAttempt(attempt, timezone)),
    ),
  ].join('\n');
}

function describeEvent(event: NonNullable<Story['event']>): string[] {
  const { publishedAs, members, questions } = event;
  return [
    ...(publishedAs === undefined ? [] : [plain(`${describeGivers(event)} (${publishedAs})`)]),
    ...members.map(({ key, is, at }) => plain(`${key}: ${is}, ${at}`)),
    ...questions.map(({ id, reason }) => `question ${id}: ${reason}`),
  ];
}

function describeSource({ location, complete, reason, found }: SourceFinding): string[] {
  const state = complete ? '' : ` (incomplete${reason ? `: ${plain(reason)}` : ''})`;
  if (found.length === 0) return section('In the feed', [`not in ${plain(location)}${state}`]);
  return found.flatMap((each) => [
    ...section(`In the feed: ${plain(each.at)} of ${plain(location)}${state}`, describeFields(each.fields ?? {})),
    ...describeFound(each),
  ]);
}

function describeFound(found: FoundRecord): string[] {
  if (found.is === 'rejected') return section('Rejected', [`${colour('red', found.code)} ${plain(found.reason)}`]);
  if (found.is === 'skipped') return section('Skipped', [plain(found.reason)]);
  const files = found.files.map(({ attribute, name }) => `${attribute}: ${plain(name)} (file)`);
  const warnings = found.warnings.map((warning) => `${colour('yellow', 'warning')}: ${plain(warning)}`);
  return section('Payload', [...describeFields(found.payload), ...files, ...warnings]);
}

function describeFields(fields: Readonly<Record<string, Json>>): string[] {
  return Object.entries(fields).map(([name, value]) => `${plain(name)}: ${showInLine(value)}`);
}

function describeRecord(record: NonNullable<Story['record']>, timezone: string): string[] {
  const { status, cmsId, deliveredAt, run, attempts, retryAt, maybeSent, error, undeliveredFiles = [] } = record;
  return [
    `status: ${status}`,
    `CMS id: ${cmsId ?? 'none'}`,
    ...(deliveredAt ? [`delivered: ${siteTime(deliveredAt, timezone)}`] : []),
    `run: ${run}`,
    ...(attempts > 0 ? [`attempts: ${attempts}`] : []),
    ...(retryAt ? [`next attempt: ${siteTime(retryAt, timezone)}`] : []),
    ...(maybeSent ? ['unconfirmed: a create was sent, but the CMS did not respond'] : []),
    ...(error ? [`error: ${error.code} ${plain(error.reason)}`] : []),
    ...undeliveredFiles.map((file) => `without ${plain(fileLine(file, timezone))}`),
  ];
}

function describeAttempt(attempt: DeliveryAttempt, timezone: string): string {
  const { time, run, outcome, sent, uploads, cmsId, error } = attempt;
  const parts = [
    sent ? `${sent.method} ${sent.attributes.join(', ')}` : 'nothing sent',
    ...(uploads > 0 ? [`${quantity(uploads, 'file')} uploaded`] : []),
    `${outcome}${cmsId === undefined ? '' : ` (item ${cmsId})`}`,
    ...(error ? [`${error.code} ${plain(error.reason)}`] : []),
  ];
  return `${siteTime(time, timezone)} ${colour('dim', `run ${run}`)} ${parts.join('; ')}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', colour('bold', title), ...lines.map(indent)];
}
