import type { App } from '../../app/app.ts';
import type { Payload } from '../../core/record.ts';
import type { PlannedEffect } from '../../ledger/plans/planned-effect.ts';
import { clusterOf } from '../../sync/explain/explain-cluster.ts';
import { configuredSync } from '../answers/configured-sync.ts';
import { toAcknowledged, toProblem } from '../answers/problem.ts';
import { withTitles } from '../answers/rejected-title.ts';
import type { EventView } from '../views/record.ts';
import type { AcknowledgedView, ProblemView } from '../views/shared.ts';

/** Number of rejections that are shown if many records share a key. */
const MOST_SHOWN = 20;

/** Why the last reading of a sync has rejected the records with a key; `found` is empty if it has rejected none. */
export interface RecordRejectionView {
  sync: string;
  key: string;
  /** Title by the fields of the feed; empty if they have none. */
  title: string;
  /** The run that has read the feed. */
  run?: string;
  startedAt?: string;
  found: Array<{ at: string; fields?: Payload | undefined; problem: ProblemView }>;
  acknowledged?: AcknowledgedView[];
  /** The run whose held plan would create the record. */
  waiting?: { run: string; op: PlannedEffect } | undefined;
  /** If another source publishes the event of the record, or the record waits for an answer. */
  event?: EventView | undefined;
}

/** The query for a record that was never accepted for delivery: the last reading has rejected it, or it waits in a held plan. */
export function createRejectionQuery(app: () => Pick<App, 'config' | 'ledger'>) {
  return { recordRejection };

  async function recordRejection(name: string, key: string): Promise<RecordRejectionView> {
    const { ledger, config } = app();
    const { name: sync } = configuredSync(name, config);
    const configured = config.syncs.find((each) => each.name === sync);
    const found = configured && (await clusterOf(key, { ledger, sync: configured }));
    const planned = await ledger.plans.waitingChange(sync, key);
    const known = { event: found, waiting: planned && { run: planned.run, op: planned.op } };
    const last = await ledger.runs.lastReading(sync);
    if (!last) return { sync, key, title: planned?.title ?? '', found: [], ...known };
    const [rejections, acknowledged] = await Promise.all([
      ledger.runs.firstRejections(last.run, MOST_SHOWN, key),
      ledger.acknowledgements.acknowledged(sync, { key }),
    ]);
    const [first] = await withTitles(rejections.slice(0, 1), sync, configured, ledger);
    return {
      sync,
      key,
      title: first?.title ?? planned?.title ?? '',
      run: last.run,
      startedAt: last.startedAt,
      found: rejections.map(({ at, fields, ...rejection }) => ({ at, fields, problem: toProblem(rejection) })),
      ...known,
      ...(acknowledged.length > 0 && { acknowledged: acknowledged.map(toAcknowledged) }),
    };
  }
}
