import type { RecordLiveView, RecordSourceView } from '../../queries/views/record.ts';
import { recordPath } from '../parts/addresses.ts';
import { badge, type Tone } from '../parts/badge.ts';
import { differenceTable, valueText } from '../parts/difference.ts';
import { type Html, html } from '../parts/html.ts';
import { webLink } from '../parts/link.ts';
import { emptyState, notice, problemNotice } from '../parts/notice.ts';
import { recordCrumbs } from '../parts/sync-tabs.ts';
import { table } from '../parts/table.ts';
import { consolePage, type PageContent, syncParams } from './page.ts';
import { recordQuery } from './record.ts';

/** What the feed has for a record now: a part of its story. */
export const recordSourcePage = consolePage({
  path: '/syncs/:sync/record/source',
  params: syncParams,
  query: recordQuery,
  show: async ({ sync, key }, { queries, signal }) =>
    partOf(sync, key, 'In the feed now', sourcePart(await queries.recordSource(sync, key, signal))),
});

/** What the CMS has for a record now: a part of its story. */
export const recordLivePage = consolePage({
  path: '/syncs/:sync/record/live',
  params: syncParams,
  query: recordQuery,
  show: async ({ sync, key }, { queries, signal }) =>
    partOf(sync, key, 'In the CMS now', livePart(await queries.recordLive(sync, key, signal))),
});

function partOf(sync: string, key: string, title: string, body: Html): PageContent {
  return { title, crumbs: [...recordCrumbs(sync), { to: recordPath(sync, key), text: key }], body };
}

export function sourcePart({ location, complete, verdict, found, differences }: RecordSourceView): Html {
  return html`${notice(verdict.is === 'rejected' ? 'bad' : 'info', html`<p><strong>${verdict.why}</strong></p><p>${verdict.next}</p>`)}
<p>Feed: ${webLink(location)}${!complete && ' (not read completely)'}</p>
${differences.length > 0 && html`<p><strong>What the next run would send</strong></p>${differenceTable(differences, ['Delivered', 'Next'])}`}
${found.map((record) => foundRecord(record))}`;
}

type Found = RecordSourceView['found'][number];

const findings: Record<Found['is'], [Tone, string]> = {
  desired: ['good', 'Accepted'],
  rejected: ['bad', 'Rejected'],
  skipped: ['plain', 'Skipped'],
};

function foundRecord({ at, is, fields, payload, files, warnings, problem }: Found): Html {
  return html`<p><strong>${at}</strong> ${badge(...findings[is])}</p>
${problem && problemNotice(problem)}
${warnings.length > 0 && notice('warning', html`<ul>${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`)}
${fields && valueTable(`Fields of the source, ${at}`, 'Field', fields)}
${payload && valueTable(`Payload of ${at}`, 'Attribute', payload)}
${files.length > 0 && html`<p>Files: ${files.map(({ attribute, name }) => `${attribute} ${name}`).join(', ')}</p>`}`;
}

export function livePart({ is, problem, attributes, differences }: RecordLiveView): Html {
  if (is === 'never') return emptyState('Nothing was delivered yet.');
  if (is === 'missing') return notice('bad', 'The CMS no longer has this item: it was deleted there.');
  if (problem) return problemNotice(problem);
  return html`${
    differences.length === 0
      ? notice('good', 'The item is as it was delivered.')
      : html`${notice('warning', 'The item was edited in the CMS after it was delivered.')}${differenceTable(differences, ['Delivered', 'In the CMS'])}`
  }${valueTable('Attributes in the CMS', 'Attribute', attributes)}`;
}

function valueTable(caption: string, head: string, values: NonNullable<Found['fields']>): Html {
  return table<[string, (typeof values)[string]]>({
    caption,
    showsCaption: true,
    columns: [
      { head, isHeading: true, kind: 'key', cell: ([name]) => name },
      { head: 'Value', cell: ([, value]) => valueText(value) },
    ],
    rows: Object.entries(values),
  });
}
