import { type RawBuilder, sql } from 'kysely';
import { openStatuses } from '../../core/record.ts';

// SQLite uses a partial index only if the query has its condition literally, not as a parameter.

/** Of records: the record is not delivered. Uses the index `records_undelivered`, because such records are few. */
export const isUndelivered = sql<boolean>`status <> 'delivered'`;

/** Of records: the item is to have what the source has. */
export const isOfSource = sql<boolean>`records.goal in ('have', 'leave')`;

/** Of records: a hash of the content. */
export const hashOf = (column: 'wanted' | 'has') =>
  sql<string | null>`(select hash from contents where contents.id = ${sql.ref(`records.${column}`)})`;

/** Of records: the CMS has exactly the content that is wanted, and the item needs no other action. */
export const isAsDesired = sql<boolean>`(
  records.status = 'delivered' and ${isOfSource} and records.undelivered_files is null
  and (records.has = records.wanted or ${hashOf('has')} = ${hashOf('wanted')})
)`;

/** Of records: the source has a file with which the record was not delivered. Uses the index `records_without_files`. */
export const isWithoutFile = sql<boolean>`(undelivered_files is not null and missing_since is null)`;

/** How many records of a sync were delivered without a file. */
export function countWithoutFiles(sync: string | RawBuilder<string>) {
  return sql<number>`(select count(*) from records where records.sync = ${sync} and ${isWithoutFile})`;
}

/** Of attempts: the change can be undone. Uses the index `attempts_images`. */
export const hasImage = sql<boolean>`(before is not null or after is not null)`;

/** Of runs: the run is under way. Uses the index `runs_one_running`. */
export const isUnderWay = sql<boolean>`status = 'running'`;

/**
 * Of records or claims: the run that wants the change is under way and not cancelled. The changes of a run that broke off wait for the
 * next plan.
 */
export const isWanted = (table: 'records' | 'claims') => sql<boolean>`exists (
  select 1 from runs where runs.id = ${sql.ref(`${table}.run`)} and runs.status = 'running' and runs.cancelled is null
)`;

/** Of claims: a list of ids has that of the record in the outer query. Twelve times as fast as JSON. */
const isIn = (list: 'claims.holds' | 'claims.creates') =>
  sql<boolean>`${sql.ref(list)} like '% ' || records.id || ' %'`;

/** Of claims: the claim has the record in the outer query. */
export const isInClaim = sql<boolean>`(claims.sync = records.sync and ${isIn('claims.holds')})`;

/** Of claims: the claim has the record in the outer query, and has not ended for it. */
export const isOpenClaim = sql<boolean>`(${isInClaim} and claims.token is distinct from records.ended_claim)`;

/** Of records: a process is delivering the record. */
export const isClaimed = (now: RawBuilder<number>) =>
  sql<boolean>`exists (select 1 from claims where ${isOpenClaim} and claims.until >= ${now})`;

/** Of records: the record is claimed under this token. */
export const isOurs = (token: RawBuilder<unknown>, now: RawBuilder<number>) => sql<boolean>`(
  records.ended_claim is distinct from ${token}
  and exists (select 1 from claims where claims.token = ${token} and claims.until >= ${now} and ${isIn('claims.holds')})
)`;

/** Of records: a create may have been sent under a claim that has no attempts for its creates yet. */
export const isBeingCreated = sql<boolean>`(
  records.cms_id is null and exists (select 1 from claims where ${isOpenClaim} and ${isIn('claims.creates')})
)`;

/** Of runs: the run applies a feed: either it has read the feed, or the held run that it approves has. */
export const appliesFeed = sql<boolean>`kind in ('run', 'approve')`;

/** Of runs: the run has not ended. */
export const hasNotEnded = sql<boolean>`status in ('running', 'planned')`;

/** Of records: the record has an item of the CMS. Uses the partial indexes of such records. */
export const hasItem = sql<boolean>`cms_id is not null`;

/** Of records: a create may have left an item that the ledger does not know. */
export const isInDoubt = sql<boolean>`(records.knows = 'maybe' or ${isBeingCreated})`;

/** Of records: the record has an item, or may have one that the ledger does not know. */
export const mayHaveItem = sql<boolean>`(records.cms_id is not null or ${isInDoubt})`;

/** Of records: the record has no item, has had none, and nothing may have made one. */
export const isUnsent = sql<boolean>`(
  not ${mayHaveItem} and records.status not in ('deleted', 'removed')
)`;

/** Of attempts of the record in the outer query: the CMS may have what the call has sent, or answered a create with an error. */
export function hasOpenAttempt(condition = sql<boolean>`1 = 1`) {
  return sql<boolean>`exists (
    select 1 from attempts
    where attempts.record = records.id and attempts.doubt is not null and ${condition}
  )`;
}

/** Of records: the change that a run wants was not sent, nor may an earlier create still arrive. */
export const isNotSent = sql<boolean>`(
  records.status = 'pending' and records.attempts = 0
  and not ${hasOpenAttempt(sql`attempts.doubt = 'sent'`)} and not ${isBeingCreated}
)`;

/** Of records: not through. */
export const isNotThrough = sql<boolean>`records.status in (${sql.join(openStatuses.map((status) => sql.lit(status)))})`;

/** Of records: not in the CMS nor wanted there, because feedferry removed the item, or the source withdrew the record first. */
export const isWithoutItem = sql<boolean>`(
  not ${mayHaveItem}
  and (records.status = 'removed' or (${isNotThrough} and records.goal = 'leave'))
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

/** Of runs: the run has read records of its source, and not only those of the ledger. */
export const hasReadRecords = sql<boolean>`(fingerprint is not null and counts not like '%"read":0,%')`;
