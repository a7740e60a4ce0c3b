import { mayDo } from '../access/viewer.ts';
import { actionForm, textField } from '../parts/form.ts';
import { html } from '../parts/html.ts';
import { notice } from '../parts/notice.ts';
import { syncCrumbs } from '../parts/sync-tabs.ts';
import { consolePage, nothing, type PageContent, type PageContext, syncParams } from './page.ts';

/** Asks for the name of a sync before all of its items are deleted. The file of the sync may already be removed. */
export const purgePage = consolePage({
  path: '/syncs/:sync/purge',
  params: syncParams,
  query: nothing,
  show: ({ sync }, _sources, context) => purgeContent(sync, context),
});

export function purgeContent(sync: string, { viewer }: PageContext): PageContent {
  return {
    title: `Delete the items of ${sync}`,
    crumbs: syncCrumbs(sync),
    body: html`${notice(
      'bad',
      html`<p><strong>This deletes from the CMS every item that the sync ${sync} created there.</strong></p>
<p>Items that existed before and were adopted stay. If the sync still has its file, its next run creates the items again.</p>`,
    )}
${
  mayDo(viewer, 'approve')
    ? actionForm({
        viewer,
        does: 'purge',
        to: { sync },
        label: 'Delete all its items',
        kind: 'danger',
        fields: textField({
          name: 'confirm',
          label: `Enter ${sync} to confirm`,
          isRequired: true,
          autocomplete: 'off',
        }),
      })
    : notice('plain', 'Only people who may approve can do this.')
}`,
  };
}
