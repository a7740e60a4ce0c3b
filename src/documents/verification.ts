import { syncPath, withQuery } from '../core/text/addresses.ts';
import { attributeLabels } from '../core/text/attribute-label.ts';
import { describeDifferences } from '../core/text/describe-differences.ts';
import { figure, figureOf } from '../core/text/figures.ts';
import type { VerificationView, VerifiedDifferenceView } from '../queries/views/verification.ts';
import { acknowledgedBy, acknowledgeSelected } from './acknowledge.ts';
import { differenceCauses } from './badges.ts';
import { factList, formOf, inMedium, nextPage, noticeOf, paragraph, problemBlock, section, tableOf } from './blocks.ts';
import type { Block, Document, Inline } from './document.ts';
import { inTerminal, mark, recordRef, say, styled, timeAt } from './inline.ts';

const REFRESH_SECONDS = 3;
const REPAIR =
  'Acknowledge what is to stay as it is on the site until the source changes it. A repair delivers everything else again: it is planned first, and changes nothing before it is approved. The title of a record leads to the values.';

/** Is everything there: what the last verification has proven, and each difference that it has found. */
export function verificationDocument(view: VerificationView): Document {
  const { sync, beganAt, endedAt, total, next, differences } = view;
  const isRunning = beganAt !== undefined && endedAt === undefined;
  // The differences on further pages are unknown here.
  const mayRepair =
    next !== undefined ||
    differences.some(({ isLeft, since, acknowledged }) => !isLeft && since !== 'repaired' && !acknowledged);
  const path = syncPath(sync, 'verification');
  const verify = formOf({ does: 'verify', to: { sync }, label: 'Verify now', kind: 'primary' });
  const repair = formOf({ does: 'repair', to: { sync }, label: 'Plan a repair' });
  const none = paragraph(total === 0 ? 'No difference is known.' : 'There are no more differences.', 'empty');
  const list = differenceTable(sync, differences);
  const isOpen = differences.some((row) => choiceOf(row) !== undefined);
  return {
    title: `Verification of ${sync}`,
    ...{ sync, tab: 'verification' },
    ...(isRunning && { refreshSeconds: REFRESH_SECONDS }),
    blocks: [
      verdict(view),
      beganAt !== undefined && facts(view),
      !isRunning && { is: 'actions', blocks: [verify, mayRepair && repair] },
      section(
        'differences',
        'Differences',
        mayRepair && inMedium('page', paragraph(REPAIR)),
        differences.length === 0
          ? none
          : isOpen
            ? acknowledgeSelected(list, { id: 'differences', sync, back: path })
            : list,
        nextPage(
          next && withQuery(path, { after: next }),
          'More differences',
          `and ${figure(total - differences.length)} more`,
        ),
        mayRepair &&
          inMedium('terminal', { is: 'remedy', text: 'Repair them: `feedferry verify SYNC --heal`', about: { sync } }),
      ),
    ],
  };
}

/** What is proven. What was not seen is not proven. */
function verdict({ beganAt, endedAt, proven, reason, error, total, open, counts, sync }: VerificationView): Block {
  if (beganAt === undefined)
    return noticeOf('info', 'This sync was never verified. It is not known whether the CMS has everything.');
  if (endedAt === undefined) return noticeOf('info', say`A verification is in progress since ${timeAt(beganAt)}.`);
  if (error) return problemBlock(error, { sync }, 'warning');
  if (proven === false)
    return noticeOf('warning', `Not everything could be verified: ${reason ?? 'the reason is unknown'}.`);
  if (open > 0) {
    const others =
      total > open ? ` ${figure(total - open)} more in the list: delivered since, or never delivered.` : '';
    return noticeOf('warning', `The CMS differs from what was delivered: ${figureOf(open, 'difference')}.${others}`);
  }
  if (total > 0) {
    const text =
      'What differed was delivered since, or was never delivered. Verify again to prove what the CMS has now.';
    return noticeOf('info', text);
  }
  if (proven === undefined || counts === undefined)
    return noticeOf('info', 'The details of the last verification are unknown. Verify again.');
  return noticeOf('good', `The CMS has all ${figureOf(counts.inSync, 'record')} exactly as delivered.`);
}

function facts({ beganAt, endedAt, askedBy, counts, foundAt, total }: VerificationView): Block {
  return factList(
    ['Began', beganAt && timeAt(beganAt)],
    ['Ended', endedAt && timeAt(endedAt)],
    ['Asked by', askedBy],
    ['In sync', counts && `${counts.inSync} of ${figureOf(counts.records, 'record')}`],
    ['Found', describeDifferences(counts ?? {})],
    ['Being delivered', counts && counts.moving > 0 && figureOf(counts.moving, 'record')],
    ['Not verified', counts && counts.unverified > 0 && figureOf(counts.unverified, 'record')],
    ['Differences found', total > 0 && foundAt !== undefined && foundAt !== beganAt && timeAt(foundAt)],
  );
}

/** What is over asks for nothing. */
function choiceOf({ key, title, acknowledged, since }: VerifiedDifferenceView) {
  return acknowledged || since === 'repaired' ? undefined : { name: key, title };
}

function differenceTable(sync: string, rows: readonly VerifiedDifferenceView[]): Block {
  return tableOf<VerifiedDifferenceView>({
    caption: 'Differences between the records and the CMS',
    columns: [
      { head: 'Record', isHeading: true, cell: (record) => recordRef(sync, record, 'cms') },
      { head: 'Cause', cell: causeOf },
      { head: 'Attributes', cell: ({ attributes }) => attributeLabels(attributes) },
      { head: 'Item', kind: 'number', cell: ({ cmsId, link }) => ({ is: 'item', cmsId, link }) },
      { head: 'Details', cell: detailsOf },
      rows.some(({ acknowledged }) => acknowledged) && {
        head: 'Acknowledged',
        cell: ({ acknowledged }) => acknowledged && acknowledgedBy(acknowledged),
      },
    ],
    rows,
    choice: choiceOf,
  });
}

function causeOf({ cause, since }: VerifiedDifferenceView): Inline {
  if (since === 'undelivered') return mark(['warning', 'Delivered without the file']);
  return [mark(differenceCauses[cause]), since === 'repaired' && [' ', mark(['good', 'Delivered since'])]];
}

const LEFT = say`A repair leaves it, because somebody has deleted it in the CMS. Acknowledge it, or ask the people who run feedferry to create such items again. ${styled('setting', 'onDeletedInCms: recreate')}`;

function detailsOf({ with: other, error, isLeft, remedy }: VerifiedDifferenceView): Inline {
  const alike = other && say`looks like ${recordRef(other.sync, { key: other.key })} of ${other.sync}. `;
  if (remedy) return [alike, error && inTerminal(`${error.code} ${error.reason} `), remedy];
  if (isLeft) return LEFT;
  return error && [inTerminal(`${error.code} `), error.reason];
}
