import { syncPath } from '../core/text/addresses.ts';
import { figure, figureOf } from '../core/text/figures.ts';
import type { QuestionsView, QuestionView } from '../queries/views/question.ts';
import { foldOf, formOf, inMedium, noteField, paragraph, section, tableOf } from './blocks.ts';
import type { Block, Inline } from './document.ts';
import { proseOf, recordRef } from './inline.ts';

const LEFT_OUT = 'What is left out is never published, whatever becomes of it in the feed.';

const REVIEWS = {
  new: {
    ...{ id: 'review', title: 'to review', caption: 'New records' },
    about: `These are new, and wait until somebody has seen them. Changes of what is on the site do not wait. ${LEFT_OUT}`,
  },
  rule: {
    ...{ id: 'ruled', title: 'held by rules', caption: 'Records that break a rule' },
    about: `These break a rule. The site keeps what it has of them until they are corrected in the feed, or published as they are. ${LEFT_OUT} Only new records can be left out.`,
  },
} as const;

/** Of notes. */
export const KEPT = 'It is kept with the answer, with your name.';

/**
 * The new records that wait for a review, or those that a rule holds, with the form that publishes those that are selected, or leaves them out
 * for good.
 */
export function reviewSection(why: keyof typeof REVIEWS, questions: readonly QuestionView[], sync: string): Block {
  if (questions.length === 0) return undefined;
  const { id, title, caption, about } = REVIEWS[why];
  const list = tableOf<QuestionView>({
    caption,
    columns: [
      {
        head: 'Record',
        isHeading: true,
        cell: ({ id: key, records: [record] }) => recordRef(sync, { key, title: record?.event.title }),
      },
      why === 'rule' && { head: 'Why it waits', cell: ({ id: key, reason }) => proseOf(reason, { sync, key }) },
      { head: 'When', cell: ({ records: [record] }) => record && whenOf(record.event) },
      { head: 'Place', cell: ({ records: [record] }) => record?.event.place },
      { head: 'Description', isExtra: true, cell: ({ records: [record] }) => record?.event.description },
    ],
    rows: questions,
    choice: ({ id: key, records: [record] }) => ({ name: key, title: record?.event.title ?? key }),
  });
  const answers = answerSelected({
    ...{ id, sync, list, keys: questions.map((question) => question.id) },
    first: { label: 'Publish them', value: 'publish' },
    other: { label: 'Leave them out', value: 'leave' },
  });
  const what = why === 'new' ? 'new record' : 'record';
  return section(id, `${figureOf(questions.length, what)} ${title}`, paragraph(about), ...answers);
}

type Alike = NonNullable<QuestionsView['alike']>[number];

/** The records that look like other items, with the form that answers for those that are selected. */
export function alikeSection(alike: readonly Alike[], sync: string): Block {
  if (alike.length === 0) return undefined;
  const list = tableOf<Alike>({
    caption: 'Look like other items',
    columns: [
      { head: 'Record', isHeading: true, cell: (record) => recordRef(sync, record) },
      { head: 'Why it waits', cell: ({ key, reason }) => proseOf(reason, { sync, key }) },
    ],
    rows: alike,
    choice: ({ key, title = key }) => ({ name: key, title }),
  });
  const answers = answerSelected({
    ...{ id: 'alike', sync, list, keys: alike.map(({ key }) => key) },
    first: { label: 'The same: create nothing', value: 'same' },
    other: { label: 'Something else: create them', value: 'distinct' },
  });
  return section('alike', 'Look like other items', ...answers);
}

interface Selection {
  id: string;
  sync: string;
  list: Block;
  /** Of all records of the list. */
  keys: readonly string[];
  first: { label: string; value: string };
  other: { label: string; value: string };
}

/** The form that answers for the records of a list that are selected, and the one for all of them. */
function answerSelected({ id, sync, list, keys, first, other }: Selection): Block[] {
  const form = (name: string, hidden: Record<string, string | readonly string[]>, ...blocks: Block[]) => {
    const command = ({ value }: Selection['first']) => `feedferry retry ${sync} KEY … --${value}`;
    const note = { name: 'note', id: `note-${name}`, label: 'Note (optional)', hint: KEPT };
    return formOf({
      ...{ does: 'retry', to: { sync }, label: first.label, command: command(first) },
      button: { name: 'answer', value: first.value },
      also: { ...other, name: 'answer', command: command(other) },
      hidden: { back: syncPath(sync, 'questions'), ...hidden },
      blocks: [...blocks, noteField(note)],
    });
  };
  const all = foldOf(`all-${id}`, `Answer all ${figure(keys.length)} …`, form(`all-${id}`, { keys }));
  return [form(id, { hint: `${id}-none` }, list), keys.length > 1 && inMedium('page', all)];
}

function whenOf({ day, lastDay, start, end }: QuestionView['records'][number]['event']): Inline {
  const times = [start, end].filter(Boolean).join(' – ');
  return [[day, lastDay].filter(Boolean).join(' – '), times && ` ${times}`];
}
