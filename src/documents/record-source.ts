import { syncPath } from '../core/text/addresses.ts';
import type { Subject } from '../core/text/text-parts.ts';
import type { RecordLiveView } from '../queries/records/record.ts';
import type { RecordDetailView, RecordSourceView } from '../queries/views/record.ts';
import type { ProblemView } from '../queries/views/shared.ts';
import { noticeOf, paragraph, problemBlock, tableOf } from './blocks.ts';
import type { Block, Tone } from './document.ts';
import { linkTo, mark, proseOf, say, styled } from './inline.ts';

/** An answer, or why there is none. */
export type Answered<View> = View | { problem: ProblemView; is?: undefined; found?: undefined };

type Found = RecordSourceView['found'][number];

const findings: Record<Found['is'], [Tone, string]> = {
  desired: ['good', 'Accepted'],
  rejected: ['bad', 'Rejected'],
  skipped: ['plain', 'Skipped'],
};

/** What the next run would do with a record, and why. */
export function sourceBlocks(feed: Answered<RecordSourceView> | undefined, about: Subject): Block[] {
  if (!feed?.found) return [feed && problemBlock(feed.problem, about)];
  const { verdict, location, complete, reason, found } = feed;
  return [
    noticeOf(
      verdict.is === 'rejected' ? 'bad' : 'info',
      styled('strong', proseOf(verdict.why)),
      proseOf(verdict.next, about),
    ),
    paragraph(
      say`Feed: ${{ is: 'web', address: location }}${!complete && ` (not read completely${reason ? `: ${reason}` : ''})`}`,
    ),
    ...found.flatMap(({ at, is, warnings, problem }): Block[] => [
      paragraph(say`${styled('strong', at)} ${mark(findings[is])}`),
      problem && problemBlock(problem, about),
      warnings.length > 0 && noticeOf('warning', { is: 'lines', lines: warnings }),
    ]),
  ];
}

/** The fields of the feed as they are, before they are mapped. */
export function sourceFields(found: ReadonlyArray<Pick<Found, 'at' | 'fields'> & Partial<Pick<Found, 'is'>>>): Block[] {
  return found.map(({ at, is, fields = {} }, place) => ({
    is: 'fold',
    id: `fields-${place}`,
    summary: `Fields of the feed, ${at}`,
    isOpen: is !== 'desired' || found.length > 1,
    blocks: [
      tableOf<[string, (typeof fields)[string]]>({
        caption: `Fields of the feed, ${at}`,
        columns: [
          { head: 'Field', isHeading: true, kind: 'key', cell: ([name]) => name },
          { head: 'Value', cell: ([, value]) => ({ is: 'value', value }) },
        ],
        rows: Object.entries(fields),
      }),
    ],
  }));
}

/** Whether the CMS has the item as it was delivered; else what runs do about it, and what a person can do. */
export function liveBlock(
  live: Answered<RecordLiveView> | undefined,
  { sync, cmsId }: Pick<RecordDetailView, 'sync' | 'cmsId'>,
): Block {
  const repair = linkTo(syncPath(sync, 'verification'), 'verify the sync and plan a repair');
  switch (live?.is) {
    case 'never':
      return paragraph('Nothing was delivered yet, so the CMS has no item.', 'empty');
    case 'removed':
      return paragraph('feedferry has deleted the item, so the CMS has none.', 'empty');
    case 'there': {
      if (live.differences.length === 0) return noticeOf('good', 'The item is as it was delivered.');
      const names = live.differences.map(({ attribute }) => attribute).join(', ');
      return noticeOf(
        'warning',
        styled('strong', `The CMS differs: the item was edited there after it was delivered (${names}).`),
        say`Runs leave the edits until the source changes the same attributes. To write the delivered values again, ${repair}.`,
      );
    }
    case 'missing': {
      const { createsAgain } = live;
      const again = cmsId === undefined ? 'in the next run' : 'when the record changes in the source';
      const other = say`To use another item, ${linkTo('#adopt', 'adopt it')}.`;
      return noticeOf(
        'bad',
        styled('strong', 'The CMS differs: the item was deleted there.'),
        say`${createsAgain ? `The sync creates such items again, ${again}.` : cmsId === undefined ? 'Runs leave it deleted, until you bring it back.' : 'Runs leave it deleted. Once a run has noticed, you can bring it back here.'} ${cmsId === undefined ? other : createsAgain && say`To create it now, ${repair}.`}`,
        styled('setting', `onDeletedInCms: ${createsAgain ? 'recreate' : 'leave'}`),
      );
    }
    default:
      return live?.problem && problemBlock(live.problem, {});
  }
}
