import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

const FRESH_MS = 2_000;
const PATIENCE_MS = 3_000;

/** What was read, and how old it is. */
export interface MetricsSource<T> {
  /** undefined: what was asked did not answer. */
  read(): Promise<{ value: T; ageMs: number } | undefined>;
}

/**
 * Asks once for all metrics of a scrape, and for scrapes that come close together. Who does not answer in time is told as
 * absent, so that the other metrics are told nevertheless.
 * @param name of what is asked, for the log
 */
export function createMetricsSource<T>(name: string, ask: () => Promise<T>, log: Logger): MetricsSource<T> {
  let last: { at: number; answer: Promise<T | undefined> } | undefined;
  return {
    async read() {
      if (!last || performance.now() - last.at > FRESH_MS) last = { at: performance.now(), answer: attempt() };
      const { at, answer } = last;
      const value = await answer;
      return value === undefined ? undefined : { value, ageMs: performance.now() - at };
    },
  };

  async function attempt(): Promise<T | undefined> {
    const waiting = new AbortController();
    try {
      return await Promise.race([ask(), tooLate(waiting.signal)]);
    } catch (error) {
      log.warn({ err: error }, `No metrics of the ${name}: it does not answer.`);
      return undefined;
    } finally {
      waiting.abort();
    }
  }
}

async function tooLate(signal: AbortSignal): Promise<never> {
  await sleep(PATIENCE_MS, undefined, { signal, ref: false });
  throw new Error(`No answer within ${PATIENCE_MS} ms.`);
}
