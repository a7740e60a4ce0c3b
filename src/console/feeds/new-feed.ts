import type { FeedDraft } from '../../app/drafts/feed-drafts.ts';
import type { GivenKey } from '../../app/drafts/feed-key.ts';
import type { FeedVariable } from '../../app/feed-variables.ts';
import { type Html, html } from '../../core/html/html.ts';
import type { Viewer } from '../access/viewer.ts';
import type { PageContent } from '../pages/page.ts';
import { postForm, textField } from '../parts/form.ts';
import { problemNotice } from '../parts/notice.ts';
import type { Problem } from '../problem.ts';
import { draftPath } from './draft-forms.ts';
import { keyInputs } from './key-fields.ts';

export const NEW_FEED = '/feeds/new';
export const UPLOAD = '/feeds/upload';

/** What a person has entered, and why it could not be opened. */
interface Failed {
  address?: string;
  key?: GivenKey | undefined;
  problem: Problem;
}

/** What the page offers to a person: their drafts, and the variables that they may name. */
interface Offered {
  drafts: readonly FeedDraft[];
  variables: readonly FeedVariable[];
}

/** The page on which a person enters the address of a feed, or uploads a file. */
export function newFeedPage({ drafts, variables }: Offered, viewer: Viewer, failed?: Failed): PageContent {
  return {
    title: 'Add a feed',
    crumbs: [{ to: '/', text: 'Overview' }],
    body: html`<p>feedferry reads the feed, finds out what its fields mean, and shows what a sync would make of it. Nothing is published, and
nothing is saved on the server: at the end you copy ${viewer.maySave && 'or save '}the files of the sync.</p>
${failed && problemNotice(failed.problem)}
<section aria-labelledby="by-address"><h2 id="by-address">By its address</h2>
${postForm(NEW_FEED, {
  viewer,
  fields: html`${textField({
    name: 'address',
    label: 'Address of the feed',
    value: failed?.address ?? '',
    hint: 'An iCal, CSV or JSON feed, or a web page with schema.org events: https://calendar.example.edu/public.ics',
    isRequired: true,
    autocomplete: 'off',
  })}${keyInputs(variables, failed?.key)}`,
  label: 'Read the feed',
  kind: 'primary',
})}</section>
<section aria-labelledby="by-file"><h2 id="by-file">From a file</h2>
${postForm(UPLOAD, {
  viewer,
  fields: html`<p class="field"><label for="file">File of at most 5 MB</label><input id="file" name="file" type="file" required></p>`,
  label: 'Read the file',
  hasFile: true,
})}</section>
${drafts.length > 0 && draftList(drafts)}`,
  };
}

function draftList(drafts: readonly FeedDraft[]): Html {
  return html`<section aria-labelledby="drafts"><h2 id="drafts">Your drafts</h2>
<p class="muted">They are kept for two hours after their last use, until the server restarts.</p>
<ul>${drafts.map(({ id, review, location }) => html`<li><a href="${draftPath(id)}">${review.name}</a> <span class="muted">${location}</span></li>`)}</ul></section>`;
}
