import type { FeedDraft } from '../../app/drafts/feed-drafts.ts';
import type { DraftPlan } from '../../app/drafts/plan-draft.ts';
import { type Html, html } from '../../core/html/html.ts';
import { figureOf } from '../../core/text/figures.ts';
import type { Viewer } from '../access/viewer.ts';
import { notice, problemNotice } from '../parts/notice.ts';
import { facts } from '../parts/table.ts';
import { draftForm } from './draft-forms.ts';

/** What a first run would do on the site: how many items it creates, and what it holds because the site has something like it. */
export function planSection(context: { draft: FeedDraft; viewer: Viewer }, plan: DraftPlan | undefined): Html {
  const form = draftForm(context, {
    part: 'plan',
    label: plan ? 'Plan again' : 'Plan against the site',
    ...(!plan && { kind: 'primary' as const }),
  });
  return html`<section aria-labelledby="plan"><h2 id="plan">What ${context.draft.written ? 'a' : 'a first'} run would do</h2>
<p>The plan reads the feed and the site, and writes to neither.</p>${plan && planResult(plan)}${form}</section>`;
}

function planResult({ report, first }: DraftPlan): Html {
  const { counts, error, problems, creates, updates, deletes, receipt } = report;
  return html`${error && problemNotice({ ...error, remedy: '' }, report.status === 'held' ? 'warning' : 'bad')}
${facts([
  ['Records read', `${counts.read}`],
  ['Would be created', figureOf(creates, 'item')],
  ['Would be adopted or changed', updates > 0 && figureOf(updates, 'item')],
  ['Would be deleted', deletes > 0 && figureOf(deletes, 'item')],
  ['Missing in the feed', counts.missing > 0 && figureOf(counts.missing, 'record')],
  ['Held', counts.held > 0 && figureOf(counts.held, 'record')],
  ['Rejected', counts.rejected > 0 && figureOf(counts.rejected, 'record')],
  ['Skipped', counts.skipped > 0 && figureOf(counts.skipped, 'record')],
  ['The feed', receipt && (receipt.complete ? 'was read to its end' : `is incomplete: ${receipt.reason ?? 'unknown'}`)],
])}
${problems.length > 0 && notice('warning', html`<ul>${problems.slice(0, 20).map(({ key, title, reason }) => html`<li>${title ?? key}: ${reason}</li>`)}</ul>`)}
${first.length > 0 && html`<details><summary>The first ${first.length} changes</summary><ul>${first.map(({ op, key, title }) => html`<li>${op}: ${title ?? key}</li>`)}</ul></details>`}`;
}
