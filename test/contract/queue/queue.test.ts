import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { Queue } from 'bullmq';
import { pino } from 'pino';
import { afterEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import type { DeliveryJob, DeliveryQueue, GiveUp, JobHandler } from '../../../src/core/queue.ts';
import { openBullmqQueue } from '../../../src/queue/bullmq.ts';
import { createLocalQueue } from '../../../src/queue/local.ts';
import { hasEngine, queueEngines, removeQueues } from '../../support/engines.ts';

const log = pino({ level: 'silent' });

/** A queue whose jobs a test need not give up. */
type GivingQueue = Omit<DeliveryQueue, 'work'> & {
  work(handler: JobHandler, giveUp?: GiveUp): ReturnType<DeliveryQueue['work']>;
};

const neverGivesUp: GiveUp = async () => {};

// What every queue owes, in process and on Redis.
describe.each(queueEngines.filter(hasEngine))('Queue %s', (engine) => {
  const opened: DeliveryQueue[] = [];

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((queue) => queue.close()));
  });

  async function openQueue(
    concurrency = 4,
    name = `test-${randomBytes(6).toString('hex')}`,
    mostThrows?: number,
  ): Promise<GivingQueue> {
    const options = { concurrency, log, ...(mostThrows !== undefined && { mostThrows }) };
    const queue =
      engine === 'bullmq'
        ? await openBullmqQueue({ url: inject('redisUrl'), name, ...options })
        : createLocalQueue(options);
    opened.push(queue);
    if (engine === 'bullmq') onTestFinished(() => removeQueues(name));
    return { ...queue, work: (handler, giveUp = neverGivesUp) => queue.work(handler, giveUp) };
  }

  const job = (...keys: string[]): DeliveryJob => ({ run: 'run', sync: 'sync', keys });

  test('Every job reaches the handler, also those added before it started', async () => {
    const queue = await openQueue();
    await queue.add([job('a', 'b'), job('c')]);
    const seen = collector(3);
    await queue.work(async ({ keys }) => {
      seen.push(keys.join());
      return { is: 'done' };
    });
    await queue.add([job('d')]);
    expect((await seen.all).sort()).toEqual(['a,b', 'c', 'd']);
  });

  test('A rescheduled job comes back with the same keys after its pause', async () => {
    const queue = await openQueue();
    const seen = collector(3);
    let isPausing = false;
    const early: boolean[] = [];
    await queue.work(async ({ keys }) => {
      early.push(isPausing);
      isPausing = true;
      setTimeout(() => {
        isPausing = false;
      }, 95);
      seen.push(keys.join());
      return early.length < 3 ? { is: 'again', afterMs: 100 } : { is: 'done' };
    });
    await queue.add([job('a')]);
    expect(await seen.all).toEqual(['a', 'a', 'a']);
    expect(early).toEqual([false, false, false]);
  });

  test('A job is repeated if its handler throws', async () => {
    const queue = await openQueue();
    const seen = collector(2);
    await queue.work(async ({ keys }) => {
      seen.push(keys.join());
      if (seen.count === 1) throw new Error('the ledger is away');
      return { is: 'done' };
    });
    await queue.add([job('a')]);
    expect(await seen.all).toEqual(['a', 'a']);
  });

  test('A job that returns or succeeds between throws is not given up', async () => {
    const queue = await openQueue(1, undefined, 2);
    const given: string[] = [];
    const seen = collector(8);
    await queue.work(
      async ({ keys }) => {
        seen.push(keys.join());
        // Each throw follows a return, so there are never two in a row.
        if ([4, 6].includes(seen.count)) throw new Error(`the ledger is away (${seen.count})`);
        return seen.count < 8 ? { is: 'again', afterMs: 0 } : { is: 'done' };
      },
      async ({ keys }) => given.push(keys.join()),
    );
    await queue.add([job('a')]);
    await seen.all;
    await expect.poll(() => queue.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 });
    expect(given).toEqual([]);
    expect((await queue.state()).failures).toEqual([]);
  });

  test('A job is given up after so many throws in a row, with the last error', async () => {
    const queue = await openQueue(1, undefined, 2);
    const given = collector(1);
    let tries = 0;
    await queue.work(
      async () => {
        tries += 1;
        throw new Error(`broken (${tries})`);
      },
      async ({ keys }, error) => given.push(`${keys.join()}: ${(error as Error).message}`),
    );
    await queue.add([job('a', 'b')]);
    expect(await given.all).toEqual(['a,b: broken (2)']);
    await expect.poll(() => queue.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 });
    expect(tries).toBe(2);
  });

  const overRedis = engine === 'bullmq' ? [engine] : [];

  test.each(overRedis)('A foreign job is discarded at once and reported (%s)', async () => {
    const name = `test-${randomBytes(6).toString('hex')}`;
    const queue = await openQueue(1, name);
    const raw = new Queue(name, { connection: { url: inject('redisUrl') } });
    onTestFinished(() => raw.close());
    const seen = collector(1);
    await raw.add('foreign', { keys: 'all' }, { attempts: 5 });
    await queue.add([job('a')]);
    await queue.work(async ({ keys }) => {
      seen.push(keys.join());
      return { is: 'done' };
    });
    expect(await seen.all).toEqual(['a']);
    const [failed] = await raw.getFailed();
    expect(failed).toMatchObject({ attemptsMade: 1, failedReason: expect.stringContaining('from another version') });
    const { failures } = await queue.state();
    expect(failures).toEqual([{ tries: 1, reason: failed?.failedReason, abandonedAt: failed?.finishedOn }]);
  });

  test.each(overRedis)('Background jobs come after all other waiting jobs (%s)', async () => {
    const queue = await openQueue(1);
    await queue.add([job('late 1'), job('late 2')], { background: true });
    await queue.add([job('a'), job('b')]);
    const seen = collector(4);
    await queue.work(async ({ keys }) => {
      seen.push(keys.join());
      return { is: 'done' };
    });
    expect(await seen.all).toEqual(['a', 'b', 'late 1', 'late 2']);
  });

  test('The queue keeps the limit on jobs in flight', async () => {
    const queue = await openQueue(3);
    const seen = collector(12);
    let inFlight = 0;
    let peak = 0;
    await queue.work(async ({ keys }) => {
      inFlight += 1;
      peak = Math.max(peak, inFlight);
      await new Promise((resolve) => setTimeout(resolve, 15));
      inFlight -= 1;
      seen.push(keys.join());
      return { is: 'done' };
    });
    await queue.add(Array.from({ length: 12 }, (_, index) => job(`k${index}`)));
    await seen.all;
    expect(peak).toBe(3);
  });

  test('A stop signals the job in flight, waits for it, and takes no more jobs', async () => {
    const queue = await openQueue(1);
    const started = collector(1);
    const finished: string[] = [];
    const worker = await queue.work(async ({ keys }, signal) => {
      started.push(keys.join());
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      finished.push(keys.join());
      return { is: 'done' };
    });
    await queue.add([job('a'), job('b')]);
    await started.all;
    await worker.stop();
    expect(finished).toEqual(['a']);
  });

  test('The queue counts waiting, paused and active jobs', async () => {
    const queue = await openQueue(1);
    const started = collector(1);
    const release = Promise.withResolvers<void>();
    await queue.add([job('paused')]);
    const paused = collector(1);
    await queue.work(async ({ keys }) => {
      if (keys[0] === 'paused') {
        paused.push('paused');
        return { is: 'again', afterMs: 60_000 };
      }
      started.push(keys.join());
      await release.promise;
      return { is: 'done' };
    });
    await paused.all;
    await queue.add([job('a'), job('b'), job('c')]);
    await started.all;
    await expect.poll(() => queue.depth()).toEqual({ waiting: 2, delayed: 1, active: 1 });
    release.resolve();
    await expect.poll(() => queue.depth()).toEqual({ waiting: 0, delayed: 1, active: 0 });
  });

  test('The queue knows its oldest waiting job and, if they are shared, its workers', async () => {
    const queue = await openQueue(1);
    expect((await queue.state()).oldestAt).toBeUndefined();
    const before = Date.now();
    await queue.add([job('first')]);
    const between = Date.now() + 5;
    await expect.poll(() => Date.now()).toBeGreaterThan(between);
    await queue.add([job('second')]);
    await queue.add([job('third')], { background: true });
    const { oldestAt, waiting, workers = [] } = await queue.state();
    expect({ waiting, workers }).toEqual({ waiting: 3, workers: [] });
    expect(oldestAt).toBeGreaterThanOrEqual(before);
    expect(oldestAt).toBeLessThanOrEqual(between);

    const taken = collector(3);
    await queue.work(async ({ keys }) => {
      taken.push(keys.join());
      return { is: 'done' };
    });
    await taken.all;
    await expect.poll(async () => (await queue.state()).oldestAt).toBeUndefined();
    const state = await queue.state();
    if (engine === 'in-process') return expect(state).not.toHaveProperty('workers');
    expect(state.workers).toEqual([{ name: `${hostname()}/${process.pid}`, since: expect.any(Number) }]);
  });

  test('The queue knows the jobs whose handler threw, until they succeed', async () => {
    const queue = await openQueue();
    const isMended = Promise.withResolvers<void>();
    let tries = 0;
    await queue.add([job('a', 'b')]);
    const worker = await queue.work(async () => {
      tries += 1;
      if (tries === 2) await isMended.promise;
      if (tries < 3) throw new Error(`the database is locked (${tries})`);
      return { is: 'done' };
    });
    const failureOf = (count: number) => ({
      ...{ job: { sync: 'sync', run: 'run', records: 2 }, tries: count, reason: `the database is locked (${count})` },
    });
    await expect.poll(async () => (await queue.state()).failures).toEqual([failureOf(1)]);
    isMended.resolve();
    await expect.poll(() => tries).toBe(3);
    await expect.poll(async () => (await queue.state()).failures).toEqual([]);
    await worker.stop();
  });
});

test.runIf(hasEngine('bullmq'))('Each of two BullMQ workers keeps the limit on its jobs', async () => {
  const name = `test-${randomBytes(6).toString('hex')}`;
  const queues = await Promise.all(
    [1, 2].map(() => openBullmqQueue({ url: inject('redisUrl'), name, concurrency: 2, log })),
  );
  onTestFinished(async () => {
    await Promise.all(queues.map((queue) => queue.close()));
    await removeQueues(name);
  });
  const seen = collector(10);
  const peaks: number[] = [];
  for (const [index, queue] of queues.entries()) {
    let inFlight = 0;
    const work: JobHandler = async ({ keys }) => {
      inFlight += 1;
      peaks[index] = Math.max(peaks[index] ?? 0, inFlight);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inFlight -= 1;
      seen.push(keys.join());
      return { is: 'done' };
    };
    await queue.work(work, neverGivesUp);
  }
  await queues[0]!.add(Array.from({ length: 10 }, (_, index) => ({ run: 'r', sync: 's', keys: [`k${index}`] })));
  await seen.all;
  expect(peaks).toEqual([2, 2]);
});

test('An unresponsive Redis is a coded error', async () => {
  const opening = openBullmqQueue({ url: 'redis://127.0.0.1:1', name: 'nowhere', concurrency: 1, log });
  await expect(opening).rejects.toMatchObject({ code: 'FF_QUEUE_UNAVAILABLE' });
});

/** Collects values until there are so many. */
function collector(count: number) {
  const values: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string[]>();
  return {
    all: promise,
    get count() {
      return values.length;
    },
    push(value: string) {
      values.push(value);
      if (values.length === count) resolve([...values]);
    },
  };
}
