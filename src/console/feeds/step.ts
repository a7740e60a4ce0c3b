import type { FileEdit } from '../../app/drafts/changed-lines.ts';
import { type Html, html } from '../../core/html/html.ts';
import type { PageContent } from '../pages/page.ts';
import { postForm } from '../parts/form.ts';
import { formResult, problemNotice } from '../parts/notice.ts';
import { syncCrumbs } from '../parts/sync-tabs.ts';
import type { Problem } from '../problem.ts';
import { NEW_FEED } from './new-feed.ts';
import { type DraftContext, draftPath } from './pickers.ts';

/** What a page of a draft shows besides the draft itself. */
export interface StepContext extends DraftContext {
  /** Whether the viewer may not see e-mail addresses. */
  isMasked: boolean;
  /** Why the last change was refused. */
  problem?: Problem;
  /** What saving the draft would change. */
  edits: readonly FileEdit[];
}

/** A step on the way from a feed to a sync. */
export type DraftStep = 'fields' | 'preview' | 'save';

/** A step of a draft, as a page. */
export function stepPage(step: DraftStep, { draft, viewer, problem }: StepContext, body: Html): PageContent {
  const { id, name, written } = draft;
  const added = [
    { to: '/', text: 'Overview' },
    { to: NEW_FEED, text: 'Add a feed' },
  ];
  return {
    title: written ? `Change ${name}` : `Add ${name}`,
    crumbs: written ? syncCrumbs(name) : added,
    aside: postForm(draftPath(id, 'discard'), { viewer, label: 'Discard the draft' }),
    body: html`<nav class="menu tabs" aria-label="Steps">${!written && html`<a href="${NEW_FEED}">1. Feed</a>`}${stepLinks(step, id, written ? 1 : 2)}</nav>
${problem && formResult(problemNotice(problem))}${body}`,
  };
}

/** The link to the next step. */
export function nextStep(id: string, step: Exclude<DraftStep, 'fields'>, text: string): Html {
  return html`<p class="next"><a class="button primary" href="${draftPath(id, step)}">${text} →</a></p>`;
}

function stepLinks(current: DraftStep, id: string, first: number): Html[] {
  const steps: ReadonlyArray<readonly [DraftStep, string]> = [
    ['fields', 'Fields'],
    ['preview', 'Preview'],
    ['save', 'Save'],
  ];
  return steps.map(
    ([step, text], nth) =>
      html`<a href="${draftPath(id, step === 'fields' ? undefined : step)}"${step === current && html` aria-current="page"`}>${first + nth}. ${text}</a>`,
  );
}
