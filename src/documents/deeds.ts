import type { Html } from '../core/html/html.ts';
import { runPath } from '../core/text/addresses.ts';
import type { DeedView } from '../queries/views/shared.ts';
import { paragraph, tableOf } from './blocks.ts';
import type { Block } from './document.ts';
import { inTerminal, linkTo, onPage, runRef, timeAt } from './inline.ts';

const words: Record<DeedView['deed'], string> = {
  run: 'started a run',
  retry: 'retried records',
  approve: 'approved',
  reject: 'rejected',
  undo: 'undid',
  adopt: 'adopted an item',
  purge: 'purged',
  release: 'released',
  pause: 'paused the sync',
  resume: 'resumed the sync',
  cancel: 'cancelled the run',
  edit: 'changed the sync file',
};

/** How people and programs act, in words. */
export const vias: Record<DeedView['via'], string> = { console: 'console', api: 'API', cli: 'command line' };

/**
 * Who did what, when and why.
 * @param edit shows on a page what an edit has changed
 */
export function deedTable(deeds: readonly DeedView[], edit: (deed: DeedView) => Html | false = () => false): Block {
  if (deeds.length === 0) return paragraph('Nothing was done by a person.', 'empty');
  return tableOf<DeedView>({
    caption: 'Who did what',
    columns: [
      { head: 'When', kind: 'time', cell: ({ at }) => timeAt(at, { isShort: true }) },
      { head: 'Who', isHeading: true, cell: ({ by }) => by },
      {
        head: 'What',
        cell: (deed) => [
          words[deed.deed],
          deed.about && [' ', linkTo(runPath(deed.about), 'a run')],
          { is: 'markup', html: edit(deed) },
        ],
      },
      {
        head: 'Run',
        cell: ({ run }) => run && [onPage(runRef(run, 'show', `the run ${run.slice(-6)}`)), inTerminal(run)],
      },
      { head: 'Reason', cell: ({ reason }) => reason },
      { head: 'By way of', isExtra: true, cell: ({ via }) => vias[via] },
    ],
    rows: deeds,
  });
}
