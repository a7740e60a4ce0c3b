import type { App } from '../../app/app.ts';
import { syncNamed } from '../../config/select.ts';
import type { Resource } from '../../core/record.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import type { RunChange } from '../../ledger/attempts/run-changes.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import { previewUndo } from '../../sync/undo/preview-undo.ts';
import { configuredSync } from '../answers/configured-sync.ts';
import { itemLink } from '../answers/item-link.ts';
import { type ChangeSearch, type Paging, pageByKey } from '../answers/paging.ts';
import { withPictures } from '../answers/picture.ts';
import { toProblem } from '../answers/problem.ts';
import { attributeChange } from '../records/record.ts';
import type {
  ChangePageView,
  ChangeView,
  FailurePageView,
  PurgePreviewView,
  RunDetailView,
  UndoPreviewView,
} from '../views/run.ts';
import type { DifferenceView } from '../views/shared.ts';

/** Queries about one run. */
export function createRunQueries(app: () => Pick<App, 'config' | 'ledger'>) {
  return { run, changes, failures };

  async function run(id: string): Promise<RunDetailView> {
    const { ledger } = app();
    const past = await app().ledger.runs.get(id);
    const { history, runs, alerts } = ledger;
    const isRunning = past.status === 'running';
    const [report, deeds, undoes, sent, plan] = await Promise.all([
      runs.report(id),
      history.deeds({ run: id }),
      history.undoneBy(id),
      alerts.about(id),
      planOf(id, past.sync),
    ]);
    const { counts, error, receipt, complete, warnings, undeliveredFiles } = report;
    // The counts of the run are used, because counting the changes in the history takes long for a large run.
    const changes = counts.created + counts.updated + counts.deleted + counts.marked;
    const isOverwritten = past.finishedAt !== undefined && changes > 0 && (await history.isOverwritten(id));
    return {
      ...past,
      counts,
      error,
      complete,
      warnings,
      undeliveredFiles,
      ...(isRunning && { progress: await progressOf(id, past) }),
      ...(receipt && { feed: { location: receipt.location, bytes: receipt.bytes, reason: receipt.reason } }),
      changes,
      undoes,
      ...(isOverwritten && { isOverwritten }),
      ...(plan.current !== undefined && past.decision?.is !== 'approved' && { heldPlan: plan.current }),
      ...(plan.isReplaced && past.decision === undefined && { isReplaced: true as const }),
      alerts: sent,
      deeds: deeds.toReversed(),
    };
  }

  /** Returns the run whose plan an approval of this held run would apply, or whether its plan was replaced. */
  async function planOf(id: string, sync: string): Promise<{ current?: string; isReplaced?: boolean }> {
    const { plans } = app().ledger;
    const set = await plans.heldSet(id);
    if (set === undefined) return {};
    const current = await plans.heldPlan(sync);
    return current?.set === set ? { current: current.run } : { isReplaced: true };
  }

  async function progressOf(id: string, { counts, durationMs }: Pick<RunDetailView, 'counts' | 'durationMs'>) {
    const { settled, pending } = await app().ledger.runs.progress(id);
    const total = settled + pending;
    if (total === 0) return { phase: 'reading' as const, done: counts.read, ...rateOf(counts.read, durationMs) };
    const { perSecond } = rateOf(settled, durationMs);
    const leftMs = perSecond ? (1000 * pending) / perSecond : undefined;
    return { phase: 'delivering' as const, done: settled, total, perSecond, leftMs };
  }

  async function changes(id: string, { effect, attribute, ...paging }: ChangeSearch): Promise<ChangePageView> {
    const filter = { effect, attribute };
    const { sync } = await app().ledger.runs.get(id);
    const resource = app().config.syncs.find(({ name }) => name === sync)?.resource ?? 'events';
    const { history } = app().ledger;
    const { rows, ...next } = await pageByKey(paging, (...page) => history.changePage(id, sync, ...page, filter));
    return { changes: rows.map((row) => toChangeView(row, resource, app().config.target.baseUrl)), ...next };
  }

  async function failures(id: string, paging: Paging): Promise<FailurePageView> {
    await app().ledger.runs.get(id);
    const { rows, ...next } = await pageByKey(paging, (...page) => app().ledger.records.failures(id, ...page));
    return { failures: rows.map((row) => ({ ...row, remedy: toProblem(row).remedy })), ...next };
  }
}

/** Creates the query for what an undo of a run would do. */
export function createUndoPreview(app: () => App) {
  return { undoPreview };

  async function undoPreview(id: string, signal: AbortSignal): Promise<UndoPreviewView> {
    const { sync: name } = await app().ledger.runs.get(id);
    const sync = syncNamed(name, app().config);
    const preview = await previewUndo(id, app().contextOf(sync, { signal }));
    const later = new Set(preview.skipped.flatMap(({ run }) => run ?? []));
    const laterRuns = await Promise.all([...later].map((run) => app().ledger.runs.find(run)));
    const { baseUrl } = app().config.target;
    const changes = preview.changes.map((change) => ({
      ...change,
      differences: withPictures(change.differences, baseUrl),
    }));
    return {
      ...preview,
      changes,
      resource: sync.resource,
      laterRuns: laterRuns.flatMap((run) => (run ? [toLater(run)] : [])),
    };
  }
}

/** Returns the average rate since the run began. */
function rateOf(done: number, durationMs: number): { perSecond?: number } {
  return durationMs > 0 ? { perSecond: Math.round((10_000 * done) / durationMs) / 10 } : {};
}

function toLater({ run, kind, startedAt }: PastRun) {
  return { run, kind, startedAt };
}

function toChangeView(change: RunChange, resource: Resource, baseUrl: string): ChangeView {
  const { key, effect, cmsId, content } = change;
  const differences = withPictures(differencesIn(change), baseUrl);
  return { key, title: recordTitle(content, resource), effect, cmsId: cmsId ?? undefined, differences };
}

/** Returns how a change has changed each attribute that it sent. A removal sent no attributes. */
function differencesIn({ effect, attributes, before, after, since, record }: RunChange): DifferenceView[] {
  if (effect === 'removed') return [];
  return attributes
    .filter((attribute) => attribute !== 'password')
    .map((attribute) => attributeChange(attribute, { before, after, since, delivered: record.delivered }));
}

/** Creates the query for what a purge of a sync would delete. The file of the sync may be missing. */
export function createPurgePreview(app: () => Pick<App, 'config' | 'ledger'>) {
  return { purgePreview };

  async function purgePreview(sync: string, paging: Paging): Promise<PurgePreviewView> {
    const { config, ledger } = app();
    const [counts, { rows, next }] = await Promise.all([
      ledger.plans.countPurgeable(sync),
      pageByKey(paging, (after, limit) => ledger.plans.purgePage(sync, after, limit)),
    ]);
    // Only a sync without items is looked up in the config: an orphan has items but no file.
    if (counts.deletes + counts.adopted === 0) configuredSync(sync, config);
    const configured = config.syncs.find(({ name }) => name === sync);
    return {
      sync,
      resource: rows[0]?.resource ?? configured?.resource ?? null,
      ...counts,
      items: rows.map(({ key, title, resource, cmsId }) => {
        return { key, title, cmsId: cmsId ?? undefined, ...itemLink(config.target, resource, cmsId) };
      }),
      next,
    };
  }
}
