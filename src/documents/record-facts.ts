import { codesAnsweredBy, type RecordAnswer, recordAnswers } from '../core/errors.ts';
import { openStatuses } from '../core/record.ts';
import { runPath, syncPath } from '../core/text/addresses.ts';
import { attributeLabels } from '../core/text/attribute-label.ts';
import { describeGivers } from '../core/text/describe-givers.ts';
import { figureOf } from '../core/text/figures.ts';
import type { EventView, RecordDetailView } from '../queries/views/record.ts';
import type { UndeliveredFileView } from '../queries/views/shared.ts';
import { recordState } from './badges.ts';
import { factList, field, formOf, inMedium, noteField, noticeOf, paragraph, section, tableOf } from './blocks.ts';
import type { Block, Inline, Tone } from './document.ts';
import { inTerminal, linkTo, mark, onPage, proseOf, recordRef, runRef, say, styled, timeAt } from './inline.ts';
import { KEPT } from './review.ts';

type Waiting = NonNullable<RecordDetailView['waiting']>;

/** A file that the record was delivered without: why, and when it is tried again. */
export function fileNotice(file: UndeliveredFileView): Block {
  const { attribute, code, reason, since, tries, retryAt, keepsEarlier } = file;
  const kept = keepsEarlier ? 'The CMS keeps the earlier file.' : 'The CMS has no file there.';
  const next = retryAt ? say`Next try: ${timeAt(retryAt, { hasDistance: true })}.` : 'The next run tries again.';
  return noticeOf(
    'warning',
    styled('strong', say`Delivered without its ${attribute}: ${proseOf(reason)}`),
    say`${kept} Tried ${tries === 1 ? 'once' : `${tries} times`} since ${timeAt(since)}. ${next}`,
    inTerminal(code),
  );
}

const planned: Record<Waiting['op'], [Tone, string]> = {
  create: ['info', 'To be created'],
  createAgain: ['info', 'To be created again'],
  update: ['info', 'To be changed'],
  delete: ['bad', 'To be deleted'],
  mark: ['warning', 'To be marked as missing'],
};

/** What a plan would do with the record if it is approved. */
export function waitingNotice({ run, op }: Waiting): Block {
  const [, what] = planned[op];
  const review = linkTo(runPath(run, 'plan'), 'Review the plan', { command: `feedferry approve --list ${run}` });
  return noticeOf('warning', say`${styled('strong', `${what}: waits for a decision.`)} ${review}`);
}

/**
 * Says of a record of a source that another one publishes its event, with the button that separates it, or that it waits for an
 * answer; asks what is open.
 */
export function eventNotice(
  { sync, key }: { sync: string; key: string },
  { publishedAs, publisher, questions }: EventView,
): Block {
  const isOther = publishedAs !== undefined && publishedAs !== key;
  if (!isOther && questions.length === 0) return undefined;
  const other = say`${styled('strong', 'Another source has the same event.')} It is published as ${recordRef(sync, { key: publishedAs ?? '' })}, by ${publisher}.`;
  const separate = formOf({
    does: 'answer',
    to: { sync },
    hidden: { questions: key, answer: 'distinct' },
    label: 'It is another event',
    command: `feedferry questions ${sync} --distinct ${key}`,
  });
  const waits = styled('strong', 'It may be an event that another source has, so it is not published yet.');
  const answer = linkTo(syncPath(sync, 'questions'), 'Answer the question', { command: `feedferry questions ${sync}` });
  return {
    is: 'box',
    tone: 'info',
    blocks: [
      ...(isOther ? [paragraph(other), separate] : [publishedAs === undefined && paragraph(waits)]),
      ...questions.map(({ id, reason }) => paragraph(say`${inTerminal(`${id}: `)}${reason} ${answer}`)),
    ],
  };
}

/** The button that delivers an undelivered record again, or creates its item again. */
export function retryForm({ sync, key, status, undeliveredFiles, leftOut }: RecordDetailView): Block {
  if (leftOut) return undefined;
  const form = { does: 'retry', to: { sync }, kind: 'primary' } as const;
  if (status === 'deleted') return formOf({ ...form, label: 'Bring it back', hidden: { keys: key, recreate: '1' } });
  const isOpen = openStatuses.some((open) => open === status) || undeliveredFiles !== undefined;
  return isOpen && formOf({ ...form, label: 'Retry', hidden: { keys: key } });
}

/** The question that a record waits for: is it the same as what it looks like, or is it published? */
export function answerForm({ sync, key, cmsId, error }: RecordDetailView): Block {
  const answers = recordAnswers.filter((answer) => {
    const isAsked = codesAnsweredBy[answer].some((code) => code === error?.code);
    // What is on the site is not left out.
    return isAsked && (answer !== 'leave' || cmsId === undefined);
  });
  const labels: Record<RecordAnswer, string> = {
    same: error?.code === 'FF_RECORD_ALIKE' ? 'The same: do not create it' : 'The same: change its item',
    distinct: 'Something else: create it',
    publish: 'Publish it',
    leave: 'Leave it out',
  };
  const options = [['', 'Choose …'], ...answers.map((answer) => [answer, labels[answer]] as const)] as const;
  return (
    answers.length > 0 &&
    inMedium(
      'page',
      formOf({
        does: 'retry',
        to: { sync },
        label: 'Answer',
        hidden: { keys: key },
        blocks: [
          { is: 'heading', title: answers.includes('publish') ? 'Is it published?' : 'Is it the same?' },
          field('choice', { name: 'answer', label: 'Answer', options }),
          noteField({ name: 'note', id: 'answer-note', label: 'Note about the answer (optional)', hint: KEPT }),
        ],
      }),
    )
  );
}

/** Who has left out a record, with the button that takes it back. */
export function leftOutNotice({ sync, key, leftOut }: RecordDetailView): Block {
  if (!leftOut) return undefined;
  const { person, at, note } = leftOut;
  const who = say`${styled('strong', 'Left out')} by ${person} on ${timeAt(at)}${note !== undefined && say`: ${styled('quote', note)}`}.`;
  const takeBack = formOf({
    does: 'takeBackAnswers',
    to: { sync },
    hidden: { questions: key },
    label: 'Take back',
    command: `feedferry questions ${sync} --take-back "${key}"`,
  });
  const means = ' It is not published, whatever becomes of it in the feed, until that is taken back.';
  return { is: 'box', tone: 'info', blocks: [paragraph([who, means]), takeBack] };
}

/**
 * State, key, item and times of a record.
 * @param isRead whether the feed was read: then its place there is said with what it has
 */
export function recordFacts(view: RecordDetailView, isRead: boolean): Block {
  const { key, cmsId, link, startsOn, deliveredAt, attempts, retryAt, run } = view;
  const withoutFiles = view.undeliveredFiles?.map(({ attribute }) => attribute);
  const state = mark(recordState({ ...view, withoutFiles }));
  return factList(
    ['State', [state, view.waiting && [' ', mark(planned[view.waiting.op])]]],
    ['Key', styled('key', key)],
    ['Item', cmsId === undefined ? 'none' : { is: 'item', cmsId, link }],
    ['Date', startsOn],
    ['Delivered', deliveredAt === undefined ? 'never' : timeAt(deliveredAt)],
    ['Sources', view.event && describeGivers(view.event)],
    [
      'Its records',
      inTerminal(view.event?.members.map(({ key: its, is, at: place }) => `${its}: ${is}, ${place}`).join('; ')),
    ],
    ['Place in the feed', placeOf(view, isRead)],
    ['Attempts', attempts > 0 && figureOf(attempts, 'attempt')],
    ['Next attempt', retryAt && timeAt(retryAt, { hasDistance: true })],
    ['Last change', [onPage(runRef(run, 'Show the run')), inTerminal(run)]],
  );
}

/** A record that is missing had a place before. */
function placeOf({ status, at, missingSince, marked }: RecordDetailView, isRead: boolean): Inline {
  if (missingSince === undefined) return status !== 'removed' && !isRead && at;
  return say`no longer in the feed since ${timeAt(missingSince)}, before that: ${at}${marked && ' (marked in the CMS)'}`;
}

type Delivery = RecordDetailView['history'][number];

/** What was sent for a record, newest first. */
export function recordHistory({ history }: RecordDetailView): Block {
  if (history.length === 0) return paragraph('Nothing was sent yet.', 'empty');
  return tableOf<Delivery>({
    caption: 'History',
    columns: [
      { head: 'When', kind: 'time', isHeading: true, cell: ({ at }) => timeAt(at) },
      {
        head: 'Result',
        cell: ({ outcome, error, cmsId }) => [
          mark([error ? 'bad' : 'plain', outcome]),
          cmsId !== undefined && inTerminal(` (item ${cmsId})`),
        ],
      },
      {
        head: 'Sent',
        cell: ({ method, attributes, uploads }) => [
          inTerminal(method && `${method} `),
          attributeLabels(attributes),
          uploads > 0 && ` + ${figureOf(uploads, 'file')}`,
        ],
      },
      { head: 'Run', cell: ({ run }) => [onPage(runRef(run, 'show', `the run ${run.slice(-6)}`)), inTerminal(run)] },
      {
        head: 'Details',
        cell: ({ at, error, differences }) => [
          error && [inTerminal(`${error.code} `), proseOf(error.message)],
          onPage({ is: 'differences', id: `sent-${at}`, differences }),
        ],
      },
    ],
    rows: history,
  });
}

/** The form that makes a record the owner of an item. */
export function adoptForm({ sync, key }: RecordDetailView): Block {
  const form = formOf({
    does: 'adopt',
    to: { sync },
    label: 'Adopt this item',
    hidden: { key },
    blocks: [
      field('line', { name: 'cmsId', label: 'Number of the item in the CMS', type: 'number', isRequired: true }),
    ],
  });
  const about = paragraph(
    'If the CMS already has this record, enter the number of its item. It is then updated instead of created.',
  );
  return inMedium('page', {
    is: 'allowed',
    does: 'adopt',
    blocks: [section('adopt', 'Adopt an item', about, form)],
  });
}
