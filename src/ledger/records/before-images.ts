import { type RawBuilder, sql } from 'kysely';
import type { Payload } from '../../core/record.ts';
import { groupCommit } from '../database/group-commit.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import type { ClaimedRecord } from './claimed-record.ts';

/** An item before a change, kept before the change is sent so that a crash does not lose it. */
export interface BeforeImage {
  /** Attributes as they were. */
  before: Payload;
  /** The attributes of the mark as they were before the item was first marked. */
  attributesBeforeMark?: Payload;
}

export function createBeforeImageStore({ db, now, forRows, runtime }: LedgerDatabase) {
  const commit = groupCommit(write, runtime);
  return { keepBeforeImage };

  /** Keeps the image with the claimed record until it is settled. */
  async function keepBeforeImage(record: ClaimedRecord, image: BeforeImage): Promise<void> {
    await commit({ record, image });
  }

  async function write(group: Array<{ record: ClaimedRecord; image: BeforeImage }>): Promise<undefined[]> {
    const rows = group.map(({ record: { sync, key, claim }, image }) => ({
      sync,
      key,
      claim_token: claim,
      before_image: JSON.stringify(image.before),
      attributes_before_mark: image.attributesBeforeMark ? JSON.stringify(image.attributesBeforeMark) : null,
    }));
    const keep = (table: RawBuilder<unknown>) => sql`
      update records set before_image = kept.before_image, attributes_before_mark = coalesce(kept.attributes_before_mark, records.attributes_before_mark)
      from ${table} as kept
      where records.sync = kept.sync and records.key = kept.key
        and records.claim_token = kept.claim_token and records.claim_until >= ${now}
    `;
    await db.transaction().execute((transaction) => forRows(transaction, rows, [], keep));
    return group.map(() => undefined);
  }
}
