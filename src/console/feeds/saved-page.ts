import { type FileEdit, shownPatch } from '../../app/drafts/patch.ts';
import { html } from '../../core/html/html.ts';
import type { PageContent } from '../pages/page.ts';
import { syncPath } from '../parts/addresses.ts';
import { notice } from '../parts/notice.ts';
import { syncCrumbs } from '../parts/sync-tabs.ts';

/**
 * What was saved in the config folder.
 * @param feedFile where the feed is, if it was uploaded
 */
export function savedPage(sync: string, edits: readonly FileEdit[], feedFile?: string): PageContent {
  const isRemoved = edits.every(({ after }) => after === undefined);
  const what = isRemoved ? 'Removed' : 'Saved';
  return {
    title: `${sync}: ${what.toLowerCase()}`,
    crumbs: isRemoved ? [{ to: '/', text: 'Overview' }] : syncCrumbs(sync),
    body: html`${notice('good', html`<p>${what}. This is in force within seconds.${!isRemoved && html` Continue with the <a href="${syncPath(sync)}">sync</a>.`}</p>`)}
${feedFile && html`<p>The feed is saved as <code>${feedFile}</code>. To update it, replace this file, or set <code>source.url</code>.</p>`}
<p>${isRemoved ? 'The history of the sync is kept. It is shown again if a sync of this name is saved.' : 'The history of the sync has this change, with your name. It can be taken back there.'}</p>
<pre class="copy" tabindex="0" role="group" aria-label="What was changed">${shownPatch(edits, { folder: 'config' })}</pre>`,
  };
}
