import { type FileEdit, shownPatch } from '../../app/drafts/patch.ts';
import type { PageContent } from '../pages/page.ts';
import { syncPath } from '../parts/addresses.ts';
import { html } from '../parts/html.ts';
import { notice } from '../parts/notice.ts';
import { syncCrumbs } from '../parts/sync-tabs.ts';

/** What was saved in the config folder. */
export function savedPage(sync: string, edits: readonly FileEdit[]): PageContent {
  return {
    title: `${sync}: saved`,
    crumbs: syncCrumbs(sync),
    body: html`${notice('good', html`<p>The files are saved, and are in force within seconds. Continue with the <a href="${syncPath(sync)}">sync</a>.</p>`)}
<p>The history of the sync has this change, with your name. It can be taken back there.</p>
<pre class="copy" tabindex="0" role="group" aria-label="What was changed">${shownPatch(edits, { folder: 'config' })}</pre>`,
  };
}
