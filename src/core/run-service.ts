import type { RunResult, RunStatus } from './run.ts';
import type { Schedule } from './schedule.ts';

/** A run as other programs see it. Times are ISO instants. */
export interface RunView extends RunResult {
  /**
   * A `plan` only showed what a `run` would do; a `backfill` is done in runs that are a `slice` of it; the others read no feed.
   */
  kind: 'run' | 'plan' | 'retry' | 'undo' | 'purge' | 'backfill' | 'slice';
  startedAt: string;
  /** Absent while it is under way: until then its counts are of what was read, not of what was delivered. */
  finishedAt?: string;
  /** Why the run as a whole failed or is held. */
  error?: { code: string; message: string; remedy: string };
}

/** State of a sync. Times are ISO instants. */
export interface SyncView {
  sync: string;
  resource: string;
  /** null: it runs only when it is asked to. */
  schedule: Schedule | null;
  /** Id of the run that is under way. */
  underWay: string | null;
  /** null: it has never run. */
  lastRun: { run: string; status: RunStatus; startedAt: string; finishedAt?: string } | null;
  /** When a run of it was last a success; null: never. */
  lastSuccessAt: string | null;
}

/** Starts runs in this process, and reports those of all processes. */
export interface RunService {
  /**
   * Begins a run of a sync, and does not wait for its end. While one is under way it begins none, and answers that one.
   * @throws CodedError FF_SYNC_UNKNOWN, FF_RUN_BUSY while something else than a run is under way, which reads no feed
   */
  begin(sync: string): Promise<{ run: string; started: boolean }>;
  find(run: string): Promise<RunView | undefined>;
  /**
   * The newest first.
   * @throws CodedError FF_SYNC_UNKNOWN
   */
  newest(options: { sync?: string; limit: number }): Promise<RunView[]>;
  syncs(): Promise<SyncView[]>;
}
