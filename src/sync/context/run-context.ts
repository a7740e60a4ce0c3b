import type { CmsClient } from '../../cms/client.ts';
import type { Window } from '../../config/types.ts';
import type { DeliveryQueue } from '../../core/queue.ts';
import type { FeedValidators, SourceReading } from '../../core/source-reading.ts';
import type { NewDeed } from '../../ledger/attempts/deeds.ts';
import type { RunUnderWay } from '../../ledger/runs/run-list.ts';
import type { DeliveryContext } from './delivery-context.ts';

/** Who asks for a run, for the history. */
export type Asked = Omit<NewDeed, 'sync' | 'run'>;

/** What the caller of a run asks for. */
export interface RunRequest {
  signal: AbortSignal;
  /** Absent: a schedule asks for it. */
  asked?: Asked;
  /** Called with the run's id as soon as the run has begun. */
  onBegin?: (run: string) => void;
  onProgress?: (progress: RunProgress) => void;
  /** Called with a run of another kind that has to end first. May throw, instead of waiting for that run. Absent: does not wait. */
  onWait?: (other: RunUnderWay) => void;
}

interface ReadRequest {
  signal: AbortSignal;
  validators?: FeedValidators;
  source?: string;
  window?: Window;
  includesWithdrawn?: boolean;
}

/** Settings, services and request of a run. */
export interface RunContext extends DeliveryContext, RunRequest {
  /** Id of the target before the site moved. */
  formerTargetId?: string;
  /** Hash of everything that decides the plan, except the feed itself. */
  fingerprint: string;
  /** Names of the syncs whose records may look like items of other syncs or editors. */
  allowingAlike: ReadonlySet<string>;
  /** Only shows what a run would do: nothing may remain of it. */
  isPlan?: boolean;
  /** Its deliveries yield to those of other runs that share its workers. */
  background?: boolean;
  queue: DeliveryQueue;
  /** Sends requests even to a paused or stopped CMS, to find out whether it works again. */
  checks: CmsClient;
  /**
   * @param options `source` is the only one of several sources to read, by its name; without it, all are read, best first.
   * `window` replaces the sync's window; an empty window is open
   */
  readSource(options: ReadRequest): SourceReading;
  /** Starts to deliver in this process, unless it delivers already. */
  work(): Promise<unknown>;
  /** Lets this process finish the requests in flight and take no more records. */
  stopWork(): Promise<void>;
  /** Sends alerts and sweeps the ledger, if due. */
  afterRun?(): Promise<void>;
}

export type RunProgress =
  /** `read`: records so far. */
  | { phase: 'reading'; sync: string; read?: number }
  | { phase: 'delivering'; sync: string; settled: number; total: number }
  /** `done`: items that were compared. */
  | { phase: 'verifying'; sync: string; done: number; total: number };
