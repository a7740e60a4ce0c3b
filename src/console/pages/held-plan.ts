import { z } from 'zod';
import { CodedError, type ErrorCode } from '../../core/errors.ts';
import type { HeldPlanView, PlannedItemView, PlannedPageView } from '../../queries/views/run.ts';
import { mayDo, type Viewer } from '../access/viewer.ts';
import { recordPath, runPath } from '../parts/addresses.ts';
import { badge, type Tone } from '../parts/badge.ts';
import { itemNumber } from '../parts/cms-item.ts';
import { differenceDetails } from '../parts/difference.ts';
import { figure, figureOf, fullTime } from '../parts/figures.ts';
import { actionForm, actionPath, textField } from '../parts/form.ts';
import { type Html, html } from '../parts/html.ts';
import { pagedList } from '../parts/list.ts';
import { notice, problemNotice } from '../parts/notice.ts';
import { syncCrumbs } from '../parts/sync-tabs.ts';
import { facts, table } from '../parts/table.ts';
import { consolePage, optionalText, type PageContent, type PageContext, runParams } from './page.ts';

const LIMIT = 100;

/** A held plan: why it is on hold, exactly what it would do, and the decision. */
export const heldPlanPage = consolePage({
  path: '/runs/:run/plan',
  params: runParams,
  query: z.object({ items: optionalText }),
  async show({ run, items: after }, { queries }, context) {
    try {
      const [plan, page] = await Promise.all([
        queries.heldPlan(run),
        queries.plannedItems(run, { after, limit: LIMIT }),
      ]);
      return heldPlanContent(plan, page, context, { isFirst: after === undefined });
    } catch (error) {
      // The links in alerts still lead to this page after the decision.
      if (error instanceof CodedError && DECIDED.has(error.code)) return decidedContent(run, error);
      throw error;
    }
  },
});

const DECIDED: ReadonlySet<ErrorCode> = new Set(['FF_APPROVE_NOT_HELD', 'FF_APPROVE_STALE']);

function decidedContent(run: string, { code, message, remedy }: CodedError): PageContent {
  return {
    title: 'Plan on hold',
    crumbs: [
      { to: '/', text: 'Overview' },
      { to: runPath(run), text: 'Run' },
    ],
    body: html`${problemNotice({ code, message, remedy }, 'info')}<p><a href="${runPath(run)}">Show the run</a></p>`,
  };
}

export function heldPlanContent(
  plan: HeldPlanView,
  page: PlannedPageView,
  context: PageContext,
  { isFirst = true } = {},
): PageContent {
  const { run, sync, error, heldAt, ops } = plan;
  return {
    title: `Plan of ${sync} on hold`,
    crumbs: [...syncCrumbs(sync), { to: runPath(run), text: 'Run' }],
    body: html`${error ? problemNotice(error, 'warning') : notice('warning', 'This plan waits for a decision.')}
${facts([
  ['On hold since', heldAt && fullTime(heldAt, context)],
  ['Would delete', ops.delete > 0 && figureOf(ops.delete, 'item')],
  ['Would mark as missing', ops.mark > 0 && figureOf(ops.mark, 'item')],
  ['Would change', ops.update > 0 && figureOf(ops.update, 'item')],
  ['Would create', ops.create > 0 && figureOf(ops.create, 'item')],
])}
${decision(plan, context.viewer)}
<section aria-labelledby="items"><h2 id="items">Items</h2>${itemList(plan, page, isFirst)}</section>
<p class="muted">Run <code>${run}</code>, set <code>${plan.set}</code></p>`,
  };
}

const effects: Record<PlannedItemView['op'], [Tone, string]> = {
  delete: ['bad', 'Delete'],
  mark: ['warning', 'Mark as missing'],
  update: ['info', 'Change'],
  create: ['good', 'Create'],
};

/** Reject is the first button: Enter in the field must not approve. */
function decision({ run, set, ops }: HeldPlanView, viewer: Viewer): Html {
  const total = ops.create + ops.update + ops.delete + ops.mark;
  if (!mayDo(viewer, 'approve')) return notice('plain', 'Only people who may approve can decide on this plan.');
  const fields = html`${textField({
    name: 'reason',
    label: 'Reason',
    hint: 'It is kept in the history of the run, with your name.',
    isRequired: true,
    autocomplete: 'off',
  })}<button formaction="${actionPath('reject', { run })}">Reject</button> `;
  return html`<section aria-labelledby="decision"><h2 id="decision">Decision</h2>
<p>An approval applies exactly the items below. If the plan changes in the meantime, the approval is refused. After a rejection nothing is changed; the next run plans again.</p>
${actionForm({
  viewer,
  does: 'approve',
  to: { run },
  label: `Approve ${figureOf(total, 'change')}`,
  kind: 'primary',
  hidden: { set },
  fields,
})}</section>`;
}

function itemList({ run, sync, ops }: HeldPlanView, { items, next }: PlannedPageView, isFirst: boolean): Html {
  const total = ops.create + ops.update + ops.delete + ops.mark;
  const isPart = !isFirst || next !== undefined;
  return html`${isPart && items.length > 0 && html`<p>${isFirst ? 'The first' : 'Another'} ${figure(items.length)} of ${figureOf(total, 'item')}.</p>`}
${pagedList({
  path: runPath(run, 'plan'),
  name: 'items',
  rows: items,
  show: (rows) => itemTable(sync, rows),
  empty: 'There are no more items.',
  next,
  more: 'More items',
})}`;
}

function itemTable(sync: string, items: PlannedItemView[]): Html {
  return table<PlannedItemView>({
    caption: 'Items of the plan',
    columns: [
      { head: 'Would', cell: ({ op }) => badge(...effects[op]) },
      {
        head: 'Title',
        isHeading: true,
        cell: ({ key, title }) => html`<a href="${recordPath(sync, key)}">${title || key}</a>`,
      },
      { head: 'Date', kind: 'time', cell: ({ date }) => date },
      { head: 'Item', kind: 'number', cell: itemNumber },
      { head: 'Place in the feed', kind: 'key', isExtra: true, cell: ({ at }) => at },
      {
        head: 'Differences',
        cell: ({ op, key, differences }) =>
          op === 'update' ? differenceDetails(`item-${key}`, differences, ['Now', 'Planned']) : undefined,
      },
    ],
    rows: items,
  });
}
