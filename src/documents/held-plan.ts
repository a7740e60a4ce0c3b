import type { Json } from '../core/record.ts';
import { runPath, syncPath, withQuery } from '../core/text/addresses.ts';
import { attributeLabel } from '../core/text/attribute-label.ts';
import { describeChanges } from '../core/text/describe-changes.ts';
import { capitalised, figure, figureOf } from '../core/text/figures.ts';
import { readableText } from '../core/text/readable-value.ts';
import type { HeldPlanView, PlannedItemView, PlannedPageView, RunDetailView } from '../queries/views/run.ts';
import type { DecisionView, ProblemView } from '../queries/views/shared.ts';
import {
  factList,
  foldOf,
  formOf,
  inMedium,
  nextPage,
  noticeOf,
  paragraph,
  problemBlock,
  reasonOf,
  section,
} from './blocks.ts';
import type { Block, ChangeEffect, Document } from './document.ts';
import { inTerminal, linkTo, mark, proseOf, recordRef, runRef, say, styled, timeAt } from './inline.ts';

/** The decision about a plan, or why there is nothing to decide. */
export function decidedDocument(detail: RunDetailView): Document {
  const { run, sync, status, error, decision, isReplaced } = detail;
  const why = isReplaced ? REPLACED : 'This run has no plan that waits for a decision.';
  return {
    title: decision ? `Plan of ${sync}: ${decision.is}` : `Plan of ${sync}`,
    ...{ sync, run },
    blocks: [
      decision ? decisionNotice(decision) : noticeOf('info', why),
      status === 'held' &&
        error &&
        (decision || isReplaced ? heldBecause(error) : problemBlock(error, { run, sync }, 'warning')),
      paragraph(say`${linkTo(runPath(run), 'Show the run')} · ${linkTo(syncPath(sync), 'Show the sync')}`),
    ],
  };
}

export const REPLACED = 'This plan can no longer be decided: a later run has replaced it, or has changed its records.';

/** Why a run was held whose plan is decided: nothing is left to do about it. */
export function heldBecause({ message }: ProblemView): Block {
  return paragraph(say`It was on hold because: ${proseOf(message.replace(/ Nothing was changed\.$/, ''))}`);
}

/** Who has decided about a held plan, when and why, and the run that applied it. */
export function decisionNotice({ is, by, via, at, reason, appliedBy }: DecisionView): Block {
  const where = { console: '', api: ' through the API', cli: ' on the command line' }[via];
  const who = styled('strong', `${is === 'approved' ? 'Approved' : 'Rejected'} by ${by}`);
  return noticeOf(
    'info',
    say`${who} on ${timeAt(at)}${where}.${reason !== undefined && say` Reason: ${styled('quote', reason)}`}`,
    appliedBy === undefined ? 'None of these changes was applied.' : runRef(appliedBy, 'Show the run that applied it'),
  );
}

/** A held plan: why it is on hold, exactly what it would do, and the decision. */
export function heldPlanDocument(plan: HeldPlanView, page: PlannedPageView, { isFirst = true } = {}): Document {
  const { run, sync, resource, error, heldAt, ops, decision, set, asks = 0 } = plan;
  const why = error ?? { code: '', message: 'This plan waits for a decision.', remedy: '' };
  const waits = [
    inMedium('page', error ? problemBlock(error, { run, sync }, 'warning') : noticeOf('warning', why.message)),
    // Its remedy is to list the plan.
    inMedium('terminal', problemBlock({ ...why, remedy: '' }, { run, sync }, 'warning')),
  ];
  return {
    title: decision ? `Plan of ${sync}: rejected earlier` : `Plan of ${sync} on hold`,
    ...{ sync, run },
    blocks: [
      ...(decision ? rejectedEarlier(plan, decision) : waits),
      factList(
        ['Run', inTerminal(run)],
        ['On hold since', heldAt && timeAt(heldAt)],
        ['Would do', capitalised(describeChanges(ops, resource))],
        ['Waits for another answer', asks > 0 && `${figureOf(asks, 'record')}, which an approval does not deliver`],
      ),
      inMedium('page', decision ? foldOf('again', 'Decide again …', decisionForm(plan)) : decisionForm(plan)),
      section('items', 'Items', ...itemBlocks(plan, page, isFirst)),
      inMedium(
        'page',
        foldOf('support', 'For support', {
          is: 'text',
          look: 'bare',
          content: say`Run ${styled('code', run)}, set ${styled('code', set)}`,
        }),
      ),
    ],
  };
}

function rejectedEarlier({ error }: HeldPlanView, decision: DecisionView): Block[] {
  const stays =
    'As long as the feed has them, nothing of this sync is delivered: correct the feed, or approve the plan.';
  return [
    paragraph(`Held for the same changes that ${decision.by} rejected earlier. ${stays}`),
    decisionNotice(decision),
    error && heldBecause(error),
  ];
}

/** What a plan does. An update without differences is an adopted item. */
export const plannedEffects: Record<PlannedItemView['op'] | 'adopt', ChangeEffect> = {
  delete: ['bad', 'Delete', '- delete'],
  mark: ['warning', 'Mark as missing', '! mark'],
  update: ['info', 'Change', '~ update'],
  create: ['good', 'Create', '+ create'],
  createAgain: ['good', 'Create again', '+ create again'],
  adopt: ['info', 'Adopt', '~ adopt'],
};

const APPROVAL =
  'An approval covers exactly the changes for which the plan is on hold. If they change in the meantime, it is refused. The other changes of the plan are applied with them, as the last run found them. After a rejection nothing is changed. The next run plans again; if it is held for the same changes, it does not ask for another decision.';
const REPAIR =
  'An approval delivers these attributes again, whatever the items have in them by then. After a rejection nothing is changed: the differences stay.';

/** The buttons say what they do; Enter in the field sends nothing. */
function decisionForm({ run, resource, set, ops, error }: HeldPlanView): Block {
  const form = formOf({
    does: 'approve',
    to: { run },
    label: capitalised(describeChanges(ops, resource)),
    kind: ops.delete > 0 ? 'danger' : 'primary',
    hidden: { set },
    instead: { does: 'reject', label: 'Reject, change nothing' },
    otherwise: 'Only people who may approve can decide on this plan.',
    blocks: [reasonOf({ isRequired: true })],
  });
  return section('decision', 'Decision', paragraph(error?.code === 'FF_REPAIR_HELD' ? REPAIR : APPROVAL), form);
}

function itemBlocks({ run, sync, ops }: HeldPlanView, { items, next }: PlannedPageView, isFirst: boolean): Block[] {
  const total = Object.values(ops).reduce((sum, count) => sum + count, 0);
  const isPart = !isFirst || next !== undefined;
  const which = `${isFirst ? 'The first' : 'Another'} ${figure(items.length)} of ${figureOf(total, 'item')}.`;
  return [
    isPart && items.length > 0 && inMedium('page', paragraph(which)),
    ...(items.length === 0
      ? [paragraph('There are no more items.', 'empty')]
      : [inMedium('page', ...together(sync, items)), inMedium('terminal', changes(sync, items))]),
    nextPage(
      next && `${withQuery(runPath(run, 'plan'), { items: next })}#items`,
      'More items',
      `and ${total - items.length} more: \`feedferry approve --list ${run}\``,
    ),
  ];
}

/** So many items that would change in the same way are shown together. */
const TOGETHER = 3;

function together(sync: string, items: PlannedItemView[]): Block[] {
  const groups = Map.groupBy(items, ({ op, differences }) => op === 'update' && JSON.stringify(differences));
  const equal = [...groups].flatMap(([change, some]) => (change && some.length >= TOGETHER ? [some] : []));
  const rest = items.filter((item) => !equal.some((some) => some.includes(item)));
  return [...equal.map((some, nth) => equalChanges(sync, some, nth)), rest.length > 0 && changes(sync, rest)];
}

/** Items that would change in the same way: the change once, then the items. */
function equalChanges(sync: string, items: PlannedItemView[], nth: number): Block {
  const [{ differences = [] } = {}] = items;
  const text = ({ attribute, from, to }: (typeof differences)[number]) =>
    `${attributeLabel(attribute)}: ${[from, to].map((value) => shortText(value) || 'nothing').join(' → ')}`;
  const what = differences.map(text).join('; ') || 'Adopted';
  return foldOf(
    `equal-${nth}`,
    say`${mark(plannedEffects.update)} ${what} ${styled('count', figureOf(items.length, 'item'))}`,
    differences.length > 0 && { is: 'differences', differences, heads: ['Now', 'Planned'] },
    { is: 'list', items: items.map((item) => recordRef(sync, item)) },
  );
}

/** Longer values are shortened in a summary. */
const LONGEST = 60;

function shortText(value: Json | undefined): string {
  const text = readableText(value).replaceAll(/\s+/g, ' ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function changes(sync: string, items: readonly PlannedItemView[]): Block {
  return {
    is: 'changes',
    id: 'item',
    caption: 'Items of the plan',
    sync,
    heads: ['Would', 'Now', 'Planned'],
    rows: items.map(({ op, at, differences, ...item }) => ({
      ...item,
      effect: plannedEffects[op === 'update' && differences.length === 0 ? 'adopt' : op],
      // Missing records have no place: they are not in the feed.
      place: op === 'delete' || op === 'mark' ? undefined : at,
      note: op === 'createAgain' && 'It was deleted in the CMS. It comes back with a new id and a new address.',
      differences: op === 'update' ? differences : [],
    })),
  };
}
