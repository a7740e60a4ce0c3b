import { CodedError } from '../../../src/core/errors.ts';
import type { Payload, Resource } from '../../../src/core/record.ts';
import { createItem } from '../../../src/sandbox/items.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/options.ts';
import { type SandboxParts, startExtended } from '../../../src/sandbox/start.ts';
import { bendWrites } from './bend-writes.ts';
import { movableClock } from './clock.ts';
import { controlRoutes } from './control.ts';
import type { Exchange } from './exchange.ts';
import { type FaultPlanInput, faultDice, faultPlanSchema } from './faults.ts';
import { exchangeJournal, type JournalFilter } from './journal.ts';
import { exchangeRecorder } from './record-exchanges.ts';
import { type CmsSnapshot, restoreSnapshot, takeSnapshot } from './snapshot.ts';
import { countRequests, counters as startCounters, type TestCmsStats } from './stats.ts';
import { strikeFaults } from './strike-faults.ts';

export interface TestCmsOptions extends SandboxOptions {
  /** Faults from the start. */
  faults?: FaultPlanInput;
  /** Called after each request under /api/v1, once its response has left or its connection has broken. */
  onExchange?: (exchange: Exchange) => void;
}

/** A sandbox with faults, a journal of what it received, counters, and a clock that can be set. */
export interface TestCms extends Sandbox {
  /** Replaces all faults; without a plan, removes them. */
  setFaults(plan?: FaultPlanInput): void;
  /** Counts of requests and responses since the start, or since the counters were last cleared. */
  stats(): TestCmsStats;
  clearStats(): void;
  /** The latest exchanges, in the order in which they arrived. */
  journal(filter?: JournalFilter): Exchange[];
  clearJournal(): void;
  /** Sets the clock, which runs on from there; without a moment, resets it. */
  setNow(moment?: Date | number | string): void;
  /** Creates items as requests do, and returns their ids. */
  create(resource: Resource, items: Payload[]): number[];
  /** All items and files. */
  snapshot(): CmsSnapshot;
  /** Replaces all items and files by those of a snapshot. */
  restore(snapshot: CmsSnapshot): void;
}

/** Starts the CMS of a test: a sandbox that takes any custom attribute by default, with a control endpoint under /_sandbox. */
export async function startTestCms({ faults: plan, onExchange, ...options }: TestCmsOptions = {}): Promise<TestCms> {
  const closing = new AbortController();
  const faults = faultDice(faultPlanSchema.parse(plan ?? {}), closing.signal);
  const counters = startCounters();
  const clock = movableClock(options.now ?? Date.now);
  const journal = exchangeJournal();
  let parts: SandboxParts | undefined;

  const sandbox = await startExtended(
    { ...options, switches: { attributes: ['any'], ...options.switches }, now: clock.now },
    (given) => {
      parts = given;
      const kinds = [given.events, given.accounts];
      const recorder = exchangeRecorder({ kinds, now: clock.now, onExchange: keepExchange });
      return {
        api(api) {
          recorder.beginWith(api);
          countRequests(api, counters);
          strikeFaults(api, faults, closing.signal, (request, struck) => {
            counters.strike();
            recorder.strike(request, struck);
          });
          bendWrites(api, given);
          recorder.endWith(api);
        },
        site: async (site) => {
          await site.register(controlRoutes, { prefix: '/_sandbox', faults, counters, journal, clock, parts: given });
        },
      };
    },
  );

  function keepExchange(exchange: Exchange): void {
    journal.keep(exchange);
    try {
      onExchange?.(exchange);
    } catch (error) {
      if (!options.onError) throw error;
      options.onError(error);
    }
  }

  function started(): SandboxParts {
    if (!parts) throw new CodedError('FF_BUG', 'The sandbox has not been extended.');
    return parts;
  }

  function close(): Promise<void> {
    closing.abort();
    return sandbox.close();
  }

  return {
    ...sandbox,
    setFaults: (next = {}) => faults.set(faultPlanSchema.parse(next)),
    stats: counters.read,
    clearStats: counters.clear,
    journal: journal.read,
    clearJournal: journal.clear,
    setNow: clock.set,
    create: (resource, items) => items.map((item) => createItem(started()[resource], item, '').id),
    snapshot: () => takeSnapshot(started()),
    restore: (snapshot) => restoreSnapshot(started(), snapshot),
    close,
    [Symbol.asyncDispose]: close,
  };
}
