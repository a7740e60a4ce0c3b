import type { Transaction } from 'kysely';
import { codesAnsweredBy } from '../../core/errors.ts';
import type { FeedReceipt } from '../../core/feed.ts';
import { type RunCounts, zeroCounts } from '../../core/run.ts';
import type { FeedValidators } from '../../core/source-reading.ts';
import { appliesFeed, hasBegun, isNotThrough } from '../database/conditions.ts';
import { hasError } from '../database/record-error.ts';
import type { LedgerDatabase, LedgerTables, RunRow } from '../database/schema.ts';
import { cell, change, exists, one, only } from '../database/statements.ts';

/** The last run of a sync, and the validators that show whether its feed has changed since. */
export interface LastRead {
  run: string;
  validators: FeedValidators;
}

/** Earlier readings and removals count for seven days. */
export const REMEMBERED_MS = 7 * 86_400_000;

export function createFeedStore({ db, now }: LedgerDatabase) {
  return { lastRead, lastWhole, lastFingerprint, repeat };

  /**
   * Returns the last run of a sync if an unchanged feed would change nothing: the run read the whole feed with this
   * fingerprint and validators (RFC 9110, 8.8), and every record was delivered or rejected. Otherwise undefined.
   */
  async function lastRead(sync: string, fingerprint: string): Promise<LastRead | undefined> {
    // Includes kinds without a receipt: after them, the CMS may differ from what the last run read.
    const row = await one<RunRow & { has_begun: number }>(db)`
      select runs.*, case when ${hasBegun(now)} then 1 else 0 end as has_begun from runs
      where sync = ${sync} and kind <> 'plan' and status <> 'running'
      order by started_at desc, id desc limit 1
    `;
    // A backfill has read other days.
    if (row?.kind === 'backfill') return undefined;
    // If the clock has gone back, it is unknown which run was the last.
    if (!row?.receipt || !row.has_begun || row.fingerprint !== fingerprint) return undefined;
    const { failed, held, rejected } = JSON.parse(row.counts) as RunCounts;
    const receipt = JSON.parse(row.receipt) as FeedReceipt;
    const validators = validatorsOf(receipt);
    const isSettled = ['success', 'partial'].includes(row.status) && failed + held === 0;
    if (!isSettled || !receipt.complete || !validators || (await isUnsettled(sync))) return undefined;
    // Its items may be gone by now.
    if (rejected > 0 && (await hasWithdrawn(row.id))) return undefined;
    return { run: row.id, validators };
  }

  /** Returns the receipt of the last run of a sync that read the whole of this location in the last days. */
  async function lastWhole(sync: string, location: string): Promise<FeedReceipt | undefined> {
    const found = await cell<string | null>(db)`
      select receipt from runs
      where sync = ${sync} and ${appliesFeed} and complete = 1 and started_at > ${now} - cast(${REMEMBERED_MS} as bigint)
      order by started_at desc, id desc limit 1
    `;
    const receipt = found ? (JSON.parse(found) as FeedReceipt) : undefined;
    return receipt?.location === location ? receipt : undefined;
  }

  /** Returns the fingerprint of the last run of a sync that was applied. */
  async function lastFingerprint(sync: string): Promise<string | undefined> {
    const found = await cell<string | null>(db)`
      select fingerprint from runs where sync = ${sync} and ${appliesFeed} and status in ('success', 'partial')
      order by started_at desc, id desc limit 1
    `;
    return found ?? undefined;
  }

  /**
   * Whether a run may have work even if the feed is unchanged: a record is undelivered, looks like another item, was delivered
   * without a file that could not be read, or has a file elsewhere, where it may change.
   */
  function isUnsettled(sync: string): Promise<boolean> {
    // A record that is the same as another item is skipped for as long as that item looks like it, and an answer may be taken back.
    return exists(db)`
      select 1 from record_contents as records where sync = ${sync} and (
        ${isNotThrough} and (goal <> 'leave' or ${hasError('FF_RECORD_ALIKE', ...codesAnsweredBy.leave)})
        or cms_id is not null and (
          wanted is null or undelivered_files is not null or item like '%:"url:%' or attachments like '%"is":"location"%'
        )
      )
    `;
  }

  /** Whether a run has found records that their source has withdrawn, and that the site still showed. */
  function hasWithdrawn(run: string): Promise<boolean> {
    return exists(db)`select 1 from rejections where run = ${run} and code = 'FF_RECORD_WITHDRAWN'`;
  }

  /** Makes a run report the findings of an earlier run: its records as unchanged, its rejections, warnings and receipt. */
  async function repeat(run: string, earlier: string, { durationMs }: { durationMs: number }): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await copyFindings(earlier, run, transaction, ({ counts, receipt, ...found }) => {
        const earlierReceipt = JSON.parse(receipt ?? '{}') as FeedReceipt;
        const isHttp = earlierReceipt.status !== undefined;
        const answered = { ...earlierReceipt, ...(isHttp ? { status: 304, bytes: 0 } : {}), durationMs };
        const repeated = unchangedSince(JSON.parse(counts) as RunCounts);
        return { ...found, counts: JSON.stringify(repeated), receipt: JSON.stringify(answered) };
      });
    });
  }
}

/** The hash of a file, or the validators of an HTTP response; undefined for several files or pages: each may change. */
export function validatorsOf({
  status,
  etag,
  lastModified,
  sha256,
  files,
  isPaged,
}: FeedReceipt): FeedValidators | undefined {
  if (status === undefined) return files === undefined && !isPaged ? { sha256 } : undefined;
  if (etag === undefined && lastModified === undefined) return undefined;
  return { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) };
}

type Findings = Pick<RunRow, 'counts' | 'receipt' | 'complete' | 'warnings' | 'fingerprint'>;

/**
 * Makes a run report the findings of another run, with its rejections.
 * @returns its counts
 */
export async function copyFindings(
  from: string,
  to: string,
  transaction: Transaction<LedgerTables>,
  adapt = (found: Findings) => found,
): Promise<RunCounts> {
  const found = await only<Findings>(transaction)`
    select counts, receipt, complete, warnings, fingerprint from runs where id = ${from}
  `;
  const { counts, receipt, complete, warnings, fingerprint } = adapt(found);
  await change(transaction)`
    update runs set counts = ${counts}, receipt = ${receipt}, complete = ${complete}, warnings = ${warnings},
      fingerprint = ${fingerprint}
    where id = ${to}
  `;
  await change(transaction)`
    insert into rejections (run, seq, place, code, reason, key, fields)
    select ${to}, seq, place, code, reason, key, fields from rejections where run = ${from}
  `;
  return JSON.parse(found.counts) as RunCounts;
}

/** The counts of a run with the same feed as an earlier run that delivered everything. */
function unchangedSince({ read, created, updated, unchanged, rejected, skipped, ...rest }: RunCounts): RunCounts {
  // Records that were deleted or marked then are no longer missing.
  const missing = Math.max(0, rest.missing - rest.deleted - rest.marked);
  return { ...zeroCounts(), read, unchanged: created + updated + unchanged, rejected, skipped, missing };
}
