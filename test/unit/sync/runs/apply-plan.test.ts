import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SyncConfig, TargetConfig } from '../../../../src/config/types.ts';
import { CodedError } from '../../../../src/core/errors.ts';
import type { DeliveryJob, DeliveryQueue } from '../../../../src/core/queue.ts';
import { systemRuntime } from '../../../../src/core/runtime/runtime.ts';
import { type Ledger, openLedger } from '../../../../src/ledger/ledger.ts';
import { enqueueAndWait } from '../../../../src/sync/runs/apply-plan.ts';
import { temporaryDir } from '../../../support/engines.ts';
import { allJudged } from '../../../support/ledger.ts';

/** A Redis that forgets its jobs: what becomes of the nth time that jobs are added is the test's to say. */
function forgetfulQueue(onAdd: (jobs: readonly DeliveryJob[], time: number) => Promise<void>): DeliveryQueue {
  let times = 0;
  const add = async (jobs: readonly DeliveryJob[]) => {
    await onAdd(jobs, ++times);
    return {};
  };
  return { engine: 'bullmq', add } as Partial<DeliveryQueue> as DeliveryQueue;
}

const target = { concurrency: 8 } as TargetConfig;

/** Other processes deliver. */
const work = async () => {};

async function pendingRecord(ledger: Ledger): Promise<string> {
  const run = await ledger.runs.begin('talks', 'run');
  const row = {
    key: 'T1',
    op: 'create',
    place: 'line 2',
    resource: 'events',
    desired: '{}',
    attachments: '[]',
  } as const;
  await ledger.plans.add([{ run, ...row, hash: 'h', changed: '[]' }]);
  await ledger.plans.apply(run, 'talks', allJudged);
  return run;
}

describe('Records whose jobs Redis has lost', () => {
  afterEach(() => vi.useRealTimers());

  test('Lost records are queued again, also after Redis was unavailable', async () => {
    using dir = temporaryDir();
    const ledger = await openLedger({ dataDir: dir.path });
    const run = await pendingRecord(ledger);
    vi.useFakeTimers({ toFake: ['Date'] });
    const clock = setInterval(() => vi.setSystemTime(Date.now() + 20_000), 30);
    const added: string[][] = [];
    const queue = forgetfulQueue(async (jobs, time) => {
      added.push(jobs.flatMap(({ keys }) => keys));
      if (time === 2) throw new CodedError('FF_QUEUE_UNAVAILABLE', 'Redis is away.');
      if (time < 3) return;
      const [record] = await ledger.records.claim('talks', ['T1'], 60_000);
      const settled = { is: 'created', cmsId: 1, delivered: {}, deliveredAttachments: {} } as const;
      if (record) await ledger.records.settle(record, { ...settled, uploads: 0 });
    });
    const log = pino({ level: 'silent' });
    const warned = vi.spyOn(log, 'warn');
    const sync = { name: 'talks' } as SyncConfig;

    await enqueueAndWait(run, ['T1'], {
      ...{ ledger, queue, work, sync, target, log, runtime: systemRuntime },
      signal: new AbortController().signal,
    });
    clearInterval(clock);
    expect(added).toEqual([['T1'], ['T1'], ['T1']]);
    expect(warned).toHaveBeenCalledOnce();
    expect(await ledger.runs.report(run)).toMatchObject({ counts: { created: 1 } });
    await ledger.close();
  });

  test('A queue that cannot accept the records fails the run', async () => {
    using dir = temporaryDir();
    const ledger = await openLedger({ dataDir: dir.path });
    const run = await pendingRecord(ledger);
    const queue = forgetfulQueue(() => Promise.reject(new CodedError('FF_QUEUE_UNAVAILABLE', 'Redis is away.')));
    const sync = { name: 'talks' } as SyncConfig;
    const context = {
      ...{ ledger, queue, work, sync, target, runtime: systemRuntime, log: pino({ level: 'silent' }) },
      signal: new AbortController().signal,
    };
    await expect(enqueueAndWait(run, ['T1'], context)).rejects.toMatchObject({ code: 'FF_QUEUE_UNAVAILABLE' });
    await ledger.close();
  });
});
