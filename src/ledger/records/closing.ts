import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { clean } from '../../core/clean.ts';
import type { Payload } from '../../core/record.ts';
import type { DeliveryOutcome, Doubt, LedgerDatabase } from '../database/schema.ts';
import { type ClaimedRecord, itemOf, openOf } from './claimed-record.ts';
import type { DeliveryResult } from './delivery-result.ts';
import { AFTER_A_LOOK } from './open-attempts.ts';
import { nextSeq, toClaim, withdrawAttempts } from './opening.ts';

interface Settlement {
  record: ClaimedRecord;
  result: DeliveryResult;
}

/** Writes what became of the attempts of settled records, within the transaction that settles them. */
export async function closeAttempts(
  transaction: QueryExecutorProvider,
  settlements: readonly Settlement[],
  { now, forRows }: Pick<LedgerDatabase, 'now' | 'forRows'>,
): Promise<void> {
  const unsent = settlements.filter(({ result }) => isPostponed(result) && !result.doubt);
  await withdrawAttempts(
    transaction,
    unsent.map(({ record }) => toClaim(record)),
    { forRows },
  );
  const certain = settlements.filter(({ record, result }) => openOf(record).length > 0 && endsDoubt(result));
  await forRows(transaction, certain.map(toCertain), closeEarlier, ['record']);

  const tried = settlements.filter((each) => !unsent.includes(each)).map(toRow);
  const closed = await forRows(transaction, tried, (table) => close(table, now), numbers);
  const isClosed = new Set(closed.map(({ claim_token, record }) => claim_token + record));
  const others = tried.filter(({ claim_token, record }) => !isClosed.has(claim_token + record));
  await forRows(transaction, others, (table) => add(table, now), numbers);
}

/** Whether the record did not have its turn. */
function isPostponed(result: DeliveryResult): result is Extract<DeliveryResult, { is: 'postponed' | 'stopped' }> {
  return result.is === 'postponed' || result.is === 'stopped';
}

/** Whether the state of the item is certain, so that it no longer matters what earlier attempts have sent. */
function endsDoubt(result: DeliveryResult): boolean {
  const isTried = 'reason' in result && result.is !== 'deleted';
  return !isTried || result.isAbsent === true;
}

function toCertain({ record, result }: Settlement) {
  // An item that is created again may have been so already, as it was or as earlier attempts have sent it.
  return { ...toClaim(record), method: result.is === 'deleted' && result.recreate ? 'DELETE' : null };
}

/** Closes the attempts of earlier claims. */
function closeEarlier(table: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    update attempts set doubt = null, body = null, before = null from ${table} as certain
    where attempts.record = certain.record and attempts.doubt is not null
      and attempts.claim_token is distinct from certain.claim_token
      and (certain.method is null or attempts.method = certain.method)
  `;
}

const numbers = ['record', 'upload_count', 'cms_id'] as const;

function toRow({ record, result }: Settlement) {
  // A turn that was postponed is no attempt, but what it has sent may be applied.
  const outcome = isPostponed(result) ? null : result.is;
  const { sent, uploads = 0 } = result;
  const item = itemOf(record);
  const isRecreated = result.is === 'deleted' && result.recreate;
  return {
    ...toClaim(record),
    run: record.run,
    outcome,
    method: sent?.method ?? null,
    attributes: sent ? JSON.stringify(sent.attributes) : null,
    upload_count: uploads,
    cms_id: 'cmsId' in result ? result.cmsId : (item?.cmsId ?? null),
    before: image(outcome, sent?.before),
    replaced: image(outcome, sent?.replaced),
    after: image(outcome, sent?.after),
    error_code: 'code' in result ? result.code : null,
    error_reason: 'code' in result ? clean(result.reason) : null,
    doubt: (isRecreated ? 'elsewhere' : 'doubt' in result ? result.doubt : null) satisfies Doubt | null | undefined,
    elsewhere: isRecreated && item?.delivered ? JSON.stringify(item.delivered) : null,
  };
}

/** Images of changes that had an effect; only these can be undone. */
function image(outcome: DeliveryOutcome | null, attributes: Payload | undefined): string | null {
  const tookEffect = outcome === 'created' || outcome === 'updated' || outcome === 'removed';
  return tookEffect && attributes && Object.keys(attributes).length > 0 ? JSON.stringify(attributes) : null;
}

/** A call in doubt that ends as an earlier one, and repeats it, adds nothing to the doubt: the attempt of the earlier one stays open. */
const repeats = sql`exists (
  select 1 from attempts as earlier
  where earlier.record = attempts.record and earlier.seq < attempts.seq
    and earlier.method = attempts.method and earlier.body is not distinct from attempts.body
    and earlier.before is not distinct from attempts.before and earlier.doubt in ('sent', tried.doubt)
    and ${endsWithLook(sql`earlier`)} = ${endsWithLook(sql`tried`)}
)`;

function endsWithLook(attempt: RawBuilder<unknown>) {
  return sql`(coalesce(${attempt}.error_code, '') = ${sql.lit(AFTER_A_LOOK)})`;
}

/** Closes the attempts of these claims, or notes that they stay open. */
function close(table: RawBuilder<unknown>, now: LedgerDatabase['now']) {
  const ifOpen = (open: RawBuilder<unknown>, closed: RawBuilder<unknown>) =>
    sql`case when tried.doubt is null or (tried.doubt <> 'elsewhere' and ${repeats}) then ${closed} else ${open} end`;
  return sql<{ claim_token: string; record: number }>`
    update attempts set
      settled_at = ${now}, outcome = tried.outcome, method = tried.method, attributes = tried.attributes,
      upload_count = tried.upload_count, cms_id = tried.cms_id, replaced = tried.replaced, after = tried.after,
      error_code = tried.error_code, error_reason = tried.error_reason,
      doubt = ${ifOpen(sql`tried.doubt`, sql`null`)},
      body = ${ifOpen(sql`coalesce(tried.elsewhere, attempts.body)`, sql`null`)},
      before = ${ifOpen(sql`attempts.before`, sql`tried.before`)}
    from ${table} as tried
    where attempts.record = tried.record and attempts.claim_token = tried.claim_token and attempts.settled_at is null
    returning attempts.claim_token, attempts.record
  `;
}

/** Adds attempts that were not opened, because nothing was to be sent. */
function add(table: RawBuilder<unknown>, now: LedgerDatabase['now']): RawBuilder<unknown> {
  return sql`
    insert into attempts (
      record, seq, run, claim_token, begun_at, settled_at, outcome, method, attributes, upload_count, cms_id, before, replaced,
      after, error_code, error_reason, doubt, body
    )
    select tried.record, ${nextSeq(sql`tried.record`)}, run, claim_token, ${now}, ${now}, outcome, method,
      attributes, upload_count, cms_id, before, replaced, after, error_code, error_reason, doubt, elsewhere
    from ${table} as tried
  `;
}
