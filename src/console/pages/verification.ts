import { z } from 'zod';
import { type Html, html } from '../../core/html/html.ts';
import { recordPath, syncPath } from '../../core/text/addresses.ts';
import { attributeLabels } from '../../core/text/attribute-label.ts';
import { figure, figureOf } from '../../core/text/figures.ts';
import { differenceCauses } from '../../documents/badges.ts';
import type { VerificationView, VerifiedDifferenceView } from '../../queries/views/verification.ts';
import { type AcknowledgeContext, acknowledgedColumn, acknowledgeForm, choiceColumn } from '../parts/acknowledge.ts';
import { badge } from '../parts/badge.ts';
import { fullTime } from '../parts/figures.ts';
import { actionForm } from '../parts/form.ts';
import { itemNumber } from '../parts/link.ts';
import { pagedList } from '../parts/list.ts';
import { notice, problemNotice } from '../parts/notice.ts';
import { nameText } from '../parts/record-link.ts';
import { syncCrumbs, syncTabs } from '../parts/sync-tabs.ts';
import { facts, table } from '../parts/table.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';

const LIMIT = 25;
const REFRESH_SECONDS = 3;

/** Is everything there: what the last verification has proven, and each difference that it has found. */
export const verificationPage = consolePage({
  path: '/syncs/:sync/verification',
  query: z.object({ after: optionalText }),
  show: async ({ sync, after }, { queries }, context) => {
    return verificationContent(await queries.verification(sync, { after, limit: LIMIT }), context);
  },
});

export function verificationContent(view: VerificationView, context: PageContext): PageContent {
  const { sync, beganAt, endedAt, total } = view;
  const isRunning = beganAt !== undefined && endedAt === undefined;
  // The differences on further pages are unknown here.
  const mayRepair =
    view.next !== undefined ||
    view.differences.some(({ isLeft, since, acknowledged }) => !isLeft && since !== 'repaired' && !acknowledged);
  const to = { viewer: context.viewer, to: { sync } } as const;
  const by = { viewer: context.viewer, sync, back: syncPath(sync, 'verification') };
  return {
    title: `Verification of ${sync}`,
    crumbs: syncCrumbs(sync),
    ...(isRunning && { refreshSeconds: REFRESH_SECONDS }),
    body: html`${syncTabs(sync, 'verification')}
${verdict(view, context)}
${beganAt !== undefined && verificationFacts(view, context)}
${!isRunning && html`<div class="actions">${actionForm({ ...to, does: 'verify', label: 'Verify now', kind: 'primary' })}${mayRepair && actionForm({ ...to, does: 'repair', label: 'Plan a repair' })}</div>`}
<section aria-labelledby="differences"><h2 id="differences">Differences</h2>
${mayRepair && html`<p>Acknowledge what is to stay as it is on the site. A repair delivers everything else again: it is planned first, and changes nothing before it is approved. The title of a record leads to the values.</p>`}
${pagedList({
  path: syncPath(sync, 'verification'),
  rows: view.differences,
  show: (rows) => acknowledgeForm(differenceTable(rows, by, context), rows.map(toRow), { id: 'differences', ...by }),
  empty: total === 0 ? 'No difference is known.' : 'There are no more differences.',
  next: view.next,
  more: 'More differences',
})}</section>`,
  };
}

/** What is proven. What was not seen is not proven. */
function verdict(view: VerificationView, context: PageContext): Html {
  const { beganAt, endedAt, proven, reason, error, total, open, counts } = view;
  if (beganAt === undefined)
    return notice('info', 'This sync was never verified. It is not known whether the CMS has everything.');
  if (endedAt === undefined)
    return notice('info', html`A verification is in progress since ${fullTime(beganAt, context)}.`);
  if (error) return problemNotice(error, 'warning');
  if (proven === false)
    return notice('warning', `Not everything could be verified: ${reason ?? 'the reason is unknown'}.`);
  if (open > 0) {
    const others = total > open && ` ${figure(total - open)} more in the list: delivered since, or never delivered.`;
    return notice('warning', html`The CMS differs from what was delivered: ${figureOf(open, 'difference')}.${others}`);
  }
  if (total > 0) {
    const text =
      'What differed was delivered since, or was never delivered. Verify again to prove what the CMS has now.';
    return notice('info', text);
  }
  if (proven === undefined || counts === undefined)
    return notice('info', 'The details of the last verification are unknown. Verify again.');
  return notice('good', `The CMS has all ${figureOf(counts.inSync, 'record')} exactly as delivered.`);
}

function verificationFacts({ sync: _, ...view }: VerificationView, context: PageContext): Html {
  const { beganAt, endedAt, askedBy, counts, foundAt, total } = view;
  return facts([
    ['Began', beganAt && fullTime(beganAt, context)],
    ['Ended', endedAt && fullTime(endedAt, context)],
    ['Asked by', askedBy],
    ['In sync', counts && `${counts.inSync} of ${figureOf(counts.records, 'record')}`],
    ['Being delivered', counts && counts.moving > 0 && figureOf(counts.moving, 'record')],
    ['Not verified', counts && counts.unverified > 0 && figureOf(counts.unverified, 'record')],
    ['Differences found', total > 0 && foundAt !== undefined && foundAt !== beganAt && fullTime(foundAt, context)],
  ]);
}

const LEFT = html`A repair leaves it, because somebody has deleted it in the CMS. Acknowledge it, or ask the people who run feedferry to create such items again. <details><summary>Setting</summary><code>onDeletedInCms: recreate</code></details>`;

const toRow = ({ key, acknowledged, since }: VerifiedDifferenceView) => ({
  name: key,
  acknowledged,
  isOver: since === 'repaired',
});

function differenceTable(rows: readonly VerifiedDifferenceView[], by: AcknowledgeContext, page: PageContext): Html {
  type Row = VerifiedDifferenceView & { name: string };
  return table<Row>({
    caption: 'Differences between the records and the CMS',
    columns: [
      choiceColumn(by),
      {
        head: 'Record',
        isHeading: true,
        cell: ({ key, title }) => html`<a href="${recordPath(by.sync, key, 'cms')}">${nameText(title)}</a>`,
      },
      { head: 'Cause', cell: causeOf },
      { head: 'Attributes', cell: ({ attributes }) => attributeLabels(attributes) },
      { head: 'Item', kind: 'number', cell: itemNumber },
      { head: 'Details', cell: detailsOf },
      rows.some(({ acknowledged }) => acknowledged) && acknowledgedColumn(page),
    ],
    rows: rows.map((row) => ({ ...row, ...toRow(row) })),
  });
}

function causeOf({ cause, since }: VerifiedDifferenceView): Html {
  const found = badge(...differenceCauses[cause]);
  if (since === 'undelivered') return badge('warning', 'Delivered without the file');
  return since === 'repaired' ? html`${found} ${badge('good', 'Delivered since')}` : found;
}

function detailsOf({ with: other, error, isLeft, remedy }: VerifiedDifferenceView): Html | undefined {
  const alike =
    other && html`looks like <a href="${recordPath(other.sync, other.key)}">${other.key}</a> of ${other.sync}. `;
  if (remedy) return html`${alike}${remedy}`;
  if (isLeft) return LEFT;
  return error && html`${error.reason}`;
}
