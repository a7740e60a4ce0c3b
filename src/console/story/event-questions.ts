import { type Html, html } from '../../core/html/html.ts';
import { recordPath } from '../../core/text/addresses.ts';
import { figure } from '../../core/text/figures.ts';
import type { GivenAnswerView, QuestionView } from '../../queries/views/question.ts';
import type { Viewer } from '../access/viewer.ts';
import { fullTime, type SiteNow } from '../parts/figures.ts';
import { actionForm, longField } from '../parts/form.ts';
import { table } from '../parts/table.ts';

type Asked = QuestionView['records'][number];

interface QuestionContext extends SiteNow {
  viewer: Viewer;
}

/**
 * A question whether two records are the same: both sides beside each other, and the form for the answer.
 * @param nth place of the question on the page
 */
export function openQuestion(
  { id, reason, records, waiting }: QuestionView,
  nth: number,
  sync: string,
  context: QuestionContext,
): Html {
  const [first] = records;
  return html`<section aria-labelledby="q-${nth}"><h2 id="q-${nth}">${first?.event.title ?? first?.key}</h2>
<p>${reason}${waiting > 1 && ` ${figure(waiting)} records wait for the answer.`}</p>
${bothSides(records, sync)}${answerForm([id], String(nth), sync, context)}</section>`;
}

function bothSides(records: readonly Asked[], sync: string): Html {
  const day = ({ event }: Asked) => [event.day, event.lastDay].filter(Boolean).join(' – ');
  const time = ({ event }: Asked) => [event.start, event.end].filter(Boolean).join(' – ') || (event.day && 'all day');
  const rows: ReadonlyArray<[string, (record: Asked) => Html | string | undefined]> = [
    ['Title', ({ event }) => event.title],
    ['Day', day],
    ['Time', time],
    ['Place', ({ event }) => event.place],
    ['Description', ({ event }) => event.description],
    ['Record', ({ key }) => html`<a class="key" href="${recordPath(sync, key)}">${key}</a>`],
  ];
  return table<(typeof rows)[number]>({
    caption: `Both sides: ${records.map(({ key }) => key).join(', ')}`,
    columns: [
      { head: 'Attribute', isHeading: true, cell: ([name]) => name },
      ...records.map((record) => ({
        head: record.source,
        cell: ([, show]: (typeof rows)[number]) => show(record) || html`<span class="muted">none</span>`,
      })),
    ],
    rows,
  });
}

/** One answer for all questions that are asked for one reason, if they are several. */
export function answersForAll(open: readonly QuestionView[], sync: string, context: QuestionContext): Html[] {
  return [...Map.groupBy(open, ({ why }) => why)].flatMap(([why, questions]) => {
    const [first, ...others] = questions;
    if (!first || others.length === 0) return [];
    const ids = questions.map(({ id }) => id);
    return html`<section aria-labelledby="all-${why}"><h2 id="all-${why}">All ${figure(ids.length)} of a kind</h2><p>${first.reason}</p>
${answerForm(ids, why, sync, context)}</section>`;
  });
}

/** The first button may not be sent by Enter in the note: Enter adds a line there. */
function answerForm(ids: readonly string[], mark: string, sync: string, { viewer }: QuestionContext): Html | undefined {
  const hint = 'It is kept with the answer, with your name.';
  return actionForm({
    viewer,
    does: 'answer',
    to: { sync },
    hidden: { questions: ids },
    label: 'The same',
    button: { name: 'answer', value: 'same' },
    fields: longField({ name: 'note', id: `note-${mark}`, label: 'Note (optional)', hint }),
    also: html`<button name="answer" value="distinct">Different</button>`,
  });
}

/** What people have answered, with the buttons to take it back. */
export function answerTable(answers: readonly GivenAnswerView[], sync: string, context: QuestionContext): Html {
  return table<GivenAnswerView>({
    caption: 'Answers',
    columns: [
      {
        head: 'Question',
        isHeading: true,
        cell: ({ records, about }) =>
          records ? records.map(({ title, key }) => `${title} (${key})`).join(' ~ ') : about,
      },
      { head: 'Answer', cell: ({ answer }) => (answer === 'same' ? 'the same' : 'different') },
      {
        head: 'Answered',
        cell: ({ person, at, note }) =>
          html`by ${person} on ${fullTime(at, context)}${note !== undefined && html`: <q>${note}</q>`}`,
      },
      {
        head: 'Take back',
        cell: ({ id }) =>
          actionForm({
            viewer: context.viewer,
            does: 'takeBackAnswers',
            to: { sync },
            hidden: { questions: id },
            label: 'Take back',
          }),
      },
    ],
    rows: answers,
  });
}
