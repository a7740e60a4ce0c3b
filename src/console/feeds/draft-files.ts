import type { FeedDraft } from '../../app/drafts/feed-drafts.ts';
import type { FileEdit } from '../../app/drafts/patch.ts';
import { asPatch, shownPatch } from '../../app/drafts/patch.ts';
import { isServerAddress } from '../../app/init/feed-access.ts';
import { type Html, html } from '../../core/html/html.ts';
import { syncPath } from '../../core/text/addresses.ts';
import type { Viewer } from '../access/viewer.ts';
import type { PageContent } from '../pages/page.ts';
import { emptyState, notice } from '../parts/notice.ts';
import { syncCrumbs } from '../parts/sync-tabs.ts';
import { draftForm, draftPath } from './draft-forms.ts';

/** Folder of the config in the paths that people see. */
const FOLDER = 'config';

interface FilesContext {
  draft: FeedDraft;
  viewer: Viewer;
  isMasked: boolean;
  /** What saving the draft would change. */
  edits: readonly FileEdit[];
}

/** The files of a draft, to copy, to download or to save: new ones as a whole, the file of a sync as its changed lines. */
export function draftFiles(context: FilesContext): Html {
  const { draft, edits } = context;
  return html`<section aria-labelledby="files"><h2 id="files">Save</h2>
${edits.length > 0 && saveForm(context)}
<details id="files-text"${!context.viewer.maySave && html` open`}><summary>${draft.written ? 'The changed lines' : 'The files, to copy or download'}</summary>${draft.written ? changedLines(draft, edits) : newFiles(context)}</details></section>`;
}

/** A change of a sync is saved by somebody who has seen what it does to the site. */
function saveForm(context: FilesContext): Html | undefined {
  const { draft, viewer } = context;
  if (!viewer.maySave) return undefined;
  if (mayBeSaved(draft)) return draftForm(context, { part: 'save', label: 'Save', kind: 'primary' });
  return html`<p>To save the change, see first <a href="#plan">what a run would do</a>.</p>`;
}

/** Whether a draft may be saved: that of a sync only after its plan. */
export function mayBeSaved({ written, isPlanned }: FeedDraft): boolean {
  return written === undefined || isPlanned;
}

/** Whether the feed of a draft is a file that was uploaded. */
export function isUpload({ location, written }: FeedDraft): boolean {
  return written === undefined && !isServerAddress(location);
}

function changedLines({ id }: FeedDraft, edits: readonly FileEdit[]): Html {
  if (edits.length === 0) return emptyState('Nothing is changed.');
  const { shown, whole } = patchesOf(edits);
  return html`<p>All other lines stay as they are. ${
    shown === whole
      ? html`Change these lines, or download the <a href="${draftPath(id, 'files.patch')}">patch</a> and apply it with <code>git apply</code>.`
      : 'The file has secrets, which are not shown here: change its lines by hand.'
  }</p>
<pre class="copy" tabindex="0" role="group" aria-label="Changed lines">${shown}</pre>`;
}

/** The tests contain records, so viewers who see masked addresses do not get them. */
function newFiles({ draft, isMasked, edits }: FilesContext): Html {
  return html`<p>Copy them into the config folder, or download the <a href="${draftPath(draft.id, 'files.patch')}">patch</a> and apply it with <code>git apply</code>.${draft.variables.length === 0 && ' The sync needs no variables besides those of the target.'}</p>
${draft.variables.length > 0 && html`<p>Variables to set wherever the sync runs: ${draft.variables.map((name) => html`<code>${name}</code>`)}. On this server they are set.</p>`}
${isUpload(draft) && html`<p>Put the feed itself at <code>${draft.location}</code>, or set <code>source.url</code>. Saving the draft here puts it there.</p>`}
${edits.map(
  ({
    path,
    after,
  }) => html`<h3>${FOLDER}/${path}</h3><p><a href="${draftPath(draft.id, downloadName(path))}">Download ${FOLDER}/${path}</a></p>
<pre class="copy" tabindex="0" role="group" aria-label="${FOLDER}/${path}">${after}</pre>`,
)}
${isMasked && html`<p class="muted">The mapping tests contain records, whose e-mail addresses your role does not see. <code>feedferry init</code> writes them.</p>`}`;
}

/** The names of the downloads of a draft. */
export const downloads = ['sync.yaml', 'tests.yaml', 'files.patch'] as const;

function downloadName(path: string): (typeof downloads)[number] {
  return path.startsWith('tests') ? 'tests.yaml' : 'sync.yaml';
}

/** Returns the text of a download; undefined if the draft does not have it, or if it would show secrets. */
export function downloadOf(name: (typeof downloads)[number], edits: readonly FileEdit[]): string | undefined {
  if (name !== 'files.patch')
    return edits.find(({ path, before }) => before === undefined && downloadName(path) === name)?.after;
  const { shown, whole } = patchesOf(edits);
  const isWritten = edits.some(({ before }) => before !== undefined);
  return isWritten && shown !== whole ? undefined : whole;
}

/** The patch as people see it, and as it applies: they differ if the file has secrets. */
function patchesOf(edits: readonly FileEdit[]): { shown: string; whole: string } {
  const options = { folder: FOLDER };
  return { shown: shownPatch(edits, options), whole: asPatch(edits, options) };
}

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
