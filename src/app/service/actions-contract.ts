/** Who acts, for the history. */
export interface Actor {
  /** The name given at log-in, or the user of the machine. */
  name: string;
  via: 'console' | 'api' | 'cli';
}

/** An action has begun a run, or joined one that was in progress. */
export interface Begun {
  run: string;
  started: boolean;
}

/**
 * What people and programs do. Each begins a run, notes who asked for it, and returns its id without waiting for its end.
 * Each throws CodedError FF_SYNC_UNKNOWN, FF_RUN_UNKNOWN, FF_RUN_BUSY.
 */
export interface Actions {
  begin(sync: string, actor: Actor): Promise<Begun>;
  /** @param keys absent: all undelivered records */
  retry(sync: string, keys: readonly string[] | undefined, actor: Actor): Promise<Begun>;
  /** @throws CodedError FF_APPROVE_NOT_HELD, FF_APPROVE_STALE if the plan is no longer this set */
  approve(run: string, decision: { set: string; reason: string }, actor: Actor): Promise<Begun>;
  /** Drops a held plan; nothing of it is applied. Throws as `approve` does. */
  reject(run: string, decision: { set: string; reason: string }, actor: Actor): Promise<void>;
  /** @throws CodedError FF_UNDO_NOTHING */
  undo(run: string, reason: string | undefined, actor: Actor): Promise<Begun>;
  /** @throws CodedError FF_RECORD_UNKNOWN */
  adopt(sync: string, key: string, cmsId: number, actor: Actor): Promise<Begun>;
  /** Deletes all items of a sync, also of one that only the ledger still has. */
  purge(sync: string, actor: Actor): Promise<Begun>;
}
