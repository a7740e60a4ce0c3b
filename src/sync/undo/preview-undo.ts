import type { ErrorCode } from '../../core/errors.ts';
import type { Json, Payload } from '../../core/record.ts';
import type { Difference } from '../compare/differences.ts';
import type { RunContext } from '../context/run-context.ts';
import { partsLike, valueAt } from '../items/values.ts';
import { checkTarget } from '../runs/check-target.ts';
import { type JudgedChange, judgeChanges } from './undo-run.ts';

/** What undoing a run would do. */
export interface UndoPreview {
  run: string;
  sync: string;
  changes: PlannedUndoing[];
  /** Changes that would stay, and why. */
  skipped: Array<{ key: string; code: ErrorCode; reason: string }>;
}

export interface PlannedUndoing {
  op: 'delete' | 'restore' | 'create';
  key: string;
  /** The item that would be changed or deleted. */
  cmsId?: number;
  /** Of a restore: what the CMS has now, and what it would have again. */
  differences: Difference[];
}

/**
 * Tells what undoing a run would do; the CMS is only read, and no run begins.
 * @throws CmsError; CodedError FF_RUN_UNKNOWN, FF_UNDO_NOTHING, FF_DESTINATION_CHANGED
 */
export async function previewUndo(run: string, context: RunContext): Promise<UndoPreview> {
  await checkTarget(context);
  const plan: UndoPreview = { run, sync: context.sync.name, changes: [], skipped: [] };
  for await (const page of judgeChanges(run, context)) {
    for (const change of page) {
      const { key, undoing } = change;
      if (undoing.is === 'skipped') plan.skipped.push({ key, code: undoing.code, reason: undoing.reason });
      else plan.changes.push(toPlanned(change, undoing));
    }
  }
  return plan;
}

function toPlanned(
  { key, live }: JudgedChange,
  undoing: Exclude<JudgedChange['undoing'], { is: 'skipped' }>,
): PlannedUndoing {
  const differences = undoing.is === 'restore' && live ? differencesOf(live, undoing.body) : [];
  return { op: undoing.is, key, ...(live ? { cmsId: live.id } : {}), differences };
}

function differencesOf(live: Readonly<Record<string, unknown>>, body: Payload): Difference[] {
  return Object.entries(body).map(([attribute, to]: [string, Json]) => {
    return { attribute, from: partsLike(valueAt(live, attribute), to), to };
  });
}
