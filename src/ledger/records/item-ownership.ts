import type { Resource } from '../../core/record.ts';
import { countRows } from '../database/queries.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import type { ClaimedRecord } from './claimed-record.ts';

/** `owned`: by another record. `contested`: two records wanted it at the same moment, or our lease has lapsed. */
export type Taking = 'taken' | 'owned' | 'contested';

export function createOwnershipStore({ db, now }: LedgerDatabase) {
  return { takeItem };

  /** Makes a claimed record the owner of a CMS item, so that two similar records never get the same one. */
  async function takeItem(record: ClaimedRecord, cmsId: number): Promise<Taking> {
    const { numUpdatedRows } = await ours(record)
      .set({ cms_id: cmsId })
      .where(({ not, exists }) => not(exists(owners(record.resource, cmsId).select('owner.key'))))
      .executeTakeFirstOrThrow();
    const records = await countRows(owners(record.resource, cmsId));
    if (numUpdatedRows === 0n) return records > 0 ? 'owned' : 'contested';
    if (records === 1) return 'taken';
    // In PostgreSQL, two transactions may both succeed. Afterwards at least one of them sees both, and gives up.
    await ours(record).set({ cms_id: null }).execute();
    return 'contested';
  }

  function owners(resource: Resource, cmsId: number) {
    return db.selectFrom('records as owner').where('owner.resource', '=', resource).where('owner.cms_id', '=', cmsId);
  }

  function ours({ sync, key, claim }: ClaimedRecord) {
    return db
      .updateTable('records')
      .where(({ and }) => and({ sync, key, claim_token: claim }))
      .where('claim_until', '>=', now);
  }
}
