import type { Resource } from '../../core/record.ts';
import { candidates } from '../columns/choose.ts';
import { type Column, listColumns, shareThat } from '../columns/columns.ts';
import type { Answers, Guess, Proposal, Question } from '../proposal.ts';
import type { FeedSample } from '../sample.ts';
import { startNames } from '../times/pick-times.ts';
import { accountAttributes } from './accounts.ts';
import { type Attributes, eventAttributes } from './events.ts';
import { proposeKey } from './key.ts';
import { ownMap } from './own-map.ts';
import { statusOf } from './record-status.ts';

/**
 * Proposes a sync for a feed, from the names and values of a sample. If the data leave a choice open, adds a question and uses
 * its safe choice; if the question was answered, uses the answer.
 */
export function propose(sample: FeedSample, answers: Answers = {}): Proposal {
  const columns = listColumns(sample.records);
  const own = ownMap(sample, columns);
  if (own !== undefined) return own;
  const events = eventAttributes(columns, answers);
  const accounts = accountAttributes(columns);
  const { resource, question } = resourceOf(events, accounts, columns, answers);
  const attributes = resource.value === 'events' ? events : accounts;
  const open = [...(question ? [question] : []), ...(resource.value === 'events' ? events.times.open : [])];
  const key = proposeKey(columns, attributes);
  const status = statusOf(columns, resource.value);
  const { map, attachments, suggested } = attributes;
  return {
    resource,
    source: sourceOf(sample, resource.value === 'events' ? events.times.timezone : undefined, status.deleted),
    key: key.key,
    ...(status.when && { when: status.when }),
    map,
    attachments,
    suggested,
    open,
    warnings: [
      ...missingRequired(resource.value, map, columns),
      ...(resource.value === 'events' ? events.times.warnings : []),
      ...key.warnings,
    ],
  };
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
  answers: Answers,
): { resource: Guess<Resource>; question?: Question } {
  const answer = answers.resource === 'events' || answers.resource === 'accounts' ? answers.resource : undefined;
  if (answer !== undefined) return { resource: { value: answer, evidence: 'as you said' } };
  const eventScore = events.times.score === 0 ? 0 : 2 * events.times.score + events.titleScore;
  const scoreOf = (name: string) => accounts.scores.get(name) ?? 0;
  const names = Math.max(1.5 * (scoreOf('firstName') + scoreOf('lastName')), 0.6 * scoreOf('displayName'));
  const accountScore =
    names +
    1.5 * scoreOf('email') +
    0.5 * (scoreOf('username') + scoreOf('phoneOffice') + scoreOf('phoneMobile') + scoreOf('department'));
  const value: Resource = eventScore >= accountScore ? 'events' : 'accounts';
  const found = Object.keys(value === 'events' ? events.map : accounts.map).join(', ') || 'nothing';
  const evidence = `it has ${found}`;
  // Lists of people have no days. Dates without a year cannot be a start, but they suggest events.
  const speaksOfDays = value === 'accounts' && mayHaveDays(columns);
  const isClear =
    Math.max(eventScore, accountScore) >= LEAST && Math.abs(eventScore - accountScore) >= CLEAR && !speaksOfDays;
  if (isClear) return { resource: { value, evidence } };
  const question: Question = {
    id: 'resource',
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
    .filter(([name]) => !(name in map))
    .map(([name, what]) => `No field is known as ${what}: complete map.${name}. The fields are ${fields}.`);
}
