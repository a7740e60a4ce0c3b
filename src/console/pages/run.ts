import { z } from 'zod';
import { type Html, html } from '../../core/html/html.ts';
import { runPath } from '../../core/text/addresses.ts';
import { attributeLabel, attributeWithLabel } from '../../core/text/attribute-label.ts';
import { durationText, figure, figureOf } from '../../core/text/figures.ts';
import { resultWord } from '../../documents/badges.ts';
import { effects, type RunView, runDocument } from '../../documents/run.ts';
import { changeView, type RunDetailView } from '../../queries/views/run.ts';
import { editOf } from '../parts/edit.ts';
import { filterForm, selectField, textField } from '../parts/form.ts';
import { announced, notice } from '../parts/notice.ts';
import { pageOfDocument } from './as-html.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';

const LIMIT = 50;

/** A run: live while it runs, which only a page shows. */
export const runPage = consolePage({
  path: '/runs/:run',
  query: z.object({
    changes: optionalText,
    failures: optionalText,
    still: optionalText,
    effect: z.preprocess((effect) => effect || undefined, changeView.shape.effect.optional()),
    attribute: optionalText,
  }),
  async show({ run, changes, failures, still, effect, attribute }, { queries }, context) {
    const filter = { ...(effect && { effect }), ...(attribute && { attribute: attributeWithLabel(attribute) }) };
    const [detail, changePage, failurePage] = await Promise.all([
      queries.run(run),
      queries.changes(run, { after: changes, limit: LIMIT, ...filter }),
      queries.failures(run, { after: failures, limit: LIMIT }),
    ]);
    const view = { detail, changes: changePage, failures: failurePage, filter };
    return runContent(view, context, { isLive: still === undefined });
  },
});

export function runContent(view: RunView, context: PageContext, { isLive = true } = {}): PageContent {
  const { detail, filter = {} } = view;
  const { run, status, finishedAt } = detail;
  const isFollowed = isLive && finishedAt === undefined && status === 'running';
  const markup = {
    progress: progressPart(detail),
    filterForm: changeFilter(run, filter),
    edit: editOf(context),
    ...(isFollowed && { follow: followPart(run, context) }),
  };
  return pageOfDocument(runDocument(view, markup), context);
}

/** Loads the content again and again, until it has no such part: the run has ended. */
function followPart(run: string, { path }: PageContext): Html {
  return html`<div hx-get="${path}" hx-trigger="every 2s" hx-target="#content" hx-swap="innerMorph"></div>
<p class="muted refresh">This page follows the run. <a href="${runPath(run)}?still=1">Stop</a><noscript> Without JavaScript, <a href="${path}">load the page again</a>.</noscript></p>`;
}

const doingIn = { reading: 'Reading the feed', delivering: 'Delivering' } as const;

/** The progress of a run, and what a screen reader announces of it: every tenth, not every second. */
export function progressPart(run: RunDetailView): Html {
  const { finishedAt, cancelled, progress } = run;
  if (finishedAt !== undefined || cancelled || !progress)
    return announced(`Status of the run: ${resultWord(run).toLowerCase()}.`);
  const { phase, done, total, perSecond, leftMs } = progress;
  const doing = doingIn[phase];
  const tenths = total === undefined ? '' : `, ${Math.floor((10 * done) / Math.max(total, 1)) * 10} %`;
  const share = total === undefined ? figureOf(done, 'record') : `${figure(done)} of ${figureOf(total, 'record')}`;
  const speed = perSecond !== undefined && `, ${figure(Math.round(perSecond * 10) / 10)} a second`;
  const left = leftMs !== undefined && `, ${durationText(leftMs)} left`;
  const known = total !== undefined && html` max="${Math.max(total, 1)}" value="${done}"`;
  return html`${announced(`${doing}${tenths}.`)}${notice('info', html`<p><strong>${doing}:</strong> ${share}${speed}${left}</p><progress aria-label="${doing}"${known}></progress>`)}`;
}

function changeFilter(run: string, { effect, attribute }: NonNullable<RunView['filter']>): Html {
  const words = Object.entries(effects).map(([value, [, word]]) => [value, word] as const);
  return filterForm({
    path: runPath(run),
    fields: html`${selectField({ name: 'effect', label: 'Effect', value: effect, options: [['', 'All'], ...words] })}
${textField({ name: 'attribute', label: 'Attribute', value: attribute && attributeLabel(attribute) })}`,
    button: 'Filter',
  });
}
