import { syncPath, withQuery } from '../core/text/addresses.ts';
import { describeChanges } from '../core/text/describe-changes.ts';
import { capitalised, figure, figureOf } from '../core/text/figures.ts';
import type { PurgePreviewView } from '../queries/views/run.ts';
import { field, formOf, inMedium, nextPage, noticeOf, paragraph, reasonOf, section, tableOf } from './blocks.ts';
import type { Block, Document } from './document.ts';
import { recordRef, styled } from './inline.ts';

/** What a purge of a sync would delete, and the form that begins it. The file of the sync may already be removed. */
export function purgeDocument(view: PurgePreviewView): Document {
  const { sync, deletes, adopted, items, next } = view;
  const [they, them] = adopted === 1 ? ['it', 'it'] : ['they', 'them'];
  const empty = deletes > 0 ? 'There are no more items.' : 'This sync has created no items that are still in the CMS.';
  const stay = `${figureOf(adopted, 'item')} would stay in the CMS: ${they} existed before this sync adopted ${them}. feedferry would no longer manage ${them}.`;
  return {
    title: `Delete the items of ${sync}`,
    sync,
    blocks: [
      ...(deletes > 0 ? purgeForm(view) : []),
      adopted > 0 && paragraph(stay),
      section(
        'items',
        'What would be deleted',
        items.length === 0 ? paragraph(empty, 'empty') : itemTable(sync, items),
        nextPage(
          next && withQuery(syncPath(sync, 'purge'), { after: next }),
          'More items',
          `and ${figure(deletes - items.length)} more`,
        ),
      ),
    ],
  };
}

function purgeForm({ sync, resource, deletes }: PurgePreviewView): Block[] {
  const effect = `This deletes ${figureOf(deletes, 'item')} from the CMS: every item that the sync ${sync} created there.`;
  const again = 'If the sync still has its file, its next run creates the items again, with new numbers and addresses.';
  const warning = noticeOf('bad', styled('strong', effect), again);
  const form = formOf({
    does: 'purge',
    to: { sync },
    label: capitalised(describeChanges({ delete: deletes }, resource)),
    kind: 'danger',
    otherwise: 'Only people who may approve can delete the items of a sync.',
    blocks: [
      reasonOf({ isRequired: true }),
      field('line', { name: 'confirm', label: `Enter ${sync} to confirm`, isRequired: true }),
    ],
  });
  return [warning, inMedium('page', form)];
}

function itemTable(sync: string, items: PurgePreviewView['items']): Block {
  return tableOf<PurgePreviewView['items'][number]>({
    caption: 'Items that would be deleted',
    columns: [
      { head: 'Record', isHeading: true, cell: (record) => recordRef(sync, record) },
      {
        head: 'Item',
        kind: 'number',
        cell: ({ cmsId, link }) => (cmsId === undefined ? 'unconfirmed' : { is: 'item', cmsId, link }),
      },
      { head: 'Key', kind: 'key', isExtra: true, cell: ({ key }) => key },
    ],
    rows: items,
  });
}
