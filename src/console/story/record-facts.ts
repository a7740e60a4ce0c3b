import { askingCodes } from '../../core/errors.ts';
import { type Html, html } from '../../core/html/html.ts';
import { recordPath, runPath, syncPath } from '../../core/text/addresses.ts';
import { attributeLabels } from '../../core/text/attribute-label.ts';
import { describeGivers } from '../../core/text/describe-givers.ts';
import { figureOf, fromNow } from '../../core/text/figures.ts';
import { recordState } from '../../documents/badges.ts';
import type { Tone } from '../../documents/document.ts';
import type { EventView, RecordDetailView } from '../../queries/views/record.ts';
import type { UndeliveredFileView } from '../../queries/views/shared.ts';
import type { Viewer } from '../access/viewer.ts';
import { badge } from '../parts/badge.ts';
import { differenceTable } from '../parts/difference.ts';
import { fullTime, type SiteNow, shortTime } from '../parts/figures.ts';
import { actionForm, longField, selectField, textField } from '../parts/form.ts';
import { webLink } from '../parts/link.ts';
import { emptyState, notice, problemNotice } from '../parts/notice.ts';
import { prose } from '../parts/prose.ts';
import { facts } from '../parts/table.ts';

type Waiting = NonNullable<RecordDetailView['waiting']>;

/** A file that the record was delivered without: why, and when it is tried again. */
export function fileNotice(
  { attribute, code, reason, since, tries, retryAt, keepsEarlier }: UndeliveredFileView,
  context: SiteNow,
) {
  const kept = keepsEarlier ? 'The CMS keeps the earlier file.' : 'The CMS has no file there.';
  const next = retryAt
    ? html`Next try: ${fullTime(retryAt, context)} (${fromNow(retryAt, context)}).`
    : 'The next run tries again.';
  return notice(
    'warning',
    html`<p><strong>Delivered without its ${attribute}: ${prose(reason)}</strong></p>
<p>${kept} Tried ${tries === 1 ? 'once' : `${tries} times`} since ${fullTime(since, context)}. ${next}</p><details><summary class="muted">Code</summary><code>${code}</code></details>`,
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
export function waitingNotice({ run, op }: Waiting): Html {
  const [, what] = planned[op];
  return notice(
    'warning',
    html`<strong>${what}: waits for a decision.</strong> <a href="${runPath(run, 'plan')}">Review the plan</a>`,
  );
}

/** A record whose item feedferry has deleted, because it is missing from the feed, or by an undo or a purge. */
export function removedNotice({ status, history }: RecordDetailView): Html | undefined {
  if (status !== 'removed') return undefined;
  const deletion = history.find(({ outcome }) => outcome === 'removed');
  return notice(
    'warning',
    html`<strong>feedferry deleted its item in the CMS.</strong> ${deletion && html`<a href="${runPath(deletion.run)}">Show the run that deleted it</a>`}`,
  );
}

/**
 * Says of a record of a source that another one publishes its event, with the button that separates it, or that it waits for an
 * answer; asks what is open.
 */
export function eventNotice(
  { sync, key }: { sync: string; key: string },
  { publishedAs, publisher, questions }: EventView,
  viewer: Viewer,
): Html | undefined {
  const isOther = publishedAs !== undefined && publishedAs !== key;
  const asked = questions.map(
    ({ reason }) => html`<p>${reason} <a href="${syncPath(sync, 'questions')}">Answer the question</a></p>`,
  );
  if (!isOther && questions.length === 0) return undefined;
  const why = isOther
    ? html`<p><strong>Another source has the same event.</strong> It is published as <a href="${recordPath(sync, publishedAs)}">${publishedAs}</a>, by ${publisher}.</p>${separateForm(sync, key, viewer)}`
    : publishedAs === undefined &&
      html`<p><strong>It may be an event that another source has, so it is not published yet.</strong></p>`;
  return notice('info', html`${why}${asked}`);
}

function separateForm(sync: string, key: string, viewer: Viewer): Html | undefined {
  const hidden = { questions: key, answer: 'distinct' };
  return actionForm({ viewer, does: 'answer', to: { sync }, hidden, label: 'It is another event' });
}

/** The button that delivers an undelivered record again. */
export function retryForm({ sync, key, status, undeliveredFiles }: RecordDetailView, viewer: Viewer): Html | undefined {
  if (status !== 'pending' && status !== 'failed' && status !== 'held' && !undeliveredFiles) return undefined;
  return actionForm({ viewer, does: 'retry', to: { sync }, label: 'Retry', kind: 'primary', hidden: { keys: key } });
}

/** The question whether a record is the same as what it looks like. */
export function alikeForm({ sync, key, error }: RecordDetailView, viewer: Viewer): Html | undefined {
  const code = askingCodes.find((each) => each === error?.code);
  if (!code) return undefined;
  const hint = 'It is kept with the answer, with your name.';
  return actionForm({
    viewer,
    does: 'retry',
    to: { sync },
    label: 'Answer',
    hidden: { keys: key },
    fields: html`<h2>Is it the same?</h2>${selectField({
      name: 'answer',
      label: 'Answer',
      options: [
        ['', 'Choose …'],
        ['same', code === 'FF_RECORD_ALIKE' ? 'The same: do not create it' : 'The same: change its item'],
        ['distinct', 'Something else: create it'],
      ],
    })}${longField({ name: 'note', label: 'Note (optional)', hint })}`,
  });
}

/** State, key, item and times of a record. */
export function recordFacts(view: RecordDetailView, context: SiteNow): Html {
  const { key, status, at, cmsId, link, startsOn, deliveredAt, missingSince, marked, attempts, retryAt, run, event } =
    view;
  const withoutFiles = view.undeliveredFiles?.map(({ attribute }) => attribute);
  return facts([
    [
      'State',
      html`${badge(...recordState(status, withoutFiles, view.differs?.cause))}${view.waiting && html` ${badge(...planned[view.waiting.op])}`}`,
    ],
    ['Key', html`<span class="key">${key}</span>`],
    ['Item', cmsId === undefined ? 'none' : link === undefined ? `#${cmsId}` : webLink(link, `#${cmsId}`)],
    ['Date', startsOn],
    ['Delivered', deliveredAt === undefined ? 'never' : fullTime(deliveredAt, context)],
    ['Sources', event && describeGivers(event)],
    ['Place in the feed', status !== 'removed' && at],
    ['Missing since', missingSince && html`${fullTime(missingSince, context)}${marked && ' (marked in the CMS)'}`],
    ['Attempts', attempts > 0 && figureOf(attempts, 'attempt')],
    ['Next attempt', retryAt && html`${fullTime(retryAt, context)} (${fromNow(retryAt, context)})`],
    ['Last change', html`<a href="${runPath(run)}">Show the run</a>`],
  ]);
}

/** What was sent for a record, newest first. */
export function recordHistory({ history }: RecordDetailView, context: SiteNow): Html {
  if (history.length === 0) return emptyState('Nothing was sent yet.');
  return html`<ol class="changes">${history.map((entry, place) => html`<li>${historyEntry(entry, `history-${history.length - place}`, context)}</li>`)}</ol>`;
}

function historyEntry(entry: RecordDetailView['history'][number], id: string, context: SiteNow): Html {
  const { at, run, outcome, attributes, uploads, error, differences } = entry;
  const what = html`${fullTime(at, context)} ${badge(error ? 'bad' : 'plain', outcome)} <span class="muted">${attributeLabels(attributes)}${uploads > 0 && ` + ${figureOf(uploads, 'file')}`}</span>`;
  const link = html`<p><a href="${runPath(run)}">Run<span class="unseen"> of ${shortTime(at, context, { withSeconds: true })} ${run.slice(-6)}</span></a></p>`;
  if (differences.length === 0 && error === undefined) return html`<div class="row">${what} ${link}</div>`;
  return html`<details id="${id}"><summary>${what}</summary>${error && problemNotice(error)}${differences.length > 0 && differenceTable(differences)}${link}</details>`;
}

/** The form that makes a record the owner of an item. */
export function adoptForm({ sync, key }: RecordDetailView, viewer: Viewer): Html | undefined {
  const form = actionForm({
    viewer,
    does: 'adopt',
    to: { sync },
    label: 'Adopt this item',
    hidden: { key },
    fields: textField({
      name: 'cmsId',
      label: 'Number of the item in the CMS',
      type: 'number',
      isRequired: true,
      autocomplete: 'off',
    }),
  });
  if (form === undefined) return undefined;
  return html`<section aria-labelledby="adopt"><h2 id="adopt">Adopt an item</h2>
<p>If the CMS already has this record, enter the number of its item. It is then updated instead of created.</p>${form}</section>`;
}
