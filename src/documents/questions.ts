import { figure } from '../core/text/figures.ts';
import type { GivenAnswerView, QuestionsView, QuestionView } from '../queries/views/question.ts';
import { foldOf, formOf, inMedium, noteField, paragraph, section, tableOf } from './blocks.ts';
import type { Block, Document, Inline } from './document.ts';
import { recordRef, say, styled, timeAt } from './inline.ts';
import { alikeSection, KEPT, reviewSection } from './review.ts';

type Asked = QuestionView['records'][number];

const WHY =
  'Are these the same? Until you answer, only one of each pair is published. The next run acts on the answer.';

/** The questions whether events or records are the same, and what was answered. */
export function questionsDocument({ sync, total, questions: open, alike = [], answers }: QuestionsView): Document {
  const {
    reviews = [],
    ruled = [],
    same = [],
  } = Object.groupBy(open, ({ why }) => (why === 'new' ? 'reviews' : why === 'rule' ? 'ruled' : 'same'));
  const runs = formOf({ does: 'start', hidden: { sync }, label: 'Run now' });
  return {
    title: `Questions about ${sync}`,
    ...{ sync, tab: 'questions' },
    // The sync may have no schedule.
    ...(answers.length > 0 && { aside: [runs] }),
    blocks: [
      total === 0 && alike.length === 0 && paragraph('No question is open.', 'empty'),
      reviewSection('new', reviews, sync),
      reviewSection('rule', ruled, sync),
      same.length > 0 && paragraph(WHY),
      total > open.length && paragraph(`The first ${figure(open.length)} of ${figure(total)} questions.`),
      ...answersForAll(same, sync),
      ...same.map((question, nth) => openQuestion(question, nth, { sync, isFolded: same.length > MOST_OPEN })),
      alikeSection(alike, sync),
      answers.length > 0 && section('answered', 'Answered', answerTable(answers, sync)),
    ],
  };
}

/** If there are more, each is a line that opens. */
const MOST_OPEN = 3;

/** A question whether two records are the same: both sides beside each other, and the form for the answer. */
function openQuestion(
  { id, reason, records, waiting }: QuestionView,
  nth: number,
  { sync, isFolded }: { sync: string; isFolded: boolean },
): Block {
  const [first] = records;
  const blocks = [
    paragraph(say`${reason}${waiting > 1 && ` ${figure(waiting)} records wait for the answer.`}`),
    bothSides(records, sync),
    answerForm([id], String(nth), sync),
  ];
  if (!isFolded) return section(`q-${nth}`, first?.event.title ?? first?.key ?? id, ...blocks);
  const names = new Set(records.map(({ title, key }) => title || key));
  return foldOf(`q-${nth}`, [...names].join(' ~ '), ...blocks);
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
  leave: 'left out',
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
