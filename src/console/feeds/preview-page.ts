import { type Html, html } from '../../core/html/html.ts';
import { figure, figureOf } from '../../core/text/figures.ts';
import { readableText } from '../../core/text/readable-value.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import { describeJudgement, type Judgement } from '../../inference/review/judgement.ts';
import type { PageContent } from '../pages/page.ts';
import { postForm } from '../parts/form.ts';
import { notice, problemNotice } from '../parts/notice.ts';
import { facts } from '../parts/table.ts';
import { valueText } from '../parts/value.ts';
import { type DraftContext, draftPath } from './pickers.ts';
import { nextStep, type StepContext, stepPage } from './step.ts';

/** Number of records that are shown at once. */
const SHOWN = 2;
const done = { create: 'create', update: 'change', delete: 'delete' } as Readonly<Record<string, string>>;

/** The step that shows how the records will look, and what a run would do on the site. */
export function previewPage(context: StepContext): PageContent {
  const { id, drafted, mistake } = context.draft;
  if (!drafted) return stepPage('preview', context, notice('bad', mistake?.message ?? 'There is no sync yet.'));
  const body = html`<section aria-labelledby="records"><h2 id="records">How the records will look</h2>${recordList(drafted.judgement)}</section>
${planSection(context)}${nextStep(id, 'save', 'Save')}`;
  return stepPage('preview', context, body);
}

/** What a run would do on the site: how many items it creates, and what it holds because the site has something like it. */
export function planSection({ draft, viewer }: DraftContext): Html {
  const { id, plan, written } = draft;
  const label = plan ? 'Look again' : 'Show what a run would do';
  return html`<section aria-labelledby="plan"><h2 id="plan">What ${written ? 'a' : 'a first'} run would do</h2>
${plan ? planResult(plan) : html`<p>feedferry reads the feed and the site, and changes nothing.</p>`}
${postForm(draftPath(id, 'preview'), { viewer, label, kind: plan ? undefined : 'primary' })}</section>`;
}

function planResult({ report, first }: NonNullable<DraftContext['draft']['plan']>): Html {
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
${problems.length > 0 && notice('warning', html`<ul>${problems.slice(0, 20).map(({ key, title, reason }) => html`<li><bdi>${title ?? key}</bdi>: ${reason}</li>`)}</ul>`)}
${first.length > 0 && html`<details><summary>The first ${first.length} changes</summary><ul>${first.map(({ op, key, title }) => html`<li>${done[op] ?? op} <bdi>${title ?? key}</bdi></li>`)}</ul></details>`}`;
}

function recordList(judgement: Judgement): Html {
  const { reasons, first, rejected } = judgement;
  return html`${notice(rejected === 0 ? 'good' : 'warning', describeJudgement(judgement))}
${reasons.length > 0 && html`<ul>${reasons.map(({ code, reason, count, at }) => html`<li title="${code}">${figure(count)} times, first in ${at}: ${reason}</li>`)}</ul>`}
${first.slice(0, SHOWN).map(recordOf)}${first.length > SHOWN && html`<details id="more-records"><summary>${figureOf(first.length - SHOWN, 'more record')}</summary>${first.slice(SHOWN).map(recordOf)}</details>`}`;
}

function recordOf({ key, resource, payload, attachments }: Judgement['first'][number]): Html {
  const isEvent = resource === 'events';
  const heading = isEvent ? payload.title : recordTitle(payload, resource) || undefined;
  return html`<article><h3><bdi>${readableText(heading ?? key)}</bdi></h3>${facts([
    ...Object.entries(payload)
      .filter(([name]) => !(isEvent && name === 'title'))
      .map(([name, value]): [string, Html] => [name, valueText(value)]),
    ...attachments.map(({ attribute, source }): [string, string] => [
      attribute,
      source.is === 'location' ? source.location : 'inline',
    ]),
  ])}</article>`;
}
