import { z } from 'zod';
import { type Html, html } from '../../core/html/html.ts';
import type { Json } from '../../core/record.ts';
import { runPath, syncPath } from '../../core/text/addresses.ts';
import { attributeLabel } from '../../core/text/attribute-label.ts';
import { describeChanges } from '../../core/text/describe-changes.ts';
import { capitalised, figure, figureOf } from '../../core/text/figures.ts';
import { readableText } from '../../core/text/readable-value.ts';
import type { HeldPlanView, PlannedItemView, PlannedPageView, RunDetailView } from '../../queries/views/run.ts';
import type { DecisionView } from '../../queries/views/shared.ts';
import { mayDo, type Viewer } from '../access/viewer.ts';
import { badge, type Tone } from '../parts/badge.ts';
import { decisionNotice } from '../parts/decision.ts';
import { differenceDetails, differenceTable } from '../parts/difference.ts';
import { fullTime } from '../parts/figures.ts';
import { actionForm, actionPath, reasonField } from '../parts/form.ts';
import { itemNumber } from '../parts/link.ts';
import { pagedList } from '../parts/list.ts';
import { notice, problemNotice } from '../parts/notice.ts';
import { recordColumn, recordLink } from '../parts/record-link.ts';
import { heldBecause, REPLACED } from '../parts/run-summary.ts';
import { syncCrumbs } from '../parts/sync-tabs.ts';
import { facts, table } from '../parts/table.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';

const LIMIT = 100;

/** A held plan: why it is on hold, exactly what it would do, and the decision. */
export const heldPlanPage = consolePage({
  path: '/runs/:run/plan',
  query: z.object({ items: optionalText }),
  async show({ run, items: after }, { queries }, context) {
    const detail = await queries.run(run);
    // The links in alerts still lead to this page after the decision.
    if (detail.heldPlan === undefined) return decidedContent(detail, context);
    const [plan, page] = await Promise.all([queries.heldPlan(run), queries.plannedItems(run, { after, limit: LIMIT })]);
    return heldPlanContent(plan, page, context, { isFirst: after === undefined });
  },
});

/** The decision about a plan, or why there is nothing to decide. */
export function decidedContent(detail: RunDetailView, context: PageContext): PageContent {
  const { run, sync, status, error, decision, isReplaced } = detail;
  return {
    title: decision ? `Plan of ${sync}: ${decision.is}` : `Plan of ${sync}`,
    crumbs: [...syncCrumbs(sync), { to: runPath(run), text: 'Run' }],
    body: html`${decision ? decisionNotice(decision, context) : notice('info', isReplaced ? REPLACED : 'This run has no plan that waits for a decision.')}
${status === 'held' && error && (decision || isReplaced ? heldBecause(error) : problemNotice(error, 'warning', { run, sync }))}
<p><a href="${runPath(run)}">Show the run</a> · <a href="${syncPath(sync)}">Show the sync</a></p>`,
  };
}

export function heldPlanContent(
  plan: HeldPlanView,
  page: PlannedPageView,
  context: PageContext,
  { isFirst = true } = {},
): PageContent {
  const { run, sync, resource, error, heldAt, ops, decision } = plan;
  return {
    title: decision ? `Plan of ${sync}: rejected earlier` : `Plan of ${sync} on hold`,
    crumbs: [...syncCrumbs(sync), { to: runPath(run), text: 'Run' }],
    body: html`${decision ? rejectedEarlier(plan, decision, context) : error ? problemNotice(error, 'warning', { run, sync }) : notice('warning', 'This plan waits for a decision.')}
${facts([
  ['On hold since', heldAt && fullTime(heldAt, context)],
  ['Would do', capitalised(describeChanges(ops, resource))],
])}
${decision ? html`<details id="again"><summary>Decide again …</summary>${decisionForm(plan, context.viewer)}</details>` : decisionForm(plan, context.viewer)}
<section aria-labelledby="items"><h2 id="items">Items</h2>${itemList(plan, page, isFirst)}</section>
<details id="support"><summary>For support</summary>Run <code>${run}</code>, set <code>${plan.set}</code></details>`,
  };
}

function rejectedEarlier({ error }: HeldPlanView, decision: DecisionView, context: PageContext): Html {
  return html`<p>Held for the same changes that ${decision.by} rejected earlier. As long as the feed has them, nothing of this sync is delivered: correct the feed, or approve the plan.</p>
${decisionNotice(decision, context)}
${error && heldBecause(error)}`;
}

const effects: Record<PlannedItemView['op'], [Tone, string]> = {
  delete: ['bad', 'Delete'],
  mark: ['warning', 'Mark as missing'],
  update: ['info', 'Change'],
  create: ['good', 'Create'],
  createAgain: ['good', 'Create again'],
};

const APPROVAL =
  'An approval covers exactly the changes for which the plan is on hold. If they change in the meantime, it is refused. The other changes of the plan are applied with them, as the last run found them. After a rejection nothing is changed. The next run plans again; if it is held for the same changes, it does not ask for another decision.';
const REPAIR =
  'An approval delivers these attributes again, whatever the items have in them by then. After a rejection nothing is changed: the differences stay.';

/** The buttons say what they do; Enter in the field sends nothing. */
function decisionForm({ run, resource, set, ops, error }: HeldPlanView, viewer: Viewer): Html {
  if (!mayDo(viewer, 'approve')) return notice('plain', 'Only people who may approve can decide on this plan.');
  const fields = html`${reasonField({ isRequired: true })}<button formaction="${actionPath('reject', { run })}">Reject, change nothing</button> `;
  return html`<section aria-labelledby="decision"><h2 id="decision">Decision</h2>
<p>${error?.code === 'FF_REPAIR_HELD' ? REPAIR : APPROVAL}</p>
${actionForm({
  viewer,
  does: 'approve',
  to: { run },
  label: capitalised(describeChanges(ops, resource)),
  kind: ops.delete > 0 ? 'danger' : 'primary',
  hidden: { set },
  fields,
})}</section>`;
}

function itemList({ run, sync, ops }: HeldPlanView, { items, next }: PlannedPageView, isFirst: boolean): Html {
  const total = Object.values(ops).reduce((sum, count) => sum + count, 0);
  const isPart = !isFirst || next !== undefined;
  return html`${isPart && items.length > 0 && html`<p>${isFirst ? 'The first' : 'Another'} ${figure(items.length)} of ${figureOf(total, 'item')}.</p>`}
${pagedList({
  path: runPath(run, 'plan'),
  name: 'items',
  rows: items,
  show: (rows) => itemParts(sync, rows),
  empty: 'There are no more items.',
  next,
  more: 'More items',
})}`;
}

/** Missing records have no place: they are not in the feed. */
function placeOf({ op, at }: PlannedItemView): string | undefined {
  return op === 'delete' || op === 'mark' ? undefined : at;
}

/** So many items that would change in the same way are shown together. */
const TOGETHER = 3;

function itemParts(sync: string, items: PlannedItemView[]): Html {
  const changes = Map.groupBy(items, ({ op, differences }) => op === 'update' && JSON.stringify(differences));
  const equal = [...changes].flatMap(([change, some]) => (change && some.length >= TOGETHER ? [some] : []));
  const rest = items.filter((item) => !equal.some((some) => some.includes(item)));
  return html`${equal.map((some, nth) => equalChanges(sync, some, nth))}${rest.length > 0 && itemTable(sync, rest)}`;
}

/** Items that would change in the same way: the change once, then the items. */
function equalChanges(sync: string, items: PlannedItemView[], nth: number): Html {
  const [{ differences = [] } = {}] = items;
  const text = ({ attribute, from, to }: (typeof differences)[number]) =>
    `${attributeLabel(attribute)}: ${[from, to].map((value) => shortText(value) || 'nothing').join(' → ')}`;
  return html`<details id="equal-${nth}"><summary>${badge(...effects.update)} ${differences.map(text).join('; ') || 'Adopted'} <span class="count">${figureOf(items.length, 'item')}</span></summary>
${differences.length > 0 && differenceTable(differences, ['Now', 'Planned'])}
<ul>${items.map((item) => html`<li>${recordLink(sync, item)}</li>`)}</ul></details>`;
}

/** Longer values are shortened in a summary. */
const LONGEST = 60;

function shortText(value: Json | undefined): string {
  const text = readableText(value).replaceAll(/\s+/g, ' ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function itemTable(sync: string, items: PlannedItemView[]): Html {
  return table<PlannedItemView>({
    caption: 'Items of the plan',
    columns: [
      { head: 'Would', cell: ({ op }) => badge(...effects[op]) },
      recordColumn(sync, 'Title'),
      { head: 'Item', kind: 'number', cell: itemNumber },
      { head: 'Place in the feed', kind: 'key', isExtra: true, cell: placeOf },
      {
        head: 'Differences',
        cell: ({ op, key, differences }) => {
          if (op === 'createAgain') return 'It was deleted in the CMS. It comes back with a new id and a new address.';
          return op === 'update' ? differenceDetails(`item-${key}`, differences, ['Now', 'Planned']) : undefined;
        },
      },
    ],
    rows: items,
  });
}
