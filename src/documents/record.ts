import { itemPath, recordPath, runPath, syncPath } from '../core/text/addresses.ts';
import { attributeLabels } from '../core/text/attribute-label.ts';
import type { RecordLiveView } from '../queries/records/record.ts';
import type { RecordRejectionView } from '../queries/records/rejection.ts';
import type { RecordDetailView, RecordSourceView } from '../queries/views/record.ts';
import { acknowledgement } from './acknowledge.ts';
import { differenceCauses, isOnSite } from './badges.ts';
import { inMedium, noticeOf, paragraph, problemBlock, section } from './blocks.ts';
import type { Block, Document } from './document.ts';
import { linkTo, mark, runRef, say, styled, timeAt } from './inline.ts';
import {
  adoptForm,
  answerForm,
  eventNotice,
  fileNotice,
  leftOutNotice,
  recordFacts,
  recordHistory,
  retryForm,
  waitingNotice,
} from './record-facts.ts';
import { type Answered, liveBlock, sourceBlocks, sourceFields } from './record-source.ts';
import { cmsSide, feedSide, ledgerSides, recordTable } from './record-table.ts';

/** What the feed and the CMS have now, if they were asked. */
interface Others {
  feed?: Answered<RecordSourceView> | undefined;
  live?: Answered<RecordLiveView> | undefined;
}

/** The story of a record: what the feed, the ledger and the CMS have of it, and its history. */
export function recordDocument(view: RecordDetailView, { feed, live }: Others = {}): Document {
  const { sync, key, title, error, maybeSent, ignored, undeliveredFiles = [], cmsId, link, setBy, waiting } = view;
  const about = { sync, key };
  const sides = [feed?.found && feedSide(feed), ...ledgerSides(view), live?.is && cmsSide(live)];
  const outside = { isOutside: true };
  const isThere = isOnSite(view) && live?.is !== 'missing';
  return {
    title: title || key,
    ...{ sync, isRecord: true },
    aside: [
      isThere &&
        paragraph(
          linkTo(itemPath(sync, key), 'See it on the site', { ...outside, unseen: `of ${title || key}` }),
          'bare',
        ),
      isThere && paragraph(linkTo(link ?? itemPath(sync, key, 'cms'), 'Edit it in the CMS', outside), 'bare'),
      retryForm(view),
    ],
    blocks: [
      inMedium('terminal', ...sourceBlocks(feed, about)),
      error && problemBlock(error, about, view.status === 'held' ? 'warning' : 'bad'),
      leftOutNotice(view),
      removedNotice(view),
      view.event && eventNotice(view, view.event),
      answerForm(view),
      waiting && waitingNotice(waiting),
      ...undeliveredFiles.map(fileNotice),
      differsNotice(view),
      acknowledgement(
        {
          name: key,
          acknowledged: view.acknowledged ?? [],
          hasProblem: undeliveredFiles.length > 0 || view.differs !== undefined,
          isKept: view.differs?.cause === 'edited',
        },
        { sync, back: recordPath(sync, key) },
      ),
      maybeSent && noticeOf('warning', MAYBE_SENT),
      ignored && noticeOf('warning', `The CMS ignores ${ignored.join(', ')}: its item has no value there.`),
      recordFacts(view, feed?.found !== undefined),
      section(
        'content-title',
        'Content',
        inMedium('page', compareLinks(sync, key)),
        inMedium('page', { is: 'live', blocks: [liveBlock(live, view), ...sourceBlocks(feed, about)] }),
        ...recordTable(
          sides.filter((side) => side !== undefined),
          setBy,
          view.event?.givenBy,
        ),
        ...(feed?.found ? sourceFields(feed.found) : []),
      ),
      section('history', 'History', recordHistory(view)),
      cmsId === undefined && adoptForm(view),
    ],
  };
}

const MAYBE_SENT =
  'A create was sent, but the CMS did not respond. The next run looks for the item before it creates another one.';
const UNKNOWN_RECORD =
  'This record was never accepted for delivery. Read the feed to see whether it is there, and why it is rejected or skipped.';

/** A record that was never accepted for delivery: the plan in which it waits, why the last reading has rejected it, or what the feed has now. */
export function unknownDocument(view: RecordRejectionView, feed: Others['feed']): Document {
  const { sync, key, title, found, event, waiting } = view;
  const side = feed?.found && feedSide(feed);
  const unknown = found.length === 0 && !event && !waiting && noticeOf('info', UNKNOWN_RECORD);
  return {
    title: title || key,
    ...{ sync, isRecord: true },
    blocks: [
      event && eventNotice(view, event),
      waiting && waitingNotice(waiting),
      ...(feed ? sourceBlocks(feed, { sync, key }) : [unknown]),
      ...(feed?.found ? [] : rejectionBlocks(view)),
      inMedium('page', paragraph(compareLink(sync, key, 'feed', 'Read the feed'), 'bare')),
      ...(side ? recordTable([side], {}) : []),
      ...sourceFields(feed?.found ?? found),
    ],
  };
}

/** A record whose item feedferry has deleted, because it is missing from the feed, or by an undo or a purge. */
function removedNotice({ status, history }: RecordDetailView): Block {
  if (status !== 'removed') return undefined;
  const deletion = history.find(({ outcome }) => outcome === 'removed');
  const shown =
    deletion &&
    linkTo(runPath(deletion.run), 'Show the run that deleted it', { command: `feedferry runs ${deletion.run}` });
  return noticeOf('warning', say`${styled('strong', 'feedferry deleted its item in the CMS.')} ${shown}`);
}

function differsNotice({ sync, differs }: RecordDetailView): Block {
  if (!differs) return undefined;
  const { cause, attributes, foundAt } = differs;
  const [, what] = differenceCauses[cause];
  const all = linkTo(syncPath(sync, 'verification'), 'Show all differences', { command: `feedferry verify ${sync}` });
  return noticeOf(
    'warning',
    say`${attributes.length > 0 ? `${what}: ${attributeLabels(attributes)}.` : `${what}.`} Found by the verification of ${timeAt(foundAt)}. ${all}`,
  );
}

/** Links that load the page again with what the feed and the CMS have now. */
function compareLinks(sync: string, key: string): Block {
  return {
    is: 'text',
    look: 'actions',
    content: say`Compare with ${compareLink(sync, key, 'both', 'the feed and the CMS')} ${compareLink(sync, key, 'feed', 'the feed')} ${compareLink(sync, key, 'cms', 'the CMS')}`,
  };
}

function compareLink(sync: string, key: string, other: 'feed' | 'cms' | 'both', text: string) {
  return linkTo(recordPath(sync, key, other), text, { isButton: true, isSwapped: true });
}

/** Why the last reading has rejected a record, what to do about it, and who has acknowledged that. */
function rejectionBlocks({ sync, key, run, startedAt, found, acknowledged = [] }: RecordRejectionView): Block[] {
  if (found.length === 0) return [];
  const reading = run && [runRef(run, 'the last run'), startedAt && say` (${timeAt(startedAt)})`];
  return [
    paragraph(say`${mark(['bad', 'Rejected'])} by ${reading}. The record was not delivered.`),
    ...found.flatMap(({ at, problem }): Block[] => [
      paragraph(styled('strong', at)),
      problemBlock(problem, { sync, key }),
    ]),
    acknowledgement({ name: key, acknowledged, hasProblem: true }, { sync, back: recordPath(sync, key) }),
  ];
}
