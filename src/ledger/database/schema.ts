import type { Generated, Insertable, Kysely, RawBuilder, Selectable } from 'kysely';
import type { AlertKind } from '../../config/types.ts';
import type { RunCounts } from '../../core/run.ts';

// One row shape for SQLite and PostgreSQL: JSON as text, times as milliseconds since 1970, flags as 0 or 1.

/**
 * A record's life: `pending` is to be delivered, all others are settled. `deleted` was deleted in the CMS by others and
 * stays so; `removed` was deleted there by feedferry, and may come back.
 */
export type RecordStatus = 'pending' | 'delivered' | 'failed' | 'held' | 'deleted' | 'removed';

/**
 * What is done about a record's item; absent: it is brought to what the source has. `delete` it; write the desired
 * attributes and nothing else, since the source has it no more (`mark`) or to undo a change (`restore`).
 */
export type RecordAction = 'delete' | 'mark' | 'restore';

/** What the last delivery of a record came to; null while it is under way. */
export type SettledOutcome = 'created' | 'updated' | 'unchanged' | 'removed' | 'failed' | 'held' | 'skipped';

export interface RecordsTable {
  sync: string;
  key: string;
  resource: string;
  /** Where the source has it. */
  at: string;
  action: RecordAction | null;
  status: RecordStatus;
  outcome: SettledOutcome | null;
  /** The run that last wanted a change of it. */
  run: string;
  /** Desired: last mapped from the source. */
  desired: string;
  attachments: string;
  hash: string;
  /** First and last day of an event, ISO dates. */
  starts_on: string | null;
  ends_on: string | null;
  /** Delivered: last confirmed by the CMS. */
  delivered: string | null;
  delivered_attachments: string | null;
  delivered_hash: string | null;
  delivered_at: number | null;
  cms_id: number | null;
  /** What is remembered of attributes in which an editor's word counts. */
  editable: string | null;
  /** For the create of an account: encrypted, and forgotten once the CMS has the account. */
  password: string | null;
  /** How many files were uploaded for it in its run. */
  uploads: number;
  attempts: number;
  /** What the CMS refused for good: hash of content and of the config that decides how it is sent. */
  refused_hash: string | null;
  /** 1: it never got through, and the source has or wants it no more: it is not tried again by itself. */
  unwanted: number;
  retry_at: number | null;
  error_code: string | null;
  error_reason: string | null;
  /** Fencing token of the worker that acts on it, or did so last, and until when; null: nobody does. */
  claim: string | null;
  claim_holder: string | null;
  claim_until: number | null;
  /** A create may have been sent that nobody has settled. */
  maybe_sent: number;
  /** `maybe_sent` as it was before the present claim. */
  maybe_sent_before: number;
  /** JSON array of what such a create may have carried; null: what is desired now (see doubt.ts). */
  doubted: string | null;
  /** A delete may have been sent that nobody has settled. */
  maybe_removed: number;
  /** The CMS had the item before feedferry knew it. */
  adopted: number;
  /** Since when, and for how many runs in a row, the source has been seen without it. */
  missing_since: number | null;
  missing_runs: number;
  /** What attributes were before they were marked since the source has it no more; null: it bears no mark. */
  marked: string | null;
  /** What the item was before the change that is under way (see before-image.ts). */
  before_image: string | null;
  /** Of an undo: hash of the item as it was seen when that was decided; where it has changed since, it stays (see seen.ts). */
  seen: string | null;
}

export interface StagedTable {
  run: string;
  key: string;
  /**
   * `held`: a create that must not be sent, since the CMS may have the item already; `failed`: a change that must not be
   * sent, since the CMS has refused it before; an action: of a record that the source does not have.
   */
  op: 'create' | 'update' | 'held' | 'failed' | 'unchanged' | 'skipped' | 'rejected' | RecordAction;
  at: string;
  /** The rest only for what is to change, and what is kept back. */
  resource: string | null;
  desired: string | null;
  attachments: string | null;
  hash: string | null;
  starts_on: string | null;
  ends_on: string | null;
  /** JSON array of attribute names. */
  changed: string | null;
  /** The key under which the ledger has it, where the source gave it a new one. */
  previous_key: string | null;
  /** An item that the CMS had before it was known here, and what it has of the desired attributes. */
  cms_id: number | null;
  delivered: string | null;
  delivered_attachments: string | null;
  editable: string | null;
  /** Encrypted. */
  password: string | null;
  /** As in `records`. */
  seen: string | null;
  /** Why it is kept back. */
  error_code: string | null;
  error_reason: string | null;
}

export interface RunsTable {
  id: string;
  sync: string;
  /**
   * A `plan` only shows what a `run` would do; a `backfill` is `planned` until its work is done, which
   * it does in runs of kind `slice`; the others read no feed.
   */
  kind: 'run' | 'plan' | 'retry' | 'undo' | 'purge' | 'backfill' | 'slice';
  /** The backfill that a slice is of. */
  part_of: string | null;
  /** The run that an `undo` takes back. */
  undoes: string | null;
  /** 1: it applies the plan of a held run, and reads no feed itself. */
  approves: Generated<number>;
  status: string;
  /** Where it delivers to. */
  destination: string | null;
  /** Process that leads the run, and until when it is believed alive. */
  holder: string;
  lease_until: number;
  started_at: number;
  finished_at: number | null;
  complete: number;
  counts: string;
  receipt: string | null;
  /** Hash of all that decided what was planned, besides the feed itself. */
  fingerprint: string | null;
  warnings: string;
  error_code: string | null;
  error_message: string | null;
  /** Of a held run whose plan may be approved: hash of the set that it is held for. */
  held_set: string | null;
}

/** A backfill that is not at its end: one a sync. All else that is told of it stands in its row in `runs`. */
export interface BackfillsTable {
  sync: string;
  /** Its id. */
  run: string;
  /** ISO dates, inclusive; null: open. */
  from_day: string | null;
  to_day: string | null;
  /** Null: the feed is not read to its end; else how many records it left to be done. */
  total: number | null;
  /** Process that carries it out, and until when it is believed alive. */
  holder: string;
  lease_until: number;
  /** The slice begun last. */
  slice: string | null;
  /** Until when another run of the sync waits for the end of a slice. */
  turn_until: number | null;
  /** How long processes have been at it, in ms. */
  worked_ms: number;
}

/** What a backfill has read and not done yet: its own list, whatever becomes of the processes that work it off. */
export interface BackfillWorkTable
  extends Pick<StagedTable, 'key' | 'at' | 'starts_on' | 'ends_on' | 'previous_key' | 'password'> {
  backfill: string;
  /** What was decided when it was read; where that is to do nothing, it has a new key. */
  op: 'create' | 'update' | 'failed' | 'unchanged' | 'skipped';
  resource: string;
  desired: string;
  attachments: string;
  hash: string;
  /** 1: a later run has read the record anew. */
  superseded: number;
}

/** How one attempt to deliver a record ended. */
export type DeliveryOutcome = 'created' | 'updated' | 'unchanged' | 'removed' | 'retry' | 'failed' | 'held' | 'deleted';

/** One attempt to deliver a record. */
export interface HistoryTable {
  sync: string;
  key: string;
  /** Counts the attempts of a record. */
  seq: number;
  run: string;
  settled_at: number;
  outcome: DeliveryOutcome;
  /** What was sent for the record itself; null: nothing. */
  method: 'POST' | 'PATCH' | 'DELETE' | null;
  /** JSON array of attribute names. */
  attributes: string | null;
  uploads: number;
  cms_id: number | null;
  /**
   * What the item was before; what feedferry had delivered where that was something else; and what the CMS made of what was
   * sent (see before-image.ts).
   */
  before: string | null;
  replaced: string | null;
  after: string | null;
  error_code: string | null;
  error_reason: string | null;
}

export interface RejectionsTable {
  run: string;
  seq: number;
  at: string;
  code: string;
  reason: string;
  key: string | null;
  fields: string | null;
}

export interface UploadsTable {
  destination: string;
  attribute: string;
  sha256: string;
  src: string;
  uploaded_at: number;
  /** When a source had the content last, to the day. */
  used_at: number;
}

/** A file on another machine, as it was when it was last asked for. */
export interface RemoteFilesTable {
  /** The location itself may carry secrets. */
  location_hash: string;
  etag: string | null;
  last_modified: string | null;
  sha256: string;
  /** When a source had it last, to the day. */
  checked_at: number;
}

/** What all processes know of a destination: one row for each that was ever paused, stopped or paced. */
export interface DestinationsTable {
  destination: string;
  /** Grows with every change of its state. */
  epoch: number;
  /** When the next request may be sent, in microseconds since 1970. */
  next_at: number;
  /** Null: requests flow. */
  paused_until: number | null;
  pause_reason: 'busy' | 'unwell' | null;
  /** Pauses in a row. */
  pauses: number;
  /** Who finds out whether it is well again, and until when. */
  probe_holder: string | null;
  probe_until: number | null;
  resumed_at: number | null;
  /** Hash of the credentials that it refused, and what it said. */
  stopped_for: string | null;
  stop_code: string | null;
  stop_reason: string | null;
}

/** How many requests a process may have in flight. */
export interface PermitsTable {
  destination: string;
  holder: string;
  granted: number;
  wanted: number;
  joined_at: number;
  lease_until: number;
  /** 1: it takes what the others leave. */
  background: number;
}

/** Sums over the runs of a sync that were of one kind and ended alike. */
export interface TalliesTable extends RunCounts {
  sync: string;
  kind: Exclude<RunsTable['kind'], 'plan' | 'slice'>;
  status: string;
  runs: number;
  duration_ms: number;
  last_finished_at: number;
}

/** What somebody is to be told: one row for each sync, kind and way of telling, kept when it is over. */
export interface AlertsTable {
  sync: string;
  kind: AlertKind;
  channel: string;
  /** The last run that gave cause; of a stale sync the last good one, or empty. */
  run: string;
  since: number;
  /** Causes that were not told of yet. */
  untold: number;
  /** Messages about it; 0 again once its end was told. */
  told: number;
  last_told_at: number | null;
  /** Null: it goes on. */
  resolved_at: number | null;
  /** Sendings in a row that failed. */
  attempts: number;
  retry_at: number | null;
  /** Fencing token of the process that is telling it, and until when. */
  claim: string | null;
  claim_until: number | null;
}

/** Work that one process does for all, now and then. */
export interface ChoresTable {
  chore: 'sweep';
  begun_at: number;
}

export interface LedgerTables {
  records: RecordsTable;
  staged: StagedTable;
  runs: RunsTable;
  backfills: BackfillsTable;
  backfill_work: BackfillWorkTable;
  history: HistoryTable;
  rejections: RejectionsTable;
  uploads: UploadsTable;
  destinations: DestinationsTable;
  permits: PermitsTable;
  remote_files: RemoteFilesTable;
  tallies: TalliesTable;
  alerts: AlertsTable;
  chores: ChoresTable;
}

/** The tables, and the database's own clock in ms: leases are judged by one clock, whatever the machines think. */
export interface LedgerDatabase {
  db: Kysely<LedgerTables>;
  now: RawBuilder<number>;
}

export type RecordRow = Selectable<RecordsTable>;
export type StagedRow = Insertable<StagedTable>;
export type RunRow = Selectable<RunsTable>;
export type BackfillWorkRow = Selectable<BackfillWorkTable>;
export type DestinationRow = Selectable<DestinationsTable>;
