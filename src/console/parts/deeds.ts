import type { DeedView } from '../../queries/views/shared.ts';
import { runPath } from './addresses.ts';
import { type SiteNow, shortTime } from './figures.ts';
import { type Html, html } from './html.ts';
import { emptyState } from './notice.ts';
import { table } from './table.ts';

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
};

/** How people and programs act, in words. */
export const vias: Record<DeedView['via'], string> = { console: 'console', api: 'API', cli: 'command line' };

/** Who did what, when and why. */
export function deedTable(deeds: readonly DeedView[], clock: SiteNow): Html {
  if (deeds.length === 0) return emptyState('Nothing was done by a person.');
  return table<DeedView>({
    caption: 'Who did what',
    columns: [
      { head: 'When', kind: 'time', cell: ({ at }) => shortTime(at, clock) },
      { head: 'Who', isHeading: true, cell: ({ by }) => by },
      {
        head: 'What',
        cell: ({ deed, about }) => html`${words[deed]}${about && html` <a href="${runPath(about)}">a run</a>`}`,
      },
      {
        head: 'Run',
        cell: ({ at, run }) =>
          run &&
          html`<a href="${runPath(run)}"><span class="unseen">the run of ${shortTime(at, clock, { withSeconds: true })} ${run.slice(-6)}: </span>show</a>`,
      },
      { head: 'Reason', cell: ({ reason }) => reason },
      {
        head: 'By way of',
        isExtra: true,
        cell: ({ via }) => vias[via],
      },
    ],
    rows: deeds,
  });
}
