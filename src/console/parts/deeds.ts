import { type Html, html } from '../../core/html/html.ts';
import { runPath, syncPath } from '../../core/text/addresses.ts';
import type { DeedView } from '../../queries/views/shared.ts';
import type { Viewer } from '../access/viewer.ts';
import { type SiteNow, shortTime } from './figures.ts';
import { postForm } from './form.ts';
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
  edit: 'changed the sync file',
};

/** How people and programs act, in words. */
export const vias: Record<DeedView['via'], string> = { console: 'console', api: 'API', cli: 'command line' };

interface DeedContext extends SiteNow {
  viewer: Pick<Viewer, 'maySave' | 'csrfToken'>;
}

/** What an edit has changed, and the form that takes it back. */
function editOf({ patch, sync, at }: DeedView, { viewer }: DeedContext): Html | false {
  if (patch === undefined) return false;
  const takeBack = { viewer, hidden: { at }, label: 'Take back' };
  return html`<details class="change"><summary>Lines</summary><pre tabindex="0" role="group" aria-label="Changed lines">${patch}</pre>
${viewer.maySave && postForm(syncPath(sync, 'take-back'), takeBack)}</details>`;
}

/** Who did what, when and why. */
export function deedTable(deeds: readonly DeedView[], context: DeedContext): Html {
  if (deeds.length === 0) return emptyState('Nothing was done by a person.');
  return table<DeedView>({
    caption: 'Who did what',
    columns: [
      { head: 'When', kind: 'time', cell: ({ at }) => shortTime(at, context) },
      { head: 'Who', isHeading: true, cell: ({ by }) => by },
      {
        head: 'What',
        cell: (deed) =>
          html`${words[deed.deed]}${deed.about && html` <a href="${runPath(deed.about)}">a run</a>`}${editOf(deed, context)}`,
      },
      {
        head: 'Run',
        cell: ({ at, run }) =>
          run &&
          html`<a href="${runPath(run)}"><span class="unseen">the run of ${shortTime(at, context, { withSeconds: true })} ${run.slice(-6)}: </span>show</a>`,
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
