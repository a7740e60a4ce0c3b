import type { Draft } from '../../../app/drafts/draft.ts';
import type { DesiredRecord } from '../../../core/record.ts';
import { quantity } from '../../../core/text/describe-changes.ts';
import { eventFacts } from '../../../core/text/event-facts.ts';
import { recordTitle } from '../../../core/text/record-title.ts';
import { describeJudgement } from '../../../inference/review/judgement.ts';
import { lineText, type ProposalLine } from '../../../inference/review/lines.ts';
import { colour, indent, outputWidth, plain } from '../../output/print.ts';
import { textTable } from '../../output/tables.ts';

/** Describes a feed and the sync proposed for it: its lines, the fields that are not used, and the first records. */
export function describeFound(sync: Draft, timezone: string, stream: NodeJS.WriteStream = process.stdout): string {
  const { sample, proposal, unused } = sync;
  const count = `${quantity(sample.records.length, 'record')}${sample.isWhole ? '' : ' at the beginning'}`;
  const known = proposal.recipe === undefined ? '' : ` (${proposal.recipe})`;
  const title = `${colour('bold', plain(sample.url), stream)}: ${count}${known}`;
  const others = unused.length === 0 ? [] : [`Not used:\n${describeUnused(sync, stream)}`];
  return [`${title}\n${describeLines(sync, stream)}`, ...others, describeRecords(sync, timezone)].join('\n\n');
}

/** Describes each line of a proposed sync: what a value of the feed becomes, and the evidence. */
function describeLines({ lines }: Draft, stream: NodeJS.WriteStream): string {
  const columns = [
    { heading: 'line', cells: lines.map(({ name, questions }) => plain(questions.length > 0 ? `${name} ?` : name)) },
    { heading: 'from', cells: lines.map((line) => plain(lineText(line))) },
    { heading: 'value → result', cells: lines.map((line) => plain(describeExample(line))) },
    { heading: 'because', cells: lines.map(({ evidence }) => plain(evidence)) },
  ];
  return textTable(columns, outputWidth(stream));
}

function describeExample({ example, samples }: ProposalLine): string {
  if (example === undefined) return quoted(samples.slice(0, 1)).join('');
  const isChanged = example.given !== '' && example.given !== example.result;
  return [...quoted(isChanged ? [example.given] : []), example.result].join(' → ');
}

function describeUnused({ unused }: Draft, stream: NodeJS.WriteStream): string {
  const columns = [
    { heading: 'field', cells: unused.map(({ path }) => plain(path)) },
    { heading: 'records', align: 'right' as const, cells: unused.map(({ filled }) => String(filled)) },
    { heading: 'such as', cells: unused.map(({ samples }) => plain(quoted(samples).join(', '))) },
    { heading: 'because', cells: unused.map(({ reason }) => plain(reason)) },
  ];
  return textTable(columns, outputWidth(stream));
}

function quoted(samples: readonly string[]): string[] {
  return samples.map((sample) => JSON.stringify(sample));
}

/** Describes how many records of the sample can be published, why others cannot, and the first ones as they will look. */
function describeRecords({ drafted, mistake }: Draft, timezone: string): string {
  if (drafted === undefined) return plain(`Not possible yet: ${mistake?.message ?? ''}`);
  const { judgement } = drafted;
  const reasons = judgement.reasons.map(({ count, at, reason }) => `  ${count} × ${at}: ${reason}`);
  const summary = [describeJudgement(judgement), ...reasons].map((line) => plain(line)).join('\n');
  if (judgement.first.length === 0) return summary;
  const records = judgement.first.map((record) => indent(plain(describeRecord(record))));
  return [summary, `The first records, as the site will show them (times in ${timezone}):`, ...records].join('\n');
}

/** Describes a person, or when and where an event is. */
function describeRecord({ key, resource, payload }: DesiredRecord): string {
  if (resource === 'accounts') return recordTitle(payload, resource) || key;
  const { day = '', lastDay, start = 'all day', end, title = key, place } = eventFacts(payload);
  const last = [lastDay, end].filter(Boolean).join(' ');
  return `${day} ${start}${last && ` – ${last}`}  ${[title, place].filter(Boolean).join(', ')}`;
}
