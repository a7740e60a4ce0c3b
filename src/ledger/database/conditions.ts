import { type RawBuilder, sql } from 'kysely';

// SQLite uses a partial index only if the query has its condition literally, not as a parameter.

/** Of records: the record is not delivered. Uses the index `records_undelivered`, because such records are few. */
export const isUndelivered = sql<boolean>`status <> 'delivered'`;

/** Of records: the CMS has exactly the content with this `hash`, and the item needs no other action. */
export const isAsDesired = sql<boolean>`(
  records.status = 'delivered' and records.action is null and records.delivered_hash = records.hash
  and records.cms_id is not null and records.attributes_before_mark is null and records.delete_unconfirmed = 0
)`;

/** Of history: the change can be undone. Uses the index `history_images`. */
export const hasImage = sql<boolean>`(before is not null or after is not null)`;

/** Of runs: the run is under way. Uses the index `runs_one_running`. */
export const isUnderWay = sql<boolean>`status = 'running'`;

/** Of runs: the run has not ended. */
export const hasNotEnded = sql<boolean>`status in ('running', 'planned')`;

/**
 * Of records: a create may have left an item that the ledger does not know. A create that the CMS answered with an error
 * counts as not applied, but its item is looked up, too, before another create.
 */
export const isInDoubt = sql<boolean>`(records.create_unconfirmed = 1 and records.status <> 'failed')`;

/** Of records: not in the CMS nor wanted there, because feedferry removed the item, or the source withdrew the record first. */
export const isWithoutItem = sql<boolean>`(
  records.cms_id is null and not ${isInDoubt}
  and (records.status = 'removed' or (records.status in ('pending', 'failed', 'held') and records.not_retried = 1))
)`;

/** Of records: the next attempt is later. A pause that begins in the future is over: the clock has gone back since. */
export const isPaused = (now: RawBuilder<number>) =>
  sql<boolean>`(coalesce(retry_at, 0) > ${now} and coalesce(quiet_since, 0) <= ${now})`;

/** Of runs: false for a run that began in the future, because the clock has gone back since. */
export const hasBegun = (now: RawBuilder<number>) => sql<boolean>`started_at <= ${now}`;

/** Of runs: the run changed something in the CMS. Counts are written as JSON without blanks. */
export const hasChanges = sql<boolean>`(
  counts not like '%"created":0,%' or counts not like '%"updated":0,%'
  or counts not like '%"deleted":0,%' or counts not like '%"marked":0,%'
)`;
