import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { sharedFor } from '../core/runtime/shared-answer.ts';

const FRESH_MS = 2_000;
const PATIENCE_MS = 3_000;

/**
 * Queries a part once for all metrics of a scrape, and for scrapes shortly after. If the part does not respond in time, the
 * other metrics are still reported.
 * @param name of the part, for the log
 */
export function createMetricsSource<T>(name: string, query: () => Promise<T>, log: Logger) {
  /** Returns undefined if the part did not respond. */
  return { read: sharedFor(FRESH_MS, attempt) };

  async function attempt(): Promise<T | undefined> {
    try {
      return await inTime(query());
    } catch (error) {
      log.warn({ err: error }, `No metrics from the ${name}: it does not respond.`);
      return undefined;
    }
  }
}

/** Rejects if the response does not arrive within three seconds. */
export function inTime<T>(response: Promise<T>): Promise<T> {
  return Promise.race([response, tooLate()]);
}

async function tooLate(): Promise<never> {
  await sleep(PATIENCE_MS, undefined, { ref: false });
  throw new Error(`No response within ${PATIENCE_MS} ms.`);
}
