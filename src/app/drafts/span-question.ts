import { toText } from '../../core/record.ts';
import { quantity } from '../../core/text/describe-changes.ts';
import type { Proposal, Question } from '../../inference/proposal.ts';
import { foldDays } from '../../sync/spans/fold-days.ts';
import { toDay } from '../../sync/spans/span-record.ts';
import type { DraftedSync } from './draft.ts';

const QUESTION = 'days as one event';
const SPAN = 'span';

/** Adds `recurrence: span` if a person has answered so. */
export function withSpans(proposal: Proposal, answers: Readonly<Record<string, string>>): Proposal {
  if (answers[QUESTION] !== SPAN) return proposal;
  return { ...proposal, recurrence: { value: SPAN, evidence: 'as you said' } };
}

/** Asks whether days that are equal but for the day are one event, if the sample has such days. */
export function spanQuestion({ sync, desired }: DraftedSync): Question | undefined {
  if (sync.resource !== 'events' || sync.recurrence) return undefined;
  const rule = { as: 'span', hours: 'separate', language: 'en' } as const;
  const [first, ...others] = foldDays(desired.flatMap((record) => toDay(record, rule) ?? []));
  if (!first) return undefined;
  const title = toText(first.days[0].record.payload.title);
  const days = first.days.length + others.reduce((sum, each) => sum + each.days.length, 0);
  const more = others.length > 0 ? ` and ${quantity(others.length, 'other event')}` : '';
  const shown = `The feed has "${title}"${more} once for each day, ${quantity(days, 'record')} in all`;
  return {
    id: QUESTION,
    line: 'recurrence',
    text: `${shown}. Should each be one event, from its first to its last day?`,
    choices: [
      { value: 'days', label: 'no, an event for each day' },
      { value: SPAN, label: 'yes, one event' },
    ],
    safe: 'days',
    comment: `${shown}. To publish each as one event, write \`recurrence: span\`.`,
  };
}
