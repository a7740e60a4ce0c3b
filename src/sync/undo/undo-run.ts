import pLimit from 'p-limit';
import type { CmsItem } from '../../cms/client.ts';
import { CmsError } from '../../cms/errors.ts';
import { CodedError } from '../../core/errors.ts';
import { TargetPausedError } from '../../core/gate.ts';
import { hashJson } from '../../core/hash.ts';
import type { Payload, Warning } from '../../core/record.ts';
import { repeatAfterPauses, retryDelay } from '../../core/retry.ts';
import type { RunReport } from '../../core/run.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import type { RunChange } from '../../ledger/attempts/run-changes.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import type { KnownSpan } from '../../ledger/records/event-days.ts';
import { desiredHash } from '../compare/changes.ts';
import type { RunContext } from '../context/run-context.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { itemHash, writableOf } from '../items/item-images.ts';
import { judged } from '../match/verdict.ts';
import { sealedPassword } from '../passwords/password.ts';
import { whenColumns } from '../plan/when-columns.ts';
import { applyPlan } from '../runs/apply-plan.ts';
import { checkCmsReachable } from '../runs/consult-cms.ts';
import { leadRun } from '../runs/lead-run.ts';
import { joinedBy, separateJoined, takeBackSeparations } from './joined-records.ts';
import { obstacleTo, type Undoing, undoingOf } from './judge-change.ts';

/** A change of the run, and how it is undone. */
export interface JudgedChange {
  key: string;
  title?: string;
  /** The record's place in the source. */
  at: string;
  undoing: Undoing;
  /** The item as the CMS has it now; absent: it was not read, or is missing. */
  live?: CmsItem;
}

/**
 * Undoes the changes of a run in the CMS, in a run of its own: created items are deleted, updated items are restored, deleted
 * items are created again. Items that later runs or editors have changed since are left and listed.
 * @throws CodedError FF_RUN_UNKNOWN, FF_UNDO_NOTHING, FF_RUN_BUSY while another run of the sync is under way
 */
export async function undoRun(undone: string, context: RunContext): Promise<RunReport> {
  await checkUndoable(undone, context);
  return leadRun('undo', context, (run, led) => undo(run, undone, led));
}

/**
 * Judges every change of a run, some hundred at a time; nothing is changed.
 * @throws CmsError if an item cannot be read; CodedError FF_RUN_UNKNOWN, FF_UNDO_NOTHING
 */
export async function* judgeChanges(undone: string, context: RunContext): AsyncGenerator<JudgedChange[]> {
  const { ledger, target, signal } = context;
  await checkUndoable(undone, context);
  const limit = pLimit(target.concurrency);
  for await (const changes of ledger.history.changes(undone)) {
    signal.throwIfAborted();
    yield await limit.map(changes, (change) => judge(change, context));
  }
  const unconfirmed = await ledger.history.unconfirmed(undone);
  const reason = 'the CMS did not confirm the change';
  yield unconfirmed.map((record) => ({ ...record, undoing: { is: 'skipped', code: 'FF_UNDO_UNSETTLED', reason } }));
}

async function judge(change: RunChange, context: RunContext): Promise<JudgedChange> {
  const { key, record, effect, content } = change;
  const named = { key, title: recordTitle(content, context.sync.resource), at: record.at };
  const obstacle = obstacleTo(change);
  if (obstacle) return { ...named, undoing: obstacle };
  const { cmsId } = record;
  const live = cmsId === null || effect === 'removed' ? undefined : await readLive(cmsId, context);
  return { ...named, undoing: undoingOf(change, live, context.sync.resource), live };
}

/**
 * The item of the CMS with an id; undefined if there is none. Repeats a failed request as often as a delivery would, with the
 * same pauses.
 * @throws CmsError; the reason of the signal
 */
function readLive(id: number, context: RunContext): Promise<CmsItem | undefined> {
  const { sync, target, runtime, signal } = context;
  const items = itemsOf(sync.resource, { ...context, call: { signal } });
  const pauseMs = (error: Error, attempts: number) => {
    const mayPass = error instanceof TargetPausedError || (error instanceof CmsError && error.kind === 'retryable');
    return mayPass ? retryDelay(attempts, target, runtime) : undefined;
  };
  const rules = { retries: target.maxAttempts - 1, clock: runtime, signal };
  return repeatAfterPauses(() => unlessDeleted(items.get(id)), pauseMs, rules);
}

async function undo(run: string, undone: string, context: RunContext): Promise<void> {
  const { history, plans, runs } = context.ledger;
  await history.linkUndo(run, undone);
  await checkCmsReachable(context);
  let skipped = 0;
  const undoings = new Map<string, Undoing['is']>();
  // Which days an event spans is not in the images of its changes.
  const spans = new Map((await context.ledger.records.spans(context.sync.name)).map((span) => [span.key, span]));
  for await (const page of judgeChanges(undone, context)) {
    for (const { key, undoing } of page) undoings.set(key, undoing.is);
    await plans.add(page.flatMap((change) => toStaged(run, change, spans.get(change.key), context)));
    const rejections = page.flatMap(({ key, at, undoing }) => {
      return undoing.is === 'skipped' ? [{ key, at, code: undoing.code, reason: undoing.reason }] : [];
    });
    await runs.addRejections(run, skipped, rejections);
    skipped += rejections.length;
  }
  const { counts, creates } = await plans.summarise(run);
  const separations = await joinedBy(undone, undoings, context);
  const warnings = [
    ...passwordWarnings(creates, context),
    ...(await forgottenWarnings(undone, context)),
    ...separationWarnings(separations.length, context),
  ];
  await runs.record(run, { counts, warnings });
  await takeBackSeparations(undone, undoings, context);
  await separateJoined(separations, undone, context);
  // An undo of nothing leaves a held plan as it is.
  if ([...undoings.values()].every((is) => is === 'skipped')) await runs.finish(run);
  else await applyPlan(run, judged(creates), context);
}

/** The staged row that undoes a change; empty if the change is not undone. */
function toStaged(
  run: string,
  change: JudgedChange,
  span: KnownSpan | undefined,
  { sync, passwordCipher }: RunContext,
): StagedRow[] {
  const { key, at, undoing, live } = change;
  const row = { run, key, place: at, resource: sync.resource };
  const told = span && { days: JSON.stringify({ days: span.days, like: span.like, open: span.open }) };
  const seenHash = (body?: Payload) => (live ? itemHash(live, sync.resource, body) : null);
  if (undoing.is === 'delete') return [{ ...row, op: 'delete', expects: seenHash() }];
  if (undoing.is === 'restore') {
    const { body } = undoing;
    const when = whenColumns({ payload: { ...(live && writableOf(live, sync.resource)), ...body } });
    return [{ ...row, op: 'restore', ...desire(body), ...told, ...when, expects: seenHash(body) }];
  }
  if (undoing.is !== 'create') return [];
  const { payload } = undoing;
  const password = sealedPassword(row, sync, passwordCipher);
  const created = { ...desire(payload), ...whenColumns({ payload }), attachments: '[]', password };
  return [{ ...row, op: 'create', ...created, ...told, expects: hashJson(payload) }];
}

function desire(payload: Payload): Pick<StagedRow, 'desired' | 'hash' | 'changed'> {
  const changed = JSON.stringify(Object.keys(payload));
  return { desired: JSON.stringify(payload), hash: desiredHash({ payload, fingerprints: {} }), changed };
}

/** @throws CodedError FF_RUN_UNKNOWN, FF_UNDO_NOTHING */
async function checkUndoable(undone: string, { ledger, sync }: RunContext): Promise<void> {
  const past = await ledger.runs.find(undone);
  if (past?.sync !== sync.name) throw new CodedError('FF_RUN_UNKNOWN', `"${sync.name}" has no run "${undone}".`);
  const { status, kind, counts } = past;
  // A run that is under way may still change something.
  if (status === 'running' || (await ledger.history.countChanges(undone)) > 0) return;
  if (sync.sources && (await ledger.members.coveredIn(undone, sync.name)).length > 0) return;
  if (kind !== 'plan' && (await ledger.history.unconfirmed(undone)).length > 0) return;
  let reason =
    changesIn(counts) > 0 ? 'is too old: the ledger no longer has its changes' : 'changed nothing in the CMS';
  if (kind === 'plan') reason = 'is a plan, which changed nothing in the CMS';
  throw new CodedError('FF_UNDO_NOTHING', `${undone} ${reason}.`);
}

function passwordWarnings(recreated: number, { sync }: RunContext): Warning[] {
  if (sync.resource !== 'accounts' || recreated === 0) return [];
  const instead = sync.generatePassword ? 'they get new random ones' : 'they have none';
  return [{ at: 'accounts', message: `${recreated} are created again without their former passwords: ${instead}` }];
}

function separationWarnings(separated: number, { sync }: RunContext): Warning[] {
  if (separated === 0) return [];
  const records =
    separated === 1 ? '1 record counts as a different event' : `${separated} records count as different events`;
  const next = 'The next run publishes what its source has.';
  return [
    {
      at: sync.name,
      message: `${records} from now on. ${next} Answers: \`feedferry questions ${sync.name} --answered\``,
    },
  ];
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
