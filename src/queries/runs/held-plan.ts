import { z } from 'zod';
import type { App } from '../../app/app.ts';
import { isIsoDate } from '../../core/dates/iso-date.ts';
import { CodedError } from '../../core/errors.ts';
import type { HeldPlan } from '../../ledger/plans/held-plans.ts';
import type { PlannedOp } from '../../ledger/plans/planned-effect.ts';
import type { StagedChange } from '../../ledger/plans/staged-plan.ts';
import { differencesOf } from '../../sync/compare/differences.ts';
import { itemLink } from '../answers/item-link.ts';
import { type Paging, pageOf, readCursor, toCursor } from '../answers/paging.ts';
import { withPictures } from '../answers/picture.ts';
import { toProblem } from '../answers/problem.ts';
import type { HeldPlanView, PlannedItemView, PlannedPageView } from '../views/run.ts';

/** Kinds of changes in their order: changes that lose data come first. */
const ops = ['delete', 'mark', 'update', 'create'] as const satisfies PlannedOp[];

/** A kind of changes, and the key of the last change shown. */
const position = z.tuple([z.enum(ops), z.string()]);

/** Queries about plans that wait for a decision. */
export function createHeldPlanQueries(app: () => Pick<App, 'config' | 'ledger'>) {
  return { heldPlans, heldPlan, plannedItems };

  async function heldPlans(): Promise<HeldPlanView[]> {
    return Promise.all((await app().ledger.plans.heldPlans()).map(describe));
  }

  /** Returns the plan that an approval of this run would apply: its own plan, or the plan of a later run with the same changes. */
  async function heldPlan(id: string): Promise<HeldPlanView> {
    return describe(await currentPlan(id));
  }

  async function plannedItems(id: string, paging: Paging): Promise<PlannedPageView> {
    const { run, sync } = await currentPlan(id);
    const { rows, ...next } = await pageOf(
      paging,
      (after, limit) => changesAfter(after, limit, run, sync),
      ({ op, key }) => toCursor([op, key]),
    );
    return { items: rows.map(toItem), ...next };
  }

  async function changesAfter(after: string | undefined, limit: number, run: string, sync: string) {
    const [from, afterKey] = after === undefined ? [ops[0], ''] : readCursor(after, position);
    const found: StagedChange[] = [];
    for (const op of ops.slice(ops.indexOf(from))) {
      if (found.length === limit) break;
      const rest = limit - found.length;
      found.push(...(await app().ledger.plans.changePage(run, sync, op, op === from ? afterKey : '', rest)));
    }
    return found;
  }

  async function currentPlan(id: string): Promise<HeldPlan> {
    const { sync } = await app().ledger.runs.get(id);
    const { plans } = app().ledger;
    const set = await plans.heldSet(id);
    if (set === undefined) throw new CodedError('FF_APPROVE_NOT_HELD', `Run ${id} of "${sync}" has no held plan.`);
    const current = await plans.heldPlan(sync);
    if (current?.set === set) return current;
    throw new CodedError('FF_APPROVE_STALE', `The plan of run ${id} of "${sync}" is no longer valid.`);
  }

  async function describe({ run, sync, set }: HeldPlan): Promise<HeldPlanView> {
    const { counts, error, finishedAt, decision } = await app().ledger.runs.get(run);
    const resource = app().config.syncs.find(({ name }) => name === sync)?.resource ?? null;
    const { held: asks, ...ops } = await app().ledger.plans.countByEffect(run);
    const shown = { run, sync, resource, set, heldAt: finishedAt, decision, error: error && toProblem(error) };
    return { ...shown, counts, ops, ...(asks > 0 && { asks }) };
  }

  function toItem(change: StagedChange): PlannedItemView {
    const { key, title, at, payload, resource, isCreatedAgain } = change;
    const cmsId = isCreatedAgain ? undefined : change.cmsId;
    const date = String(payload.date ?? payload.start ?? '').slice(0, 10);
    return {
      key,
      op: isCreatedAgain ? 'createAgain' : change.op,
      title,
      date: isIsoDate(date) ? date : undefined,
      at,
      cmsId,
      ...itemLink(app().config.target, resource, cmsId),
      differences: withPictures(differencesOf(change), app().config.target.baseUrl),
    };
  }
}
