import { syncPath } from '../core/text/addresses.ts';
import { figure, figureOf } from '../core/text/figures.ts';
import type { QuestionView } from '../queries/views/question.ts';
import { formOf, inMedium, noteField, paragraph, section, tableOf } from './blocks.ts';
import type { Block, Inline } from './document.ts';
import { recordRef } from './inline.ts';

const ABOUT =
  'These are new, and wait until somebody has seen them. Changes of what is on the site do not wait. What is left out is never published, ' +
  'whatever becomes of it in the feed.';

/** The new records that wait for a review, with the form that publishes those that are selected, or leaves them out for good. */
export function reviewSection(questions: readonly QuestionView[], sync: string): Block {
  if (questions.length === 0) return undefined;
  const list = tableOf<QuestionView>({
    caption: 'New records',
    columns: [
      {
        head: 'Record',
        isHeading: true,
        cell: ({ id, records: [record] }) => recordRef(sync, { key: id, title: record?.event.title }),
      },
      { head: 'When', cell: ({ records: [record] }) => record && whenOf(record.event) },
      { head: 'Place', cell: ({ records: [record] }) => record?.event.place },
      { head: 'Description', isExtra: true, cell: ({ records: [record] }) => record?.event.description },
    ],
    rows: questions,
    choice: ({ id, records: [record] }) => ({ name: id, title: record?.event.title ?? id }),
  });
  const form = formOf({
    does: 'review',
    to: { sync },
    label: 'Publish the selected',
    kind: 'primary',
    hidden: { back: syncPath(sync, 'questions'), hint: 'review-none' },
    button: { name: 'answer', value: 'publish' },
    command: `feedferry retry ${sync} KEY … --publish`,
    also: {
      label: 'Never publish the selected',
      name: 'answer',
      value: 'leave',
      command: `feedferry retry ${sync} KEY … --leave`,
    },
    blocks: [
      list,
      noteField({
        name: 'note',
        id: 'note-review',
        label: 'Note (optional)',
        hint: 'It is kept with the answer, with your name.',
      }),
    ],
  });
  const keys = questions.map(({ id }) => id);
  const all = formOf({
    does: 'review',
    to: { sync },
    label: `Publish all ${figure(keys.length)}`,
    hidden: { back: syncPath(sync, 'questions'), keys, answer: 'publish' },
  });
  const title = `${figureOf(questions.length, 'new record')} to review`;
  return section('review', title, paragraph(ABOUT), form, keys.length > 1 && inMedium('page', all));
}

function whenOf({ day, lastDay, start, end }: QuestionView['records'][number]['event']): Inline {
  const times = [start, end].filter(Boolean).join(' – ');
  return [[day, lastDay].filter(Boolean).join(' – '), times && ` ${times}`];
}
