import type { Difference } from '../compare/differences.ts';
import type { RunContext } from '../context/run-context.ts';
import { partsLike, valueAt } from '../items/values.ts';
import type { Separation } from '../merge/separate-records.ts';
import { checkTarget } from '../runs/lead-run.ts';
import { joinedBy } from './joined-records.ts';
import type { Skip, Undoing } from './judge-change.ts';
import { judgeChanges } from './undo-run.ts';

/** What undoing a run would do. */
export interface UndoPreview {
  run: string;
  sync: string;
  changes: PlannedUndoing[];
  /** Changes that would not be undone, and why. */
  skipped: Array<{ key: string; title?: string } & Omit<Skip, 'is'>>;
  /** Records that the run has published as others, and that count as different events then; absent: none. */
  separated?: Separation[];
}

export interface PlannedUndoing {
  op: Exclude<Undoing['is'], 'skipped'>;
  key: string;
  title?: string;
  /** The item that would be changed or deleted. */
  cmsId?: number;
  /** For a restore: what the CMS has now, and what it would have again. */
  differences: Difference[];
}

/**
 * Returns what undoing a run would do; the CMS is only read, and no run begins.
 * @throws CmsError; CodedError FF_RUN_UNKNOWN, FF_UNDO_NOTHING, FF_DESTINATION_CHANGED
 */
export async function previewUndo(run: string, context: RunContext): Promise<UndoPreview> {
  await checkTarget(context);
  const plan: UndoPreview = { run, sync: context.sync.name, changes: [], skipped: [] };
  const undoings = new Map<string, Undoing['is']>();
  for await (const page of judgeChanges(run, context)) {
    for (const { key, title, live, undoing } of page) {
      undoings.set(key, undoing.is);
      if (undoing.is === 'skipped') {
        const { is: _, ...skip } = undoing;
        plan.skipped.push({ key, title, ...skip });
        continue;
      }
      const restored = undoing.is === 'restore' && live ? Object.entries(undoing.body) : [];
      const differences = restored.map(([attribute, to]) => {
        return { attribute, from: partsLike(valueAt(live ?? {}, attribute), to), to };
      });
      plan.changes.push({ op: undoing.is, key, title, cmsId: live?.id, differences });
    }
  }
  const separated = await joinedBy(run, undoings, context);
  return { ...plan, ...(separated.length > 0 && { separated }) };
}
