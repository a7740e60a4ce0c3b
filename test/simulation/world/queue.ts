import type { DeliveryJob, DeliveryQueue, JobHandler, QueueWorker } from '../../../src/core/queue.ts';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

/** How the queue treats jobs: shares of them, and the longest delay in ms. */
export interface QueueTemper {
  lost: number;
  doubled: number;
  delayMs: number;
}

const JOBS_AT_ONCE = 3;
const STALLED_AFTER_MS = 10_000;
const SHORTEST_PAUSE_MS = 20;

interface Worker {
  machine: Machine;
  handler: JobHandler;
  stopping: AbortController;
  active: Set<Promise<unknown>>;
}

/** A queue that all processes share, worse than any real one: it loses, doubles, delays and reorders jobs. */
export type SharedQueue = ReturnType<typeof createSharedQueue>;

export function createSharedQueue(world: World) {
  const { chance } = world;
  const workers = new Set<Worker>();
  const waiting: DeliveryJob[] = [];
  let temper: QueueTemper = { lost: 0, doubled: 0, delayMs: 0 };
  return {
    queueOf,
    setTemper(next: QueueTemper) {
      temper = next;
    },
    /** Loses everything, as a Redis does that starts without its data. */
    lose() {
      waiting.length = 0;
    },
  };

  function queueOf(machine: Machine): DeliveryQueue {
    return {
      engine: 'bullmq',
      add: async (jobs) => {
        await machine.step(chance.real(), () => {
          for (const job of jobs) enqueue(job);
        });
        return {};
      },
      work: async (handler) => startWorker(machine, handler),
      depth: async () => ({ waiting: waiting.length, delayed: 0, active: 0 }),
      state: async () => ({ waiting: waiting.length, delayed: 0, active: 0, failures: [] }),
      close: async () => {},
    };
  }

  function enqueue(job: DeliveryJob): void {
    if (chance.chance(temper.lost)) return;
    const copies = chance.chance(temper.doubled) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) later(chance.real() * temper.delayMs, job);
  }

  function later(ms: number, job: DeliveryJob): void {
    world.in(ms, () => {
      waiting.push(job);
      handOut();
    });
  }

  function handOut(): void {
    while (waiting.length > 0) {
      const free = [...workers].filter(({ machine, active }) => machine.isAlive() && active.size < JOBS_AT_ONCE);
      if (free.length === 0) return;
      const [job] = waiting.splice(chance.below(waiting.length), 1);
      if (job) take(chance.pick(free), job);
    }
  }

  function take(worker: Worker, job: DeliveryJob): void {
    const { machine, handler, stopping, active } = worker;
    const { promise, resolve } = Promise.withResolvers<void>();
    active.add(promise);
    machine.onKill.push(() => world.in(STALLED_AFTER_MS, () => active.has(promise) && later(0, job)));
    const end = (againAfterMs?: number) => {
      active.delete(promise);
      resolve();
      if (againAfterMs !== undefined) later(Math.max(SHORTEST_PAUSE_MS, againAfterMs), job);
      handOut();
    };
    machine.resume(() => {
      handler(structuredClone(job), stopping.signal).then(
        (result) => end(result.is === 'again' ? result.afterMs : undefined),
        () => end(1_000),
      );
    });
  }

  function startWorker(machine: Machine, handler: JobHandler): QueueWorker {
    const worker: Worker = { machine, handler, stopping: new AbortController(), active: new Set() };
    workers.add(worker);
    machine.onKill.push(() => workers.delete(worker));
    handOut();
    return {
      async stop() {
        workers.delete(worker);
        worker.stopping.abort();
        await Promise.all(worker.active);
      },
    };
  }
}
