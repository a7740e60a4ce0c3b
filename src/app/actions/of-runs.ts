import { z } from 'zod';
import { CodedError } from '../../core/errors.ts';
import { approveRun, rejectPlan } from '../../sync/runs/approve-run.ts';
import { cancelRun } from '../../sync/runs/cancel-run.ts';
import { undoRun } from '../../sync/undo/undo-run.ts';
import { by, name, ofRun, reason, syncOfRun } from './action.ts';

const decision = z.strictObject({
  set: name.describe('`set` of the plan that was reviewed').optional(),
  reason: reason.optional(),
});

/** What can be done about a run. */
export const actionsOfRuns = {
  undo: ofRun({
    path: '/runs/:run/undo',
    role: 'approve',
    command: 'undo',
    summary: 'Undo the changes of a run, except those that were changed again since',
    done: 'The undo has begun.',
    input: z.strictObject({
      reason: reason.optional(),
      pause: z.boolean().describe('pause the sync, because its next run would make the changes again').optional(),
    }),
    /** @throws CodedError FF_RUN_UNKNOWN, FF_UNDO_NOTHING, also if all changes of the run are undone already, FF_RUN_BUSY */
    async act({ run, reason: why, pause }, { app, actor, begin }) {
      const sync = await syncOfRun(run, app);
      const { undone, undoneBy } = await app.ledger.runs.get(run);
      if (undone) throw new CodedError('FF_UNDO_NOTHING', `${run} is undone already: run ${undoneBy} has done it.`);
      const asked = { deed: 'undo', about: run, reason: why } as const;
      return begin(sync, asked, async (context) => {
        let paused: Promise<unknown> | undefined;
        const onBegin = (id: string) => {
          context.onBegin?.(id);
          // Before the undo ends: a run may be waiting for that.
          const pausing = { ...by(actor), reason: why ?? `Run ${run} was undone.` };
          if (pause) paused = app.ledger.pauses.pause(sync.name, pausing);
        };
        return undoRun(run, { ...context, onBegin }).finally(() => paused);
      });
    },
  }),
  approve: ofRun({
    path: '/runs/:run/approve',
    role: 'approve',
    command: 'approve',
    summary: 'Apply the plan of a held run, if it still is the set that was reviewed',
    done: 'Approved: the plan is being applied.',
    input: decision,
    needs: ['set', 'reason'],
    /** @throws CodedError FF_RUN_UNKNOWN, FF_APPROVE_NOT_HELD, FF_APPROVE_STALE if the plan now has other changes, FF_RUN_BUSY */
    async act({ run, set, reason: why }, { app, begin }) {
      const asked = { deed: 'approve', about: run, reason: why } as const;
      return begin(await syncOfRun(run, app), asked, (context) => approveRun(run, context, set));
    },
  }),
  reject: ofRun({
    path: '/runs/:run/reject',
    role: 'approve',
    command: 'reject',
    summary: 'Drop the plan of a held run; nothing of it is applied',
    done: 'Rejected: nothing of the plan is applied.',
    input: decision,
    needs: ['set', 'reason'],
    response: z.object({ run: z.string(), sync: z.string() }),
    /** Throws as `approve` does. */
    async act({ run, set, reason: why }, { app, actor }) {
      const sync = await syncOfRun(run, app);
      const asked = { deed: 'reject', reason: why, ...by(actor) } as const;
      await rejectPlan(run, set, app.contextOf(sync, { signal: new AbortController().signal, asked }));
      return { run, sync: sync.name };
    },
  }),
  cancel: ofRun({
    path: '/runs/:run/cancel',
    role: 'operate',
    command: 'cancel',
    summary: 'Cancel a run: requests in flight end, and what was not sent waits for the next run',
    done: 'The run is cancelled.',
    input: z.strictObject({ reason: reason.optional() }),
    response: z.object({
      run: z.string(),
      sync: z.string(),
      ended: z.boolean().describe('false: requests in flight are still to end'),
    }),
    /** @throws CodedError FF_RUN_UNKNOWN, FF_NOTHING_TO_DO if the run has ended */
    async act({ run, reason: why }, { app: { ledger }, actor }) {
      const { sync, finishedAt } = await cancelRun(run, { ...by(actor), reason: why }, ledger);
      return { run, sync, ended: finishedAt !== undefined };
    },
  }),
};
