import { z } from 'zod';
import { CodedError } from '../../core/errors.ts';
import type { RecordDetailView } from '../../queries/views/record.ts';
import type { UndeliveredFileView } from '../../queries/views/shared.ts';
import { recordPath, runPath } from '../parts/addresses.ts';
import { badge, recordBadge } from '../parts/badge.ts';
import { differenceTable, valueText } from '../parts/difference.ts';
import { figureOf, fromNow, fullTime } from '../parts/figures.ts';
import { actionForm, textField } from '../parts/form.ts';
import { type Html, html } from '../parts/html.ts';
import { webLink } from '../parts/link.ts';
import { emptyState, notice, problemNotice } from '../parts/notice.ts';
import { recordCrumbs } from '../parts/sync-tabs.ts';
import { facts, table } from '../parts/table.ts';
import { consolePage, type PageContent, type PageContext, syncParams } from './page.ts';

export const recordQuery = z.object({ key: z.string().min(1) });

/** The story of a record: source, payload, delivered, live, history. Parts that take a while are loaded on demand. */
export const recordStoryPage = consolePage({
  path: '/syncs/:sync/record',
  params: syncParams,
  query: recordQuery,
  async show({ sync, key }, { queries }, context) {
    try {
      return recordContent(await queries.record(sync, key), context);
    } catch (error) {
      // Lists of rejected and skipped records also have links to this page.
      if (error instanceof CodedError && error.code === 'FF_RECORD_UNKNOWN') return unknownContent(sync, key);
      throw error;
    }
  },
});

export function recordContent(view: RecordDetailView, context: PageContext): PageContent {
  const { sync, key, title, error, maybeSent, ignored, undeliveredFiles = [], link } = view;
  return {
    title: title || key,
    crumbs: recordCrumbs(sync),
    aside: html`${link !== undefined && webLink(link, 'Open in the CMS')}${retryForm(view, context)}`,
    body: html`${error && problemNotice(error, view.status === 'held' ? 'warning' : 'bad')}
${undeliveredFiles.map((file) => fileNotice(file, context))}
${maybeSent && notice('warning', 'A create was sent, but the CMS did not respond. The next run looks for the item before it creates another one.')}
${ignored && notice('warning', `The CMS ignores ${ignored.join(', ')}: its item has no value there.`)}
${recordFacts(view, context)}
${onDemand({ sync, key, part: 'source', title: 'In the feed now', label: 'Read the feed', hint: 'Shows the fields of the source, the payload, and what the next run would do.' })}
<section aria-labelledby="payload"><h2 id="payload">Payload</h2>${payloadTable(view)}</section>
${onDemand({ sync, key, part: 'live', title: 'In the CMS now', label: 'Ask the CMS', hint: 'Shows what was edited there since the last delivery.' })}
<section aria-labelledby="history"><h2 id="history">History</h2>${history(view, context)}</section>
${view.cmsId === undefined && adoptForm(view, context)}`,
  };
}

function unknownContent(sync: string, key: string): PageContent {
  return {
    title: key,
    crumbs: recordCrumbs(sync),
    body: html`${notice('info', 'This record was never accepted for delivery. Read the feed to see whether it is there, and why it is rejected or skipped.')}
${onDemand({ sync, key, part: 'source', title: 'In the feed now', label: 'Read the feed', hint: 'Shows the fields of the source and the reason.' })}`,
  };
}

function fileNotice(
  { attribute, code, reason, since, tries, retryAt, keepsEarlier }: UndeliveredFileView,
  context: PageContext,
) {
  const kept = keepsEarlier ? 'The CMS keeps the earlier file.' : 'The CMS has no file there.';
  const next = retryAt
    ? `Next try: ${fullTime(retryAt, context)} (${fromNow(retryAt, context)}).`
    : 'The next run tries again.';
  return notice(
    'warning',
    html`<p><strong>Delivered without its ${attribute}: ${reason}</strong></p>
<p>${kept} Tried ${tries === 1 ? 'once' : `${tries} times`} since ${fullTime(since, context)}. ${next}</p><p class="muted"><code>${code}</code></p>`,
  );
}

function retryForm(
  { sync, key, status, undeliveredFiles }: RecordDetailView,
  { viewer }: PageContext,
): Html | undefined {
  if (status !== 'pending' && status !== 'failed' && status !== 'held' && !undeliveredFiles) return undefined;
  return actionForm({ viewer, does: 'retryRecord', to: { sync }, label: 'Retry', kind: 'primary', hidden: { key } });
}

function recordFacts(view: RecordDetailView, context: PageContext): Html {
  const { key, status, at, cmsId, link, startsOn, deliveredAt, missingSince, marked, attempts, retryAt, run } = view;
  const withoutFiles = view.undeliveredFiles?.map(({ attribute }) => attribute);
  return facts([
    ['State', recordBadge(status, withoutFiles)],
    ['Key', html`<span class="key">${key}</span>`],
    ['Item', cmsId === undefined ? 'none' : link === undefined ? `#${cmsId}` : webLink(link, `#${cmsId}`)],
    ['Date', startsOn],
    ['Delivered', deliveredAt === undefined ? 'never' : fullTime(deliveredAt, context)],
    ['Place in the feed', at],
    ['Missing since', missingSince && html`${fullTime(missingSince, context)}${marked && ' (marked in the CMS)'}`],
    ['Attempts', attempts > 0 && figureOf(attempts, 'attempt')],
    ['Next attempt', retryAt && html`${fullTime(retryAt, context)} (${fromNow(retryAt, context)})`],
    ['Last change', html`<a href="${runPath(run)}">Show the run</a>`],
  ]);
}

/** A link that loads a part into this page, or opens the part as a page of its own if the browser has no JavaScript. */
function onDemand(options: {
  sync: string;
  key: string;
  part: 'source' | 'live';
  title: string;
  label: string;
  hint: string;
}): Html {
  const { sync, key, part, title, label, hint } = options;
  const path = recordPath(sync, key, part);
  return html`<section aria-labelledby="${part}-title"><h2 id="${part}-title">${title}</h2>
<div id="${part}" aria-live="polite"><p>${hint}</p><p><a class="button" href="${path}" hx-get="${path}" hx-target="#${part}" hx-swap="innerHTML">${label}</a></p></div></section>`;
}

function payloadTable({ desired, delivered }: RecordDetailView): Html {
  const attributes = [...new Set([...Object.keys(desired), ...Object.keys(delivered ?? {})])];
  return table<string>({
    caption: 'Payload',
    columns: [
      { head: 'Attribute', isHeading: true, kind: 'key', cell: (attribute) => attribute },
      { head: 'Wanted by the source', cell: (attribute) => valueText(ownValue(desired, attribute)) },
      {
        head: 'Delivered',
        cell: (attribute) =>
          delivered ? valueText(ownValue(delivered, attribute)) : html`<span class="muted">never</span>`,
      },
    ],
    rows: attributes,
  });
}

function ownValue<Value>(values: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function history({ history }: RecordDetailView, context: PageContext): Html {
  if (history.length === 0) return emptyState('Nothing was sent yet.');
  return html`<ol class="changes">${history.map((entry, place) => html`<li>${historyEntry(entry, `history-${history.length - place}`, context)}</li>`)}</ol>`;
}

function historyEntry(entry: RecordDetailView['history'][number], id: string, context: PageContext): Html {
  const { at, run, outcome, method, attributes, uploads, error, differences } = entry;
  const what = html`${fullTime(at, context)} ${badge(error ? 'bad' : 'plain', outcome)} ${method && html`<code>${method}</code>`} <span class="muted">${attributes.join(', ')}${uploads > 0 && ` + ${figureOf(uploads, 'file')}`}</span>`;
  const link = html`<p><a href="${runPath(run)}">Run</a></p>`;
  if (differences.length === 0 && error === undefined) return html`<div class="row">${what} ${link}</div>`;
  return html`<details id="${id}"><summary>${what}</summary>${error && problemNotice(error)}${differences.length > 0 && differenceTable(differences)}${link}</details>`;
}

function adoptForm({ sync, key }: RecordDetailView, { viewer }: PageContext): Html | undefined {
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
