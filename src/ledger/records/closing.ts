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

  const tried = settlements.filter((each) => !unsent.includes(each) || each.result.uploads).map(toRow);
  await forRows(transaction, tried, (table) => write(table, now), numbers);
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
const repeats = `exists (
  select 1 from attempts as earlier
  where earlier.record = tried.record and (opened.seq is null or earlier.seq < opened.seq)
    and earlier.method = tried.method and earlier.body is not distinct from opened.body
    and earlier.before is not distinct from opened.before and earlier.doubt in ('sent', tried.doubt)
    and (coalesce(earlier.error_code, '') = '${AFTER_A_LOOK}') = (coalesce(tried.error_code, '') = '${AFTER_A_LOOK}')
)`;

/** The columns that are as in a row of `toRow`. */
const same = [
  ...['record', 'claim_token', 'run', 'outcome', 'method', 'attributes', 'upload_count', 'cms_id'],
  ...['replaced', 'after', 'error_code', 'error_reason'],
];

const changed = [...same.slice(2), 'settled_at', 'doubt', 'body', 'before'];

// As text: it is the same for every settlement, and to build it would take as long as to execute it.
const columns = sql.raw([...same, 'settled_at', 'doubt', 'body', 'before', 'begun_at', 'seq'].join(', '));
const values = sql.raw(`
  ${same.map((column) => `tried.${column}`).join(', ')}, tried.now, stays,
  case when stays is not null then coalesce(elsewhere, opened_body) end,
  case when stays is not null then opened_before else tried.before end,
  coalesce(opened_at, tried.now)`);
const opened = sql.raw(`
  opened.seq as opened_seq, opened.begun_at as opened_at, opened.body as opened_body, opened.before as opened_before,
  case when tried.doubt = 'elsewhere' or not ${repeats} then tried.doubt end as stays`);
const replaced = sql.raw(changed.map((column) => `${column} = excluded.${column}`).join(', '));

/** Closes the attempts that were opened under these claims, or notes that they stay open, and adds the others. */
function write(table: RawBuilder<unknown>, now: LedgerDatabase['now']): RawBuilder<unknown> {
  return sql`
    insert into attempts (${columns})
    select ${values}, coalesce(opened_seq, ${nextSeq(sql`tried.record`)})
    from (
      select tried.*, ${now} as now, ${opened} from ${table} as tried left join attempts as opened
        on opened.record = tried.record and opened.claim_token = tried.claim_token and opened.settled_at is null
    ) as tried
    where true on conflict (record, seq) do update set ${replaced}
  `;
}
