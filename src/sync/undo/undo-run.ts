import pLimit from 'p-limit';
import type { CmsItem } from '../../cms/client.ts';
import { CodedError } from '../../core/errors.ts';
import type { Payload, Warning } from '../../core/record.ts';
import type { RunReport } from '../../core/run.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import type { RunChange } from '../../ledger/history/run-changes.ts';
import { desiredHash } from '../compare/changes.ts';
import type { RunContext } from '../context/run-context.ts';
import { itemHash } from '../deliver/edited-since.ts';
import { sealedPassword } from '../passwords/password.ts';
import { applyPlan, checkCmsReachable } from '../runs/apply-plan.ts';
import { leadRun } from '../runs/lead-run.ts';
import { obstacleTo, type Stay, type Undoing, undoingOf } from './judge-change.ts';
import { readLive } from './read-live-item.ts';

/** A change of the run that is undone, and what takes it back. */
export interface JudgedChange {
  key: string;
  /** Where the source has, or had, the record. */
  at: string;
  undoing: Undoing;
  /** The item as the CMS has it now; absent: it was not looked at, or is not there. */
  live?: CmsItem;
}

/**
 * Takes back what a run has changed in the CMS, in a run of its own: what it created is deleted, what it updated gets back
 * what it was, what it deleted is created anew. What was changed since, by later runs or in the CMS, is left and listed.
 * @throws CodedError FF_RUN_UNKNOWN, FF_UNDO_NOTHING, FF_RUN_BUSY while another run of the sync is under way
 */
export async function undoRun(undone: string, context: RunContext): Promise<RunReport> {
  await refuseNothing(undone, context);
  return leadRun('undo', context, (run) => takeBack(run, undone, context));
}

/**
 * Judges every change of a run, some hundred at a time; nothing is changed.
 * @throws CmsError where an item cannot be read; CodedError FF_RUN_UNKNOWN, FF_UNDO_NOTHING
 */
export async function* judgeChanges(undone: string, context: RunContext): AsyncGenerator<JudgedChange[]> {
  const { ledger, sync, target, signal } = context;
  await refuseNothing(undone, context);
  const limit = pLimit(target.concurrency);
  for await (const changes of ledger.history.changes(undone, sync.name)) {
    signal.throwIfAborted();
    yield await limit.map(changes, (change) => judge(change, context));
  }
  const unsettled = await ledger.history.unsettled(undone);
  const reason = 'the CMS did not confirm the change';
  yield unsettled.map((record) => ({ ...record, undoing: { is: 'skipped', code: 'FF_UNDO_UNSETTLED', reason } }));
}

async function judge(change: RunChange, context: RunContext): Promise<JudgedChange> {
  const { key, record, effect } = change;
  const judged = { key, at: record?.at ?? '' };
  const obstacle = obstacleTo(change);
  if (obstacle) return { ...judged, undoing: obstacle };
  const cmsId = record?.cmsId ?? null;
  const live = cmsId === null || effect === 'removed' ? undefined : await readLive(cmsId, context);
  const undoing = undoingOf(change, live, context.sync.resource);
  return { ...judged, undoing, ...(live ? { live } : {}) };
}

async function takeBack(run: string, undone: string, context: RunContext): Promise<void> {
  const { history, plans, runs } = context.ledger;
  await history.linkUndo(run, undone);
  await checkCmsReachable(context);
  let left = 0;
  for await (const page of judgeChanges(undone, context)) {
    const skipped = page.filter(isSkipped);
    await plans.add(page.flatMap((change) => toStaged(run, change, context)));
    await runs.addRejections(run, left, skipped.map(toRejection));
    left += skipped.length;
  }
  const { counts, creates } = await plans.summarise(run);
  const warnings = [...passwordWarnings(creates, context), ...(await forgottenWarnings(undone, context))];
  await runs.record(run, { counts, warnings });
  await applyPlan(run, context);
}

/** Nothing is staged for what stays. */
function toStaged(
  run: string,
  { key, at, undoing, live }: JudgedChange,
  { sync, passwordCipher }: RunContext,
): StagedRow[] {
  const row = { run, key, place: at, resource: sync.resource };
  const seenHash = (body?: Payload) => (live ? itemHash(live, sync.resource, body) : null);
  if (undoing.is === 'delete') return [{ ...row, op: 'delete', expected_item_hash: seenHash() }];
  if (undoing.is === 'restore') {
    return [{ ...row, op: 'restore', ...desire(undoing.body), expected_item_hash: seenHash(undoing.body) }];
  }
  if (undoing.is !== 'create') return [];
  const { payload } = undoing;
  const password = sealedPassword({ ...row, at, payload, attachments: [], hash: '' }, sync, passwordCipher);
  const days = { starts_on: textOf(payload.date), ends_on: textOf(payload.endDate) };
  return [{ ...row, op: 'create', ...desire(payload), attachments: '[]', ...days, password }];
}

function desire(payload: Payload): Pick<StagedRow, 'desired' | 'hash' | 'changed'> {
  const changed = JSON.stringify(Object.keys(payload));
  return { desired: JSON.stringify(payload), hash: desiredHash({ payload, fingerprints: {} }), changed };
}

/** @throws CodedError FF_RUN_UNKNOWN, FF_UNDO_NOTHING */
async function refuseNothing(undone: string, { ledger, sync }: RunContext): Promise<void> {
  const past = await ledger.runs.find(undone);
  if (past?.sync !== sync.name) throw new CodedError('FF_RUN_UNKNOWN', `"${sync.name}" has no run "${undone}".`);
  // Whether one that is under way has changed anything is not to be told yet.
  if (past.status === 'running' || (await ledger.history.countChanges(undone)) > 0) return;
  if (past.kind !== 'plan' && (await ledger.history.unsettled(undone)).length > 0) return;
  throw new CodedError('FF_UNDO_NOTHING', `${undone} ${whyNothing(past)}`);
}

function whyNothing({ kind, counts }: { kind: string; counts: RunReport['counts'] }): string {
  if (kind === 'plan') return 'is a plan, which changed nothing in the CMS.';
  if (changesIn(counts) > 0) return 'is too old: the ledger no longer has its changes.';
  return 'changed nothing in the CMS.';
}

function passwordWarnings(recreated: number, { sync }: RunContext): Warning[] {
  if (sync.resource !== 'accounts' || recreated === 0) return [];
  const instead = sync.generatePassword ? 'they get new random ones' : 'they have none';
  return [{ at: 'accounts', message: `${recreated} are created again without their former passwords: ${instead}` }];
}

async function forgottenWarnings(undone: string, { ledger }: RunContext): Promise<Warning[]> {
  const past = await ledger.runs.find(undone);
  const forgotten = past ? changesIn(past.counts) - (await ledger.history.countChanges(undone)) : 0;
  if (forgotten <= 0) return [];
  return [{ at: undone, message: `${forgotten} of its changes are too old: the ledger no longer has them` }];
}

function changesIn({ created, updated, deleted, marked }: RunReport['counts']): number {
  return created + updated + deleted + marked;
}

function isSkipped(change: JudgedChange): change is JudgedChange & { undoing: Stay } {
  return change.undoing.is === 'skipped';
}

function toRejection({ key, at, undoing: { code, reason } }: JudgedChange & { undoing: Stay }) {
  return { key, at, code, reason };
}

function textOf(value: Payload[string] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
