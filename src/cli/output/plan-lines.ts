import { plannedEffects } from '../../documents/held-plan.ts';
import type { PlannedChange } from '../../sync/runs/plan-run.ts';
import { changeText } from './as-text.ts';

/** Describes a change of a plan in one line, then the attributes that differ. */
export function describeChange(change: PlannedChange): string {
  const { op, key, title, at, differences, adopts, cmsId, isCreatedAgain, retriesFiles } = change;
  const about = { key, title, place: at };
  if (isCreatedAgain) {
    const note = `item ${cmsId} was deleted in the CMS`;
    return changeText({ ...about, effect: plannedEffects.createAgain, note, differences: [] });
  }
  if (retriesFiles === 'only') {
    const note = differences.map(({ attribute }) => attribute).join(', ');
    return changeText({ ...about, effect: ['warning', 'Try again', '~ try again'], note, differences: [] });
  }
  const effect = plannedEffects[op === 'update' && differences.length === 0 ? 'adopt' : op];
  const item = adopts ?? (op === 'delete' ? cmsId : undefined);
  const shown = op === 'update' || op === 'mark' ? differences : [];
  return changeText({ ...about, effect, cmsId: item, differences: shown });
}
