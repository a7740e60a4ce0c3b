import type { App } from '../../app/app.ts';
import type { SyncConfig } from '../../config/types.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import type { KeptRejection } from '../../ledger/runs/rejections.ts';
import { toAcknowledged } from '../answers/acknowledged.ts';
import { configuredSync } from '../answers/configured-sync.ts';
import { toProblem } from '../answers/problem.ts';
import type { RecordRejectionView } from '../views/record.ts';

/** Number of rejections that are shown if many records share a key. */
const MOST_SHOWN = 20;

/** Attributes whose values are known from the fields of the feed, unless the map changes them. */
const NAMES = ['title', 'displayName', 'firstName', 'lastName', 'username', 'email'];

/** The query for a record that the last reading of its feed has rejected. The ledger knows no other of its states. */
export function createRejectionQuery(app: () => App) {
  return { recordRejection };

  async function recordRejection(name: string, key: string): Promise<RecordRejectionView> {
    const { ledger, config } = app();
    const { name: sync } = configuredSync(name, config);
    const last = await ledger.runs.lastReading(sync);
    if (!last) return { sync, key, title: '', found: [] };
    const [rejections, acknowledged] = await Promise.all([
      ledger.runs.rejectionsOf(last.run, key, MOST_SHOWN),
      ledger.acknowledgements.acknowledgedOf(sync, key),
    ]);
    return {
      sync,
      key,
      title: titleIn(
        rejections[0],
        config.syncs.find((each) => each.name === sync),
      ),
      run: last.run,
      startedAt: last.startedAt,
      found: rejections.map(({ at, code, reason, fields }) => {
        return { at, ...(fields && { fields }), problem: toProblem({ code, reason }) };
      }),
      ...(acknowledged.length > 0 && { acknowledged: acknowledged.map(toAcknowledged) }),
    };
  }
}

/** The title by the fields of the feed: a rejected record has no attributes. */
function titleIn(rejection: KeptRejection | undefined, sync: SyncConfig | undefined): string {
  const fields = new Map(Object.entries(rejection?.fields ?? {}));
  const named = NAMES.map((attribute) => [attribute, fields.get(sync?.map?.[attribute]?.field ?? attribute)]);
  return recordTitle(Object.fromEntries(named), sync?.resource ?? 'events');
}
