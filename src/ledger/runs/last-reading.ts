import type { FeedReceipt } from '../../core/feed.ts';
import { type RunCounts, zeroCounts } from '../../core/run.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { copyRejections } from './rejections.ts';

/** The last run of a sync, and the validators with which its feed is requested only if it has changed. */
export interface LastRead {
  run: string;
  validators: Pick<FeedReceipt, 'etag' | 'lastModified'>;
}

export function createFeedStore({ db }: LedgerDatabase) {
  return { lastRead, repeat };

  /**
   * Returns the last run of a sync if an unchanged feed would change nothing: it read the whole feed with this fingerprint
   * and validators (RFC 9110, 8.8), and every record was delivered or rejected. Else undefined.
   */
  async function lastRead(sync: string, fingerprint: string): Promise<LastRead | undefined> {
    const row = await db
      .selectFrom('runs')
      .select(['id', 'kind', 'status', 'counts', 'receipt', 'fingerprint'])
      .where('sync', '=', sync)
      // After the other kinds, which have no receipt, the CMS may differ from what the last run read.
      .where('kind', 'in', ['run', 'approve', 'slice', 'undo', 'purge'])
      .where('status', '<>', 'running')
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!row?.receipt || row.fingerprint !== fingerprint) return undefined;
    const { failed, held } = JSON.parse(row.counts) as RunCounts;
    const { complete, etag, lastModified } = JSON.parse(row.receipt) as FeedReceipt;
    const isSettled = ['success', 'partial'].includes(row.status) && failed + held === 0;
    if (!isSettled || !complete || (etag === undefined && lastModified === undefined)) return undefined;
    if (await isUnsettled(sync)) return undefined;
    return {
      run: row.id,
      validators: { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) },
    };
  }

  /**
   * Whether a run may have work even if the feed is unchanged: a record is undelivered, was delivered without a file that
   * could not be read, or has a file on another machine, where it may change.
   */
  async function isUnsettled(sync: string): Promise<boolean> {
    const row = await db
      .selectFrom('records')
      .select('key')
      .where('sync', '=', sync)
      .where(({ or, and, eb }) =>
        or([
          and([
            eb('cms_id', 'is not', null),
            or([eb('delivered_hash', 'is', null), eb('delivered_attachments', 'like', '%"url:%')]),
          ]),
          and([eb('status', 'in', ['pending', 'failed', 'held']), eb('not_retried', '=', 0)]),
        ]),
      )
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Makes a run report what an earlier one found: its records as unchanged, its rejections, warnings and receipt. */
  async function repeat(run: string, earlier: string, { durationMs }: { durationMs: number }): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const { counts, receipt, complete, warnings, fingerprint } = await transaction
        .selectFrom('runs')
        .select(['counts', 'receipt', 'complete', 'warnings', 'fingerprint'])
        .where('id', '=', earlier)
        .executeTakeFirstOrThrow();
      const answered = { ...(JSON.parse(receipt ?? '{}') as FeedReceipt), status: 304, bytes: 0, durationMs };
      await transaction
        .updateTable('runs')
        .set({
          counts: JSON.stringify(unchangedSince(JSON.parse(counts) as RunCounts)),
          receipt: JSON.stringify(answered),
          complete,
          warnings,
          fingerprint,
        })
        .where('id', '=', run)
        .execute();
      await copyRejections(earlier, run, transaction);
    });
  }
}

/** What a run counts whose feed is the one of an earlier run that delivered everything. */
function unchangedSince({ read, created, updated, unchanged, rejected, skipped, ...rest }: RunCounts): RunCounts {
  // What was deleted or marked then is no longer missing.
  const missing = Math.max(0, rest.missing - rest.deleted - rest.marked);
  return { ...zeroCounts(), read, unchanged: created + updated + unchanged, rejected, skipped, missing };
}
