import type {
  CompiledQuery,
  Generated,
  Insertable,
  Kysely,
  Nullable,
  RawBuilder,
  Selectable,
  Transaction,
} from 'kysely';
import type { AlertKind } from '../../config/types.ts';
import type { ErrorCode, RecordAnswer } from '../../core/errors.ts';
import type { RecordStatus, Resource } from '../../core/record.ts';
import type { CountName, ReportedKind, RunKind, RunStatus } from '../../core/run.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { SearchTerm } from '../../core/text/search-terms.ts';
import type { ForRows } from './for-rows.ts';

// The types of the tables. The first migration explains each column.

/** What is done with a record's item instead of delivering the content of the source. */
export type RecordAction = 'delete' | 'mark' | 'restore';

/** What is wanted of a record (see the column of the table). */
export type RecordGoal = 'have' | 'leave' | RecordAction;

/** What is known of the item of a record. Docs: development/delivery-protocol.md */
export type Knowledge = 'none' | 'refused' | 'maybe' | 'found' | 'known' | 'maybeGone';

/** What the CMS may have of a call that is not confirmed (see the column of the table). */
export type Doubt = 'sent' | 'refused' | 'elsewhere';

/** Result of one attempt to deliver a record. */
export type DeliveryOutcome = 'created' | 'updated' | 'unchanged' | 'removed' | 'retry' | 'failed' | 'held' | 'deleted';

export interface RecordsTable {
  id: Generated<number>;
  sync: string;
  key: string;
  resource: Resource;
  place: string;
  wanted: number | null;
  starts_on: string | null;
  ends_on: string | null;
  goal: RecordGoal;
  expects: string | null;
  status: RecordStatus;
  run: string;
  knows: Knowledge;
  cms_id: number | null;
  has: number | null;
  delivered_at: number | null;
  item: string | null;
  ended_claim: string | null;
  quiet_since: number | null;
  attempts: number;
  retry_at: number | null;
  error: string | null;
  missing_since: number | null;
  missing_runs: number;
  source_hash: string | null;
  undelivered_files: string | null;
}

/** What a record wants of its item. */
export interface ContentsTable {
  id: Generated<number>;
  payload: string;
  attachments: string;
  hash: string | null;
  series: string | null;
  slot: string | null;
  given_by: string | null;
  days: string | null;
}

export interface PasswordsTable {
  /** Id of the record. */
  record: number;
  sealed: string;
}

/** The view of the records with their contents and passwords. */
export interface RecordContents
  extends RecordsTable,
    Pick<ContentsTable, 'attachments' | 'hash' | 'series' | 'slot' | 'given_by' | 'days'> {
  password: string | null;
  desired: string;
  /** Without what the column `item` says. */
  delivered: string | null;
}

type StagedColumn =
  | ('key' | 'place' | 'starts_on' | 'ends_on' | 'expects' | 'error')
  | ('cms_id' | 'wanted' | 'has' | 'item' | 'source_hash');

export interface StagedChangesTable extends Pick<RecordsTable, StagedColumn> {
  run: string;
  op: 'create' | 'update' | 'held' | 'failed' | 'unchanged' | 'skipped' | 'rejected' | RecordAction;
  resource: Resource | null;
  hash: string | null;
  password: string | null;
  changed: string | null;
  previous_key: string | null;
  read_hash: string | null;
  retries_files: 'only' | 'also' | null;
  asked_about: number | null;
  asked_hash: string | null;
}

/** The view of the rows of plans with their contents. */
export interface StagedContents
  extends StagedChangesTable,
    Nullable<Pick<ContentsTable, 'attachments' | 'series' | 'slot' | 'given_by' | 'days'>> {
  desired: string | null;
  delivered: string | null;
}

export interface RunsTable {
  id: string;
  sync: string;
  kind: RunKind;
  undoes: string | null;
  undone_by: string | null;
  undone_partly: 0 | 1 | null;
  status: RunStatus;
  target: string | null;
  holder: string;
  lease_until: number;
  started_at: number;
  finished_at: number | null;
  complete: number;
  counts: string;
  receipt: string | null;
  fingerprint: string | null;
  warnings: string;
  error_code: ErrorCode | null;
  error_message: string | null;
  held_set: string | null;
  shares: string | null;
  without_files: number | null;
  succeeded: Generated<number>;
  cancelled: string | null;
  asked_by: string | null;
  asked_via: DeedsTable['via'] | null;
}

export interface ClaimsTable {
  token: string;
  sync: string;
  run: string;
  holder: string;
  until: number;
  holds: string;
  creates: string;
}

export interface FormerKeysTable {
  /** Id of the record. */
  record: number;
  key: string;
  no: number;
}

export interface QuestionsTable {
  /** Id of the record that waits. */
  record: number;
  /** Id of the record that it may be; its own: what had its key before, or an item. */
  other: number;
  kind: 'key' | 'item' | 'review';
  about_hash: string;
  run: string;
  asked_at: number;
  answer: RecordAnswer | null;
  person: string | null;
  answered_at: number | null;
  note: string | null;
}

export interface AttemptsTable {
  /** Id of the record. */
  record: number;
  seq: number;
  run: string;
  claim_token: string | null;
  method: 'POST' | 'PATCH' | 'DELETE' | null;
  begun_at: number;
  doubt: Doubt | null;
  body: string | null;
  settled_at: number | null;
  outcome: DeliveryOutcome | null;
  attributes: string | null;
  upload_count: number;
  cms_id: number | null;
  before: string | null;
  replaced: string | null;
  after: string | null;
  error_code: ErrorCode | null;
  error_reason: string | null;
}

export interface RejectionsTable {
  run: string;
  seq: number;
  place: string;
  code: ErrorCode;
  reason: string;
  key: string | null;
  fields: string | null;
}

export interface UploadsTable {
  target: string;
  attribute: string;
  sha256: string;
  src: string;
  uploaded_at: number;
  used_at: number;
}

export interface RemoteFilesTable {
  location_hash: string;
  etag: string | null;
  last_modified: string | null;
  sha256: string;
  facts: string | null;
  checked_at: number;
}

export interface TargetsTable {
  target: string;
  epoch: number;
  paused_until: number | null;
  paused_for: number | null;
  pause_reason: 'busy' | 'unwell' | null;
  pauses: number;
  probe_holder: string | null;
  probe_until: number | null;
  resumed_at: number | null;
  stopped_credentials_hash: string | null;
  stop_code: ErrorCode | null;
  stop_reason: string | null;
  permits: Generated<string>;
  pace: string | null;
}

export interface HabitsTable {
  target: string;
  resource: Resource;
  attribute: string;
  habit: 'rewritten' | 'ignored' | 'replaces';
  seen_at: number;
}

export interface RunTotalsTable extends Record<CountName, number> {
  sync: string;
  kind: Exclude<ReportedKind, 'plan'>;
  status: RunStatus;
  runs: number;
  duration_ms: number;
  last_finished_at: number;
  last_success_at: number | null;
}

export interface AlertsTable {
  sync: string;
  kind: AlertKind;
  channel: string;
  run: string;
  since: number;
  pending_count: number;
  sent_count: number;
  last_sent_at: number | null;
  resolved_at: number | null;
  attempts: number;
  retry_at: number | null;
  claim_token: string | null;
  claim_until: number | null;
  reported: string | null;
}

export interface SendingsTable {
  sync: string;
  channel: string;
  sent_at: number | null;
  tested_at: number | null;
  failed_at: number | null;
  failure: string | null;
}

export interface VerificationsTable {
  sync: string;
  id: string;
  began_at: number;
  drift: number | null;
  summary: string | null;
  ended_at: number | null;
  result: string | null;
  found_at: number | null;
  asked_by: string | null;
}

export interface DifferencesTable {
  sync: string;
  seq: number;
  /** Id of the record. */
  record: number;
  cause: string;
  cms_id: number | null;
  attributes: string;
  detail: string;
}

export interface DeedsTable {
  run: string | null;
  deed:
    | ('run' | 'retry' | 'approve' | 'reject' | 'undo' | 'adopt' | 'purge' | 'release')
    | ('pause' | 'resume' | 'cancel' | 'edit');
  sync: string;
  done_at: number;
  doer: string;
  via: 'console' | 'api' | 'cli';
  about: string | null;
  reason: string | null;
  patch: string | null;
  former: string | null;
}

export interface SchedulersTable {
  holder: string;
  started_at: number;
  seen_at: number;
  ended_at: number | null;
}

export interface PausesTable {
  sync: string;
  paused_at: number;
  person: string;
  via: 'console' | 'api' | 'cli';
  reason: string;
}

export interface AnswersTable {
  sync: string;
  about: string;
  answer: RecordAnswer;
  person: string;
  answered_at: number;
  note: string | null;
}

export interface AcknowledgementsTable {
  kind: 'rejected' | 'withoutFile' | 'differs';
  record: number | null;
  sync: string | null;
  reject: string | null;
  about_hash: string;
  person: string;
  answered_at: number;
  used_at: number;
  note: string | null;
}

export interface MembersTable
  extends Pick<
    RecordContents,
    'sync' | 'key' | 'place' | 'source_hash' | 'attachments' | 'starts_on' | 'ends_on' | 'series' | 'slot'
  > {
  source: string;
  cluster: string | null;
  covered_in: string | null;
  payload: string;
  event_hash: string;
  repeats: 0 | 1;
  read_in: string;
  read_no: number;
  read_hash: string | null;
  astray_no: number | null;
  state: 'rejected' | 'duplicate' | 'deleted' | 'withdrawn' | null;
}

export interface ReadingsTable {
  sync: string;
  source: string;
  run: string;
  read_at: number;
  fingerprint: string;
  receipt: string;
  records: number;
  rejected: number;
  warnings: number;
  begun_no: number;
  whole_no: number;
  whole_receipt: string | null;
  wholes: string;
  error_code: ErrorCode | null;
  error_message: string | null;
}

export interface SessionsTable {
  id_hash: string;
  mark: string;
  name: string | null;
  until: number;
}

export interface VisitsTable {
  person: string;
  since: number | null;
  seen_at: number;
}

export interface HousekeepingTable {
  /** 'sweep', or 'ask' and the site that is asked. */
  task: string;
  begun_at: number;
}

export interface LedgerTables {
  contents: ContentsTable;
  records: RecordsTable;
  passwords: PasswordsTable;
  record_contents: RecordContents;
  claims: ClaimsTable;
  staged_changes: StagedChangesTable;
  staged_contents: StagedContents;
  runs: RunsTable;
  attempts: AttemptsTable;
  rejections: RejectionsTable;
  uploads: UploadsTable;
  remote_files: RemoteFilesTable;
  targets: TargetsTable;
  habits: HabitsTable;
  run_totals: RunTotalsTable;
  alerts: AlertsTable;
  sendings: SendingsTable;
  verifications: VerificationsTable;
  differences: DifferencesTable;
  deeds: DeedsTable;
  pauses: PausesTable;
  schedulers: SchedulersTable;
  answers: AnswersTable;
  acknowledgements: AcknowledgementsTable;
  members: MembersTable;
  readings: ReadingsTable;
  former_keys: FormerKeysTable;
  questions: QuestionsTable;
  sessions: SessionsTable;
  visits: VisitsTable;
  housekeeping: HousekeepingTable;
}

/** Finds records by their words: returns the ids of those that have all terms and follow `after`, the first in the order of the ids. */
export type FindEntries = (
  db: Kysely<LedgerTables>,
  query: { terms: readonly SearchTerm[]; after: number; limit: number },
) => Promise<number[]>;

/** The tables, and what the two databases do differently. */
export interface LedgerDatabase {
  db: Kysely<LedgerTables>;
  /** The database's own clock in ms: leases are judged by one clock, whatever the machines think. */
  now: RawBuilder<number>;
  forRows: ForRows;
  /** Ends a select of `records`: until its transaction ends, no other one changes these rows. In SQLite, only one writes at a time. */
  lockRows: RawBuilder<unknown>;
  /** A statement: until its transaction ends, no other one that executes it goes on. Absent: only one writes at a time. */
  lockCreates?: RawBuilder<unknown>;
  /** A transaction that does not wait for the disk: a power failure may undo it, but only with all later transactions. */
  unsynced<Result>(work: (transaction: Transaction<LedgerTables>) => Promise<Result>): Promise<Result>;
  /** Reads at once, as of now; undefined if the database is busy at the moment. Absent if the database is in another process. */
  readAtOnce?: <Row>(query: CompiledQuery<Row>) => Row[] | undefined;
  /** Finds records by words, in the index that triggers keep. */
  findEntries: FindEntries;
  /** How long a process may be silent before another one takes over its work, in ms. */
  takeOverAfterMs: number;
  /** When a lease of a run that begins now ends. */
  leaseUntil: RawBuilder<number>;
  runtime: Runtime;
}

/** A row of a plan with its content, as it is staged. */
export type StagedRow = Omit<Insertable<StagedChangesTable>, 'wanted' | 'has'> &
  Partial<Omit<Insertable<ContentsTable>, 'id' | 'payload'>> & {
    /** The payload that is wanted. */
    desired?: string | null;
  };
export type RunRow = Selectable<RunsTable>;
export type TargetRow = Selectable<TargetsTable>;
