import { syncPath } from '../core/text/addresses.ts';
import { figure } from '../core/text/figures.ts';
import type { GivenAnswerView, QuestionsView, QuestionView } from '../queries/views/question.ts';
import { foldOf, formOf, inMedium, noteField, paragraph, section, tableOf } from './blocks.ts';
import type { Block, Document, Inline } from './document.ts';
import { proseOf, recordRef, say, styled, timeAt } from './inline.ts';
import { reviewSection } from './review.ts';

type Asked = QuestionView['records'][number];

const WHY =
  'Are these the same? Until you answer, only one of each pair is published. The next run acts on the answer.';

const KEPT = 'It is kept with the answer, with your name.';

/** The questions whether events or records are the same, and what was answered. */
export function questionsDocument({ sync, total, questions: open, alike = [], answers }: QuestionsView): Document {
  const same = open.filter(({ why }) => why !== 'new');
  const runs = formOf({ does: 'start', hidden: { sync }, label: 'Run now' });
  return {
    title: `Questions about ${sync}`,
    ...{ sync, tab: 'questions' },
    // The sync may have no schedule.
    ...(answers.length > 0 && { aside: [runs] }),
    blocks: [
      total === 0 && alike.length === 0 && paragraph('No question is open.', 'empty'),
      reviewSection(
        open.filter(({ why }) => why === 'new'),
        sync,
      ),
      same.length > 0 && paragraph(WHY),
      total > open.length && paragraph(`The first ${figure(open.length)} of ${figure(total)} questions.`),
      ...answersForAll(same, sync),
      ...same.map((question, nth) => openQuestion(question, nth, sync)),
      alike.length > 0 && alikeSection(alike, sync),
      answers.length > 0 && section('answered', 'Answered', answerTable(answers, sync)),
    ],
  };
}

/** A question whether two records are the same: both sides beside each other, and the form for the answer. */
function openQuestion({ id, reason, records, waiting }: QuestionView, nth: number, sync: string): Block {
  const [first] = records;
  return section(
    `q-${nth}`,
    first?.event.title ?? first?.key ?? id,
    paragraph(say`${reason}${waiting > 1 && ` ${figure(waiting)} records wait for the answer.`}`),
    bothSides(records, sync),
    answerForm([id], String(nth), sync),
  );
}

function bothSides(records: readonly Asked[], sync: string): Block {
  const day = ({ event }: Asked) => [event.day, event.lastDay].filter(Boolean).join(' – ');
  const time = ({ event }: Asked) => [event.start, event.end].filter(Boolean).join(' – ') || (event.day && 'all day');
  const rows: ReadonlyArray<[string, (record: Asked) => Inline]> = [
    ['Title', ({ event }) => event.title],
    ['Day', day],
    ['Time', time],
    ['Place', ({ event }) => event.place],
    ['Description', ({ event }) => event.description],
    ['Record', ({ key }) => styled('key', recordRef(sync, { key }))],
  ];
  return tableOf<(typeof rows)[number]>({
    caption: `Both sides: ${records.map(({ key }) => key).join(', ')}`,
    columns: [
      { head: 'Attribute', isHeading: true, cell: ([name]) => name },
      ...records.map((record) => ({
        head: record.source,
        cell: ([, show]: (typeof rows)[number]) => show(record) || styled('muted', 'none'),
      })),
    ],
    rows,
  });
}

type Alike = NonNullable<QuestionsView['alike']>[number];

/** The records that look like other items, with one form for those that are selected. */
function alikeSection(alike: readonly Alike[], sync: string): Block {
  const list = tableOf<Alike>({
    caption: 'Look like other items',
    columns: [
      { head: 'Record', isHeading: true, cell: (record) => recordRef(sync, record) },
      { head: 'Why it waits', cell: ({ key, reason }) => proseOf(reason, { sync, key }) },
    ],
    rows: alike,
    choice: ({ key, title = key }) => ({ name: key, title }),
  });
  const form = (id: string, hidden: Record<string, string | string[]>, ...blocks: Block[]) =>
    formOf({
      does: 'retry',
      to: { sync },
      label: 'The same: create nothing',
      button: { name: 'answer', value: 'same' },
      also: { label: 'Something else: create them', name: 'answer', value: 'distinct' },
      hidden,
      blocks: [...blocks, noteField({ name: 'note', id: `note-${id}`, label: 'Note (optional)', hint: KEPT })],
    });
  const back = { back: syncPath(sync, 'questions'), hint: 'alike-none' };
  const all = form('all-alike', { keys: alike.map(({ key }) => key) });
  return section(
    'alike',
    'Look like other items',
    form('alike', back, list),
    alike.length > 1 && inMedium('page', foldOf('all-alike', `Answer all ${figure(alike.length)} …`, all)),
  );
}

/** One answer for all questions that are asked for one reason, if they are several. */
function answersForAll(open: readonly QuestionView[], sync: string): Block[] {
  return [...Map.groupBy(open, ({ why }) => why)].flatMap(([why, questions]) => {
    const [first, ...others] = questions;
    if (!first || others.length === 0) return [];
    const ids = questions.map(({ id }) => id);
    const title = `All ${figure(ids.length)} of a kind`;
    const reasons = new Set(questions.map(({ reason }) => reason));
    return inMedium(
      'page',
      section(`all-${why}`, title, ...[...reasons].map((reason) => paragraph(reason)), answerForm(ids, why, sync)),
    );
  });
}

/** The first button may not be sent by Enter in the note: Enter adds a line there. */
function answerForm(ids: readonly string[], mark: string, sync: string): Block {
  const command = (flag: string) => `feedferry questions ${sync} --${flag} ${ids.join(' ')}`;
  return formOf({
    does: 'answer',
    to: { sync },
    hidden: { questions: ids },
    label: 'The same',
    button: { name: 'answer', value: 'same' },
    command: command('same'),
    also: { label: 'Different', name: 'answer', value: 'distinct', command: command('distinct') },
    blocks: [noteField({ name: 'note', id: `note-${mark}`, label: 'Note (optional)', hint: KEPT })],
  });
}

const ANSWERS: Readonly<Record<GivenAnswerView['answer'], string>> = {
  same: 'the same',
  distinct: 'different',
  publish: 'published',
  leave: 'never published',
};

/** What people have answered, with the buttons to take it back. */
export function answerTable(answers: readonly GivenAnswerView[], sync: string): Block {
  return tableOf<GivenAnswerView>({
    caption: 'Answers',
    columns: [
      {
        head: 'Question',
        isHeading: true,
        cell: ({ records, about }) =>
          records ? records.map(({ title, key }) => `${title} (${key})`).join(' ~ ') : about,
      },
      { head: 'Answer', cell: ({ answer }) => ANSWERS[answer] },
      {
        head: 'Answered',
        cell: ({ person, at, note }) =>
          say`by ${person} on ${timeAt(at)}${note !== undefined && say`: ${styled('quote', note)}`}`,
      },
      { head: 'Id', medium: 'terminal', cell: ({ id }) => id },
      {
        head: 'Take back',
        medium: 'page',
        cell: ({ id }) => ({
          is: 'button',
          form: { does: 'takeBackAnswers', to: { sync }, hidden: { questions: id }, label: 'Take back' },
        }),
      },
    ],
    rows: answers,
  });
}
