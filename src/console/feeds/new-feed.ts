import type { FeedDraft } from '../../app/drafts/feed-drafts.ts';
import { type Html, html } from '../../core/html/html.ts';
import { syncPath, withQuery } from '../../core/text/addresses.ts';
import type { Viewer } from '../access/viewer.ts';
import type { PageContent } from '../pages/page.ts';
import { postForm, textField } from '../parts/form.ts';
import { formResult, problemNotice } from '../parts/notice.ts';
import { syncCrumbs } from '../parts/sync-tabs.ts';
import type { Problem } from '../problem.ts';
import { draftPath } from './pickers.ts';

export const NEW_FEED = '/feeds/new';
export const UPLOAD = '/feeds/upload';

/** What a person has entered, and why it could not be opened. */
interface Failed {
  address?: string | undefined;
  problem: Problem;
}

/** The page on which a person enters the address of a feed, or uploads a file. */
export function newFeedPage(drafts: readonly FeedDraft[], viewer: Viewer, failed?: Failed): PageContent {
  return {
    title: 'Add a feed',
    crumbs: [{ to: '/', text: 'Overview' }],
    body: html`<p>feedferry reads the feed, finds out what its fields mean, and shows what the site would get. Nothing is published, and
nothing is saved before the last step.</p>
${failed && formResult(problemNotice(failed.problem))}
<section aria-labelledby="by-address"><h2 id="by-address">By its address</h2>
${postForm(NEW_FEED, {
  viewer,
  fields: textField({
    name: 'address',
    label: 'Address of the feed, or of the page that shows the events',
    value: failed?.address ?? '',
    hint: 'Paste it here, such as https://calendar.example.edu/events',
    isRequired: true,
    isFirst: true,
    autocomplete: 'off',
  }),
  label: 'Read the feed',
  kind: 'primary',
})}</section>
<section aria-labelledby="by-file"><h2 id="by-file">From a file</h2>${fileForm(UPLOAD, viewer)}</section>
${drafts.length > 0 && draftList(drafts)}`,
  };
}

/** The page on which a person uploads a new version of the feed of a sync. */
export function newVersionPage(
  sync: string,
  source: string | undefined,
  viewer: Viewer,
  problem?: Problem,
): PageContent {
  return {
    title: `A new version of the feed of ${source === undefined ? sync : `${sync}: ${source}`}`,
    crumbs: syncCrumbs(sync),
    body: html`<p>The new version counts when you save it. Before, you see what a run would do: events that it no longer has count as missing.</p>
${problem && formResult(problemNotice(problem))}${fileForm(withQuery(syncPath(sync, 'upload'), { source }), viewer)}`,
  };
}

function fileForm(to: string, viewer: Viewer): Html {
  const fields = html`<p class="field"><label for="file">File of at most 5 MB</label><input id="file" name="file" type="file" required></p>`;
  return postForm(to, { viewer, fields, label: 'Read the file', hasFile: true });
}

function draftList(drafts: readonly FeedDraft[]): Html {
  return html`<section aria-labelledby="drafts"><h2 id="drafts">Your drafts</h2>
<p class="muted">They are kept for two hours after their last use, until the server restarts.</p>
<ul>${drafts.map(({ id, name, location }) => html`<li><a href="${draftPath(id)}">${name}</a> <span class="muted">${location}</span></li>`)}</ul></section>`;
}
