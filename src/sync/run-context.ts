import type { CmsClient } from '../cms/client.ts';
import type { DeliveryQueue } from '../core/queue.ts';
import type { DeliveryContext } from './context.ts';
import type { FeedValidators, SourceReading } from './source.ts';

/** What a run needs besides the delivery itself. */
export interface RunContext extends DeliveryContext {
  queue: DeliveryQueue;
  /** Asks even a CMS that is paused or stopped, to find out whether it is well again. */
  checks: CmsClient;
  readSource(options: { signal: AbortSignal; validators?: FeedValidators }): SourceReading;
  /** What the destination was called before the site moved. */
  formerDestination?: string;
  /** Hash of all that decides what is planned, besides the feed itself. */
  fingerprint: string;
  signal: AbortSignal;
  /** Lets this process finish what it has in flight and take no more. */
  quiesce(): Promise<void>;
  /** Told the id of the run as soon as it has begun. */
  onBegin?: (run: string) => void;
  onProgress?: (progress: RunProgress) => void;
}

export type RunProgress =
  | { phase: 'reading'; sync: string }
  | { phase: 'delivering'; sync: string; settled: number; total: number };
