import pRetry from 'p-retry';
import type { CmsItem } from '../../cms/client.ts';
import { CmsError } from '../../cms/errors.ts';
import { TargetPausedError } from '../../core/gate.ts';
import type { RunContext } from '../context/run-context.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';

/**
 * The item of the CMS with an id; undefined where there is none. A CMS that is unwell or paused is asked again, as often
 * and with such pauses as a delivery would.
 * @throws CmsError; the reason of the signal
 */
export function readLive(id: number, context: RunContext): Promise<CmsItem | undefined> {
  const { sync, target, signal } = context;
  const items = itemsOf(sync.resource, { ...context, call: { signal } });
  return pRetry(() => unlessDeleted<CmsItem>(items.get(id)), {
    retries: target.maxAttempts - 1,
    minTimeout: target.backoffMs,
    maxTimeout: target.maxBackoffMs,
    randomize: true,
    signal,
    shouldRetry: ({ error }) => {
      return error instanceof TargetPausedError || (error instanceof CmsError && error.kind === 'retryable');
    },
  });
}
