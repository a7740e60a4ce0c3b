import type { Resource } from '../../core/record.ts';
import { candidates } from '../columns/choose.ts';
import { type Column, listColumns, shareThat } from '../columns/columns.ts';
import { applyLines } from '../correct/apply-lines.ts';
import {
  allChosenColumns,
  type Corrections,
  chosenPaths,
  hasLine,
  isAttributeLine,
  lineOf,
  NO_CORRECTIONS,
} from '../correct/corrections.ts';
import { datesByValues } from '../dates/read-column.ts';
import type { Guess, Proposal, Question } from '../proposal.ts';
import { listLines } from '../review/lines.ts';
import type { FeedSample } from '../sample.ts';
import { startNames, UNNAMED } from '../times/pick-times.ts';
import { accountAttributes } from './accounts.ts';
import { type Attributes, eventAttributes } from './events.ts';
import { proposeKey } from './key.ts';
import { ownMap } from './own-map.ts';
import { statusOf } from './record-status.ts';

/**
 * Proposes a sync for a feed, from the names and values of a sample and from what a person has corrected. If the data leave a
 * choice open, adds a question and uses its safe choice; if the question was answered, uses the answer.
 */
export function propose(sample: FeedSample, corrections: Corrections = NO_CORRECTIONS): Proposal {
  const columns = listColumns(sample.records);
  const events = eventAttributes(columns, corrections);
  const own = ownMap(sample, columns, events, corrections);
  if (own !== undefined) return finished(applyLines(own, corrections), columns, corrections);
  const accounts = accountAttributes(columns, corrections);
  const { resource, question } = resourceOf(events, accounts, columns, corrections);
  const isEvents = resource.value === 'events';
  const attributes = isEvents ? events : accounts;
  const key = proposeKey(columns, attributes);
  const status = statusOf(columns, resource.value, corrections.answers);
  const { map, attachments, suggested } = attributes;
  const proposal: Proposal = {
    resource,
    source: sourceOf(sample, isEvents ? events.times.timezone : undefined, status.deleted),
    key: key.key,
    ...(status.when && { when: status.when }),
    map,
    attachments,
    suggested,
    open: [...(question ? [question] : []), ...(isEvents ? events.times.open : []), ...status.open],
    warnings: [
      ...(isEvents ? events.times.warnings : []),
      ...('when' in corrections.lines ? [] : status.warnings),
      ...('key' in corrections.lines ? [] : key.warnings),
    ],
  };
  const corrected = applyLines(proposal, corrections);
  const missing = missingRequired(resource.value, corrected.map, columns);
  return finished({ ...corrected, warnings: [...missing, ...corrected.warnings] }, columns, corrections);
}

/** Returns a warning for each field that a person has chosen for a line, but that no rule of the line reads. */
function unreadFields(proposal: Proposal, columns: readonly Column[], corrections: Corrections): string[] {
  const fields = new Map(listLines(proposal, columns).map((line) => [line.name, line.fields]));
  return [...allChosenColumns(corrections, columns)].flatMap(([line, chosen]) => {
    const read = fields.get(lineOf(line)) ?? [];
    const unread = chosen.filter(({ path }) => !read.includes(path));
    return unread.map((column) => `${line}: ${column.path} is not read, ${reasonOf(column)}`);
  });
}

function reasonOf(column: Column): string {
  const dates = datesByValues(column);
  const shown = JSON.stringify(column.texts[0]?.slice(0, 40));
  if (dates === undefined)
    return `because no known format fits its values, such as ${shown}. Give the format of its dates.`;
  const things = dates.is === 'time' ? 'times of day' : 'dates';
  return `because its values, such as ${shown}, are ${things}, which do not fit the other fields. Choose others.`;
}

/** Adds warnings of chosen fields that the sample does not have, or that no rule reads. */
function finished(proposal: Proposal, columns: readonly Column[], corrections: Corrections): Proposal {
  const paths = new Set(columns.map(({ path }) => path));
  const unknown = Object.keys(corrections.lines).flatMap((line) => {
    const missing = isAttributeLine(line)
      ? (chosenPaths(corrections, line) ?? []).filter((path) => !paths.has(path))
      : [];
    return missing.map((path) => `${line}: no record of the sample has the field ${path}.`);
  });
  return { ...proposal, warnings: [...unknown, ...unreadFields(proposal, columns, corrections), ...proposal.warnings] };
}

function sourceOf(
  sample: FeedSample,
  timezone: Guess<string> | undefined,
  deleted: Guess<unknown> | undefined,
): Proposal['source'] {
  const { connector, options } = sample;
  const own = Object.entries(options).map(([name, value]) => [name, { value, evidence: 'as the feed is written' }]);
  return {
    connector: {
      value: connector,
      evidence: `${sample.records.length} records were read${sample.isWhole ? '' : '; the feed has more'}`,
    },
    ...Object.fromEntries(own),
    ...(timezone && { timezone }),
    ...(deleted && { deleted }),
  };
}

const LEAST = 1.5;
/** Difference between the scores of the resources from which on no question is asked. */
const CLEAR = 1;

function resourceOf(
  events: ReturnType<typeof eventAttributes>,
  accounts: ReturnType<typeof accountAttributes>,
  columns: readonly Column[],
  { answers, lines }: Corrections,
): { resource: Guess<Resource>; question?: Question } {
  const answer = [lines.resource, answers.resource].find((said) => said === 'events' || said === 'accounts');
  if (answer !== undefined) return { resource: { value: answer, evidence: 'as you said' } };
  const [timed] = ['start', 'end', 'allDay'].filter((line) => lines[line] !== undefined && lines[line] !== null);
  if (timed !== undefined) return { resource: { value: 'events', evidence: `you have chosen the ${timed}` } };
  const eventScore = events.times.score === 0 ? 0 : 2 * events.times.score + events.titleScore;
  const scoreOf = (name: string) => accounts.scores.get(name) ?? 0;
  const names = Math.max(1.5 * (scoreOf('firstName') + scoreOf('lastName')), 0.6 * scoreOf('displayName'));
  const accountScore =
    names +
    1.5 * scoreOf('email') +
    0.5 * (scoreOf('username') + scoreOf('phoneOffice') + scoreOf('phoneMobile') + scoreOf('department'));
  const hasDays = events.times.start !== undefined || mayHaveDays(columns);
  // Only lists of people have an address for each record, or first and last names; they have days, too, such as birthdays.
  const hasNames = scoreOf('firstName') > 0 && scoreOf('lastName') > 0;
  const isOfPeople = hasNames || accounts.hasOwnAddresses;
  const isTimed =
    events.times.score > UNNAMED || mayHaveDays(columns) || (!hasNames && events.times.start !== undefined);
  const isSure = isOfPeople ? !isTimed : hasDays && scoreOf('email') === 0;
  const isEvents = isSure ? !isOfPeople : eventScore >= accountScore;
  const value: Resource = isEvents ? 'events' : 'accounts';
  const found = Object.keys(value === 'events' ? events.map : accounts.map).join(', ') || 'nothing';
  const evidence = `it has ${found}`;
  // Lists of people have no days. Dates without a year cannot be a start, but they suggest events.
  const speaksOfDays = value === 'accounts' && mayHaveDays(columns);
  const isClear =
    Math.max(eventScore, accountScore) >= LEAST && Math.abs(eventScore - accountScore) >= CLEAR && !speaksOfDays;
  if (isSure || isClear) return { resource: { value, evidence } };
  const question: Question = {
    id: 'resource',
    line: 'resource',
    text: 'Are the records events or accounts?',
    choices: [
      { value: 'events', label: `events (${Object.keys(events.map).join(', ') || 'no attribute found'})` },
      { value: 'accounts', label: `accounts (${Object.keys(accounts.map).join(', ') || 'no attribute found'})` },
    ],
    safe: value,
    comment: 'The feed could be of events or of accounts: check it.',
  };
  return { resource: { value, evidence }, question };
}

/** Whether a field is named like the start of events and has digits in most of its values. */
function mayHaveDays(columns: readonly Column[]): boolean {
  const fits = (column: Column) => (shareThat(column, (text) => /\d/.test(text)) > 0.5 ? 1 : 0);
  return candidates(columns, { ...startNames, fits }).length > 0;
}

function missingRequired(resource: Resource, map: Attributes['map'], columns: readonly Column[]): string[] {
  const fields = columns
    .slice(0, 20)
    .map(({ path }) => path)
    .join(', ');
  if (resource === 'accounts')
    return Object.keys(map).length > 0
      ? []
      : [`No field is known as an attribute of accounts. The fields are ${fields}.`];
  const required = [
    ['title', 'a title'],
    ['start', 'a date'],
  ] as const;
  return required
    .filter(([name]) => !hasLine(map, name))
    .map(([name, what]) => `No field is known as ${what}: choose one for ${name}. The fields are ${fields}.`);
}
