import type { CmsClient } from '../../cms/client.ts';
import type { Window } from '../../config/types.ts';
import type { DeliveryQueue } from '../../core/queue.ts';
import type { RunCounts } from '../../core/run.ts';
import type { FeedValidators, SourceReading } from '../../core/source-reading.ts';
import type { DeliveryContext } from './delivery-context.ts';

/** What a run needs besides the delivery itself. */
export interface RunContext extends DeliveryContext {
  queue: DeliveryQueue;
  /** Asks even a CMS that is paused or stopped, to find out whether it is well again. */
  checks: CmsClient;
  /** @param options `window` instead of the sync's own; an empty one is open */
  readSource(options: { signal: AbortSignal; validators?: FeedValidators; window?: Window }): SourceReading;
  /** What the target was called before the site moved. */
  formerTargetId?: string;
  /** Hash of all that decides what is planned, besides the feed itself. */
  fingerprint: string;
  signal: AbortSignal;
  /** Its deliveries come after those of others. */
  background?: boolean;
  /** Starts delivering in this process, unless it does already. */
  work(): Promise<unknown>;
  /** Lets this process finish the requests in flight and take no more records. */
  stopWork(): Promise<void>;
  /** Sends alerts and sweeps the ledger, if due. */
  afterRun?(): Promise<void>;
  /** Called with the run's id as soon as the run has begun. */
  onBegin?: (run: string) => void;
  onProgress?: (progress: RunProgress) => void;
}

export type RunProgress =
  | { phase: 'reading'; sync: string }
  | { phase: 'delivering'; sync: string; settled: number; total: number }
  /** Another run is under way. */
  | { phase: 'waiting'; sync: string }
  /** `counts` are of all that is done, as of the end of the last slice. */
  | { phase: 'backfilling'; sync: string; done: number; total: number; counts: RunCounts };
