import type { Schedule } from './dates/schedule.ts';
import type { ReportedKind, RunResult, RunStatus } from './run.ts';

/** A run as the HTTP API shows it. Times are ISO instants. */
export interface RunView extends RunResult {
  kind: ReportedKind;
  startedAt: string;
  /** Absent while the run is under way; until then its counts are of what was read, not of what was delivered. */
  finishedAt?: string;
}

/** State of a sync as the HTTP API shows it. Times are ISO instants. */
export interface SyncView {
  sync: string;
  resource: string;
  /** null: it runs on request only. */
  schedule: Schedule | null;
  /** Id of the run that is under way. */
  underWay: string | null;
  /** null: it has never run. */
  lastRun: { run: string; status: RunStatus; startedAt: string; finishedAt?: string } | null;
  /** When a run of it last ended with success; null: never. */
  lastSuccessAt: string | null;
}

/** Starts runs in this process, and shows the runs of all processes. */
export interface RunService {
  /**
   * Begins a run of a sync without waiting for its end. If one is under way, returns that one instead.
   * @throws CodedError FF_SYNC_UNKNOWN, FF_RUN_BUSY while a run of another kind is under way, such as a retry
   */
  begin(sync: string): Promise<{ run: string; started: boolean }>;
  find(run: string): Promise<RunView | undefined>;
  /**
   * Returns the newest runs, the newest first.
   * @throws CodedError FF_SYNC_UNKNOWN
   */
  newest(options: { sync?: string; limit: number }): Promise<RunView[]>;
  syncs(): Promise<SyncView[]>;
}
