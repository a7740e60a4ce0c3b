import { z } from 'zod';
import { CodedError } from '../../core/errors.ts';
import { type Html, html } from '../../core/html/html.ts';
import { itemPath, recordPath, runPath, syncPath } from '../../core/text/addresses.ts';
import { attributeLabels } from '../../core/text/attribute-label.ts';
import type { Subject } from '../../core/text/text-parts.ts';
import { differenceCauses } from '../../documents/badges.ts';
import type { RecordLiveView } from '../../queries/records/record.ts';
import type { RecordRejectionView } from '../../queries/records/rejection.ts';
import type { RecordDetailView, RecordSourceView } from '../../queries/views/record.ts';
import type { ProblemView } from '../../queries/views/shared.ts';
import type { Viewer } from '../access/viewer.ts';
import { acknowledgeRecord } from '../parts/acknowledge.ts';
import { badge } from '../parts/badge.ts';
import { fullTime, type SiteNow } from '../parts/figures.ts';
import { notice, problemNotice } from '../parts/notice.ts';
import { siteLink } from '../parts/record-link.ts';
import { recordCrumbs } from '../parts/sync-tabs.ts';
import {
  adoptForm,
  alikeForm,
  eventNotice,
  fileNotice,
  recordFacts,
  recordHistory,
  removedNotice,
  retryForm,
  waitingNotice,
} from '../story/record-facts.ts';
import { liveNotice } from '../story/record-live.ts';
import { sourceFields, sourceNotice } from '../story/record-source.ts';
import { cmsSide, feedSide, ledgerSides, recordTable } from '../story/record-table.ts';
import { consolePage, type PageContent, type PageContext } from './page.ts';

const compared = z.enum(['feed', 'cms', 'both']);

/** What the record is compared with, besides the ledger. Reading it takes a while, so the viewer asks for it. */
type Compared = z.output<typeof compared>;

/** An answer, or why there is none. */
type Asked<View> = View | { problem: ProblemView; is?: undefined; found?: undefined };

/** The story of a record: what the feed, the ledger and the CMS have of it, and its history. */
export const recordStoryPage = consolePage({
  path: '/syncs/:sync/record',
  query: z.object({ key: z.string().min(1), with: compared.optional() }),
  async show({ sync, key, with: other }, { queries, signal }, context) {
    const [detail, feed, live] = await Promise.all([
      unlessUnknown(queries.record(sync, key)),
      other === undefined || other === 'cms' ? undefined : asked(queries.recordSource(sync, key, signal)),
      other === undefined || other === 'feed' ? undefined : asked(queries.recordLive(sync, key, signal)),
    ]);
    if (detail) return recordContent(detail, context, { feed, live });
    return unknownContent(await queries.recordRejection(sync, key), context, feed);
  },
});

/** Lists of rejected and skipped records also have links to this page. */
async function unlessUnknown<View>(view: Promise<View>): Promise<View | undefined> {
  try {
    return await view;
  } catch (error) {
    if (error instanceof CodedError && error.code === 'FF_RECORD_UNKNOWN') return undefined;
    throw error;
  }
}

/** The record is also shown if the feed or the CMS cannot be asked, for example because the sync has no file any longer. */
async function asked<View>(view: Promise<View>): Promise<Asked<View>> {
  try {
    return await view;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { code, message, remedy } = error;
    return { problem: { code, message, remedy } };
  }
}

interface Others {
  feed?: Asked<RecordSourceView> | undefined;
  live?: Asked<RecordLiveView> | undefined;
}

export function recordContent(view: RecordDetailView, context: PageContext, others: Others = {}): PageContent {
  const {
    sync,
    key,
    title,
    error,
    maybeSent,
    ignored,
    undeliveredFiles = [],
    cmsId,
    link,
    setBy,
    differs,
    waiting,
  } = view;
  const { feed, live } = others;
  const sides = [feed?.found && feedSide(feed), ...ledgerSides(view), live?.is && cmsSide(live)];
  return {
    title: title || key,
    crumbs: recordCrumbs(sync),
    aside: html`${cmsId !== undefined && html`${siteLink(sync, view, 'See it on the site')}${outside(link ?? itemPath(sync, key, 'cms'), 'Edit it in the CMS')}`}${retryForm(view, context.viewer)}`,
    body: html`${error && problemNotice(error, view.status === 'held' ? 'warning' : 'bad', { sync, key })}
${removedNotice(view)}${view.event && eventNotice(view, view.event, context.viewer)}${alikeForm(view, context.viewer)}${waiting && waitingNotice(waiting)}
${undeliveredFiles.map((file) => fileNotice(file, context))}
${differs && notice('warning', html`${differenceText(differs)} Found by the verification of ${fullTime(differs.foundAt, context)}. <a href="${syncPath(sync, 'verification')}">Show all differences</a>`)}
${acknowledgement(view, context)}
${maybeSent && notice('warning', 'A create was sent, but the CMS did not respond. The next run looks for the item before it creates another one.')}
${ignored && notice('warning', `The CMS ignores ${ignored.join(', ')}: its item has no value there.`)}
${recordFacts(view, context)}
<section aria-labelledby="content-title"><h2 id="content-title">Content</h2>
${compareLinks(sync, key)}<div aria-live="polite">${liveNotice(live, view)}${feedNotice(feed, { sync, key })}</div>
${recordTable(
  sides.filter((side) => side !== undefined),
  setBy,
  view.event?.givenBy,
)}${feed?.found && sourceFields(feed.found)}</section>
<section aria-labelledby="history"><h2 id="history">History</h2>${recordHistory(view, context)}</section>
${view.cmsId === undefined && adoptForm(view, context.viewer)}`,
  };
}

function outside(path: string, text: string): Html {
  return html`<a href="${path}" target="_blank" rel="noreferrer noopener">${text}<span class="unseen"> (opens a new tab)</span></a>`;
}

function differenceText({ cause, attributes }: NonNullable<RecordDetailView['differs']>): string {
  const [, what] = differenceCauses[cause];
  return attributes.length > 0 ? `${what}: ${attributeLabels(attributes)}.` : `${what}.`;
}

function acknowledgement(view: RecordDetailView, page: PageContext) {
  const { sync, key, acknowledged = [], undeliveredFiles = [], differs } = view;
  const context = { viewer: page.viewer, sync, back: recordPath(sync, key) };
  return acknowledgeRecord(
    { name: key, acknowledged, hasProblem: undeliveredFiles.length > 0 || differs !== undefined },
    context,
    page,
  );
}

/** A record that was never accepted for delivery: the plan in which it waits, why the last reading has rejected it, or what the feed has now. */
export function unknownContent(view: RecordRejectionView, context: PageContext, feed: Others['feed']): PageContent {
  const { sync, key, title, found, event, waiting } = view;
  const side = feed?.found && feedSide(feed);
  const unknown = found.length === 0 && !event && !waiting && notice('info', UNKNOWN_RECORD);
  return {
    title: title || key,
    crumbs: recordCrumbs(sync),
    body: html`${event && eventNotice(view, event, context.viewer)}${waiting && waitingNotice(waiting)}${feed ? feedNotice(feed, { sync, key }) : unknown}${!feed?.found && rejectionNotices(view, context)}
${compareLink(sync, key, 'feed', 'Read the feed')}${side && recordTable([side], {})}${sourceFields(feed?.found ?? found)}`,
  };
}

const UNKNOWN_RECORD =
  'This record was never accepted for delivery. Read the feed to see whether it is there, and why it is rejected or skipped.';

/** Links that load the page again with what the feed and the CMS have now. */
function compareLinks(sync: string, key: string): Html {
  return html`<p class="actions">Compare with ${compareLink(sync, key, 'both', 'the feed and the CMS')} ${compareLink(sync, key, 'feed', 'the feed')} ${compareLink(sync, key, 'cms', 'the CMS')}</p>`;
}

function compareLink(sync: string, key: string, other: Compared, text: string): Html {
  const path = recordPath(sync, key, other);
  return html`<a class="button" href="${path}" hx-get="${path}" hx-target="#content" hx-swap="innerMorph">${text}</a>`;
}

function feedNotice(feed: Others['feed'], subject: Subject): Html | undefined {
  if (feed === undefined) return undefined;
  return feed.found ? sourceNotice(feed, subject) : problemNotice(feed.problem, 'bad', subject);
}

/** Why the last reading has rejected a record, what to do about it, and who has acknowledged that. */
function rejectionNotices(
  { sync, key, run, startedAt, found, acknowledged = [] }: RecordRejectionView,
  context: SiteNow & { viewer: Viewer },
): Html | undefined {
  if (found.length === 0) return undefined;
  const reading =
    run && html`<a href="${runPath(run)}">the last run</a>${startedAt && html` (${fullTime(startedAt, context)})`}`;
  const by = { viewer: context.viewer, sync, back: recordPath(sync, key) };
  return html`<p>${badge('bad', 'Rejected')} by ${reading}. The record was not delivered.</p>
${found.map(({ at, problem }) => html`<p><strong>${at}</strong></p>${problemNotice(problem, 'bad', { sync, key })}`)}
${acknowledgeRecord({ name: key, acknowledged, hasProblem: true }, by, context)}`;
}
