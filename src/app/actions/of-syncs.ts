import { z } from 'zod';
import { syncNamed, withBroken } from '../../config/select.ts';
import { isIsoDate } from '../../core/dates/iso-date.ts';
import { CodedError, type ErrorCode } from '../../core/errors.ts';
import type { RunUnderWay } from '../../ledger/runs/run-list.ts';
import { resumeSync } from '../../sync/runs/pause-sync.ts';
import { purgeRun } from '../../sync/runs/purge-run.ts';
import { releaseRun } from '../../sync/runs/release-run.ts';
import { syncRun } from '../../sync/runs/sync-run.ts';
import { healRun } from '../../sync/verify/heal-run.ts';
import { verifySyncs } from '../../sync/verify/verify-syncs.ts';
import { begun, by, name, nothing, ofItself, ofSync, reason, syncOrOrphan } from './action.ts';
import { runOnce } from './join-run.ts';

const day = z.string().refine(isIsoDate, {
  error: ({ input }) => `"${input}" is not a calendar date such as 2026-03-01.`,
});

/** What can be done about a sync. */
export const actionsOfSyncs = {
  start: ofSync({
    path: '/runs',
    role: 'operate',
    command: 'sync',
    summary: 'Start a run of a sync',
    done: 'The run has begun.',
    input: z.strictObject({ sync: name }),
    response: begun.extend({ sync: z.string() }),
    /**
     * Runs a sync, or joins its run if one is in progress.
     * @throws CodedError FF_SYNC_UNKNOWN, FF_SYNC_PAUSED, FF_RUN_BUSY while a run of another kind is in progress, such as a retry;
     *   ConfigError if the file of the sync has mistakes
     */
    async act({ sync }, { app, begin }) {
      const known = syncNamed(sync, app.config);
      const { run, started } = await begin(known, { deed: 'run' }, async (context, request) => {
        const given = { ledger: app.ledger, contextOf: () => context };
        const joined = await runOnce(given, known, { ...request, askedAt: Date.now(), onWait: refuse });
        return joined.is === 'ours' ? joined.report : joined;
      });
      return { run, sync, started };
    },
  }),
  backfill: ofSync({
    path: '/syncs/:sync/backfill',
    role: 'operate',
    command: 'backfill',
    summary: 'Import a range of dates once; what other days have stays as it is',
    done: 'The import has begun.',
    input: z
      .strictObject({
        from: day.describe('first day, such as 2019-01-01 (default: no limit)').optional(),
        to: day.describe('last day (default: no limit)').optional(),
      })
      .refine(({ from = '', to }) => to === undefined || from <= to, {
        error: ({ input }) => {
          const { from, to } = input as { from: string; to: string };
          return `The first day, ${from}, is after the last one, ${to}.`;
        },
      }),
    /** @throws CodedError FF_SYNC_UNKNOWN, FF_SYNC_PAUSED, FF_USAGE for accounts, FF_RUN_BUSY */
    async act({ sync, from, to }, { app, begin }) {
      const known = syncNamed(sync, app.config);
      if (known.resource === 'accounts' && (from ?? to) !== undefined) {
        throw new CodedError(
          'FF_USAGE',
          `"${sync}" syncs accounts, which have no dates. Leave out the first and the last day.`,
        );
      }
      return begin(known, { deed: 'run' }, (context) => syncRun(context, { from, to }));
    },
  }),
  verify: ofSync({
    path: '/syncs/:sync/verification',
    role: 'operate',
    command: 'verify',
    summary: 'Verify a sync in the background: compare the CMS with what was delivered, without writing to it',
    done: 'The verification has begun.',
    input: nothing,
    response: ofItself,
    /** @throws CodedError FF_SYNC_UNKNOWN */
    async act({ sync }, { app, inBackground }) {
      inBackground(syncNamed(sync, app.config), (context) => verifySyncs([context]));
      return { sync };
    },
  }),
  repair: ofSync({
    path: '/syncs/:sync/repair',
    role: 'operate',
    command: 'verify',
    summary: 'Verify a sync, and plan the repair of what differs; the plan is held until it is approved',
    done: 'The repair is planned, and waits for a decision.',
    input: nothing,
    /** @throws CodedError FF_SYNC_UNKNOWN, FF_NOTHING_TO_DO, FF_RUN_BUSY, or why the sync could not be verified */
    async act({ sync }, { app, begin }) {
      const asked = { deed: 'retry', reason: 'repair of what differs in the CMS' } as const;
      return begin(syncNamed(sync, app.config), asked, async (context) => {
        const [verified] = await verifySyncs([context]);
        const error = verified?.result.error;
        if (error) throw new CodedError(error.code as ErrorCode, error.message);
        return verified && healRun(verified, { isReviewed: true });
      });
    },
  }),
  purge: ofSync({
    path: '/syncs/:sync/purge',
    role: 'approve',
    command: 'purge',
    summary: 'Delete every item that a sync created, also if its file no longer exists',
    done: 'The deletion has begun.',
    input: z.strictObject({ reason: reason.optional() }),
    needs: ['reason'],
    confirms: true,
    /** @throws CodedError FF_SYNC_UNKNOWN, FF_NOTHING_TO_DO, FF_RUN_BUSY */
    async act({ sync, reason: why }, { app, begin }) {
      return begin(await syncOrOrphan(sync, app), { deed: 'purge', reason: why }, purgeRun);
    },
  }),
  release: ofSync({
    path: '/syncs/:sync/release',
    role: 'approve',
    command: 'release',
    summary: 'Forget the records of a sync; its items stay in the CMS, unmanaged',
    done: 'The records are being forgotten.',
    input: z.strictObject({ reason: reason.optional() }),
    needs: ['reason'],
    confirms: true,
    /** @throws CodedError FF_SYNC_UNKNOWN, FF_RUN_BUSY */
    async act({ sync, reason: why }, { app, begin }) {
      return begin(await syncOrOrphan(sync, app), { deed: 'release', reason: why }, releaseRun);
    },
  }),
  pause: ofSync({
    path: '/syncs/:sync/pause',
    role: 'operate',
    command: 'pause',
    summary: 'Pause a sync: no run of it begins until it is resumed',
    done: 'Paused: no run begins until the sync is resumed.',
    input: z.strictObject({ reason }),
    response: ofItself.extend({ by: z.string(), via: z.string(), since: z.iso.datetime(), reason: z.string() }),
    leadsTo: '/syncs/:sync',
    /**
     * No run reads the feed until the sync is resumed. A run in progress continues.
     * @throws CodedError FF_SYNC_UNKNOWN
     */
    async act({ sync, reason: why }, { app: { config, ledger }, actor }) {
      syncNamed(sync, withBroken(config));
      return { sync, ...(await ledger.pauses.pause(sync, { ...by(actor), reason: why })) };
    },
  }),
  resume: ofSync({
    path: '/syncs/:sync/resume',
    role: 'operate',
    command: 'resume',
    summary: 'Resume a paused sync',
    done: 'Resumed.',
    input: nothing,
    response: ofItself,
    leadsTo: '/syncs/:sync',
    /** @throws CodedError FF_SYNC_UNKNOWN, FF_NOTHING_TO_DO if it is not paused */
    async act({ sync }, { app: { config, ledger }, actor }) {
      if (await resumeSync(syncNamed(sync, withBroken(config)), by(actor), ledger)) return { sync };
      throw new CodedError('FF_NOTHING_TO_DO', `"${sync}" is not paused.`);
    },
  }),
};

/** Rejects a request instead of waiting for the other run; the client can repeat the request. */
function refuse({ sync, run, kind }: RunUnderWay): never {
  throw new CodedError('FF_RUN_BUSY', `The ${kind} ${run} of "${sync}" is in progress.`);
}
