import type { DesiredRecord, Json } from '../../../core/record.ts';
import type { Guess } from '../../../inference/proposal.ts';
import { flowText } from '../../../inference/sync-file.ts';
import { showInLine } from '../../output/difference-lines.ts';
import { colour, indent, outputWidth, plain } from '../../output/print.ts';
import { textTable } from '../../output/tables.ts';
import type { ProposedSync, ReadySync } from './init-source.ts';

const SHOWN = 3;

/** Describes a feed and the sync proposed for it, with the first records. */
export function describeFound(sync: ReadySync, timezone: string, stream: NodeJS.WriteStream = process.stdout): string {
  return `${describeProposal(sync, stream)}\n\n${describeRecords(sync, timezone, stream)}`;
}

/** Describes each key of a proposed sync with its evidence. */
function describeProposal({ sample, proposal }: ProposedSync, stream: NodeJS.WriteStream): string {
  const { source, key, resource, when, map, attachments, recipe } = proposal;
  const rows: Array<[string, Guess<unknown>]> = [
    ...Object.entries(source),
    ['resource', resource],
    ['key', key],
    ...(when ? [['when', when] satisfies [string, Guess<unknown>]] : []),
    ...[map, attachments].flatMap((guesses) => Object.entries(guesses)),
  ];
  const count = `${sample.records.length} records${sample.isWhole ? '' : ' at the beginning'}`;
  const known = recipe === undefined ? '' : ` (${recipe})`;
  const columns = [
    { heading: 'key', cells: rows.map(([name]) => plain(name)) },
    { heading: 'value', cells: rows.map(([, { value }]) => plain(flowText(value))) },
    { heading: 'because', cells: rows.map(([, { evidence }]) => plain(evidence)) },
  ];
  const table = textTable(columns, outputWidth(stream));
  return `${colour('bold', plain(sample.url), stream)}: ${count}${known}\n${table}`;
}

/** Describes the first records as they will look on the site. */
export function describeRecords({ draft }: ReadySync, timezone: string, stream: NodeJS.WriteStream): string {
  if (draft.desired.length === 0) return 'No record of the sample can be published like this.';
  const records = draft.desired.slice(0, SHOWN).map((record) => describeRecord(record, stream));
  return [`The first records, as the site will show them (times in ${timezone}):`, ...records].join('\n');
}

function describeRecord({ key, payload, attachments }: DesiredRecord, stream: NodeJS.WriteStream): string {
  const { title, date, endDate, time, isMultiDay, spansMultipleDays, ...others } = payload;
  const name = typeof title === 'string' ? title : key;
  const when = date === undefined ? [] : [describeTime(date, endDate, time)];
  const files = attachments.map(({ attribute, source }): [string, Json] => [
    attribute,
    source.is === 'location' ? source.location : 'inline',
  ]);
  const values = [...Object.entries(others), ...files].map(
    ([attribute, value]) => `${attribute}: ${showInLine(value)}`,
  );
  return indent([colour('bold', plain(name), stream), ...[...when, ...values].map((line) => `  ${line}`)].join('\n'));
}

function describeTime(date: Json, endDate: Json | undefined, time: Json | undefined): string {
  const { start = '', end = '' } = (time ?? {}) as { start?: string; end?: string };
  const isAllDay = start === '00:00:00' && end.startsWith('23:59');
  const clock = (text: string) => (isAllDay || text === '' ? '' : ` ${text.slice(0, 5)}`);
  const lastDay = endDate === undefined || endDate === date ? '' : ` ${String(endDate)}`;
  const last = `${lastDay}${lastDay === '' && end === start ? '' : clock(end)}`;
  return `${String(date)}${clock(start)}${last === '' ? '' : ` –${last}`}${isAllDay ? ', all day' : ''}`;
}
