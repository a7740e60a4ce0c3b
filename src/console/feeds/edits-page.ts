import { html } from '../../core/html/html.ts';
import { syncPath } from '../../core/text/addresses.ts';
import type { DeedView } from '../../queries/views/shared.ts';
import type { Viewer } from '../access/viewer.ts';
import type { PageContent } from '../pages/page.ts';
import { fullTime } from '../parts/figures.ts';
import { actionForm, postForm } from '../parts/form.ts';
import { emptyState, formResult, notice, problemNotice } from '../parts/notice.ts';
import type { Problem } from '../problem.ts';

interface EditsContext {
  viewer: Viewer;
  timezone: string;
  /** Whether the viewer has just saved an edit. */
  isSaved: boolean;
  /** Why an edit could not be taken back. */
  problem?: Problem;
}

/**
 * The edits of a sync, the newest first, also if its file was removed.
 * @param exists whether the sync has a file
 */
export function editsPage(
  sync: string,
  edits: readonly DeedView[],
  exists: boolean,
  context: EditsContext,
): PageContent {
  const { viewer, problem, isSaved } = context;
  const overview = { to: '/', text: 'Overview' };
  return {
    title: `Changes of ${sync}`,
    crumbs: exists ? [overview, { to: syncPath(sync), text: sync }] : [overview],
    body: html`${problem && formResult(problemNotice(problem))}
${exists && isSaved && actionForm({ viewer, does: 'start', hidden: { sync }, label: 'Run now', kind: 'primary' })}
${exists ? html`<p>Continue with the <a href="${syncPath(sync)}">sync</a>.</p>` : notice('info', 'This sync was removed. Its history is kept, and is shown again if a sync of this name is saved.')}
${edits.length === 0 && emptyState('Nobody has changed it here.')}
${edits.map(
  (
    { at, by, reason, patch },
    nth,
  ) => html`<article><h2>${fullTime(at, context)}: ${by}</h2>${reason && html`<p>${reason}</p>`}
<details><summary>Changed lines<span class="unseen"> of ${fullTime(at, context)}</span></summary><pre class="copy" tabindex="0" role="group" aria-label="Changed lines">${patch}</pre></details>
${nth === 0 && viewer.maySave && postForm(syncPath(sync, 'edits'), { viewer, hidden: { at }, label: 'Take back' })}</article>`,
)}`,
  };
}
