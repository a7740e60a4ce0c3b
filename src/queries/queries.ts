import type { ChangeSearch, Paging, RecordSearch, RunSearch } from './answers/paging.ts';
import type { CalendarView } from './views/calendar.ts';
import type { DayView } from './views/day.ts';
import type { ExaminationView, QueueView } from './views/machine.ts';
import type { NewsView, OverviewView } from './views/overview.ts';
import type { QuestionsView } from './views/question.ts';
import type { RecordDetailView, RecordLiveView, RecordRejectionView, RecordSourceView } from './views/record.ts';
import type {
  ChangePageView,
  FailurePageView,
  HeldPlanView,
  PlannedPageView,
  PurgePreviewView,
  RunDetailView,
  UndoPreviewView,
} from './views/run.ts';
import type {
  AllRejectsView,
  RecordPageView,
  RejectsView,
  RunPageView,
  SyncDetailView,
  UnmappedView,
} from './views/sync.ts';
import type { VerificationView } from './views/verification.ts';

/**
 * Queries of people and programs: the console, the JSON API and the command line use the same functions. No query changes
 * anything. Each throws CodedError FF_SYNC_UNKNOWN, FF_RUN_UNKNOWN or FF_RECORD_UNKNOWN for unknown names.
 */
export interface Queries {
  overview(): Promise<OverviewView>;
  /** @param since ISO instant; absent: this time yesterday */
  news(since?: string): Promise<NewsView>;
  sync(name: string): Promise<SyncDetailView>;
  runs(search: RunSearch): Promise<RunPageView>;
  /** @param day such as 2027-03-01, in the site's zone */
  day(day: string): Promise<DayView>;
  records(search: RecordSearch): Promise<RecordPageView>;
  /** @param run if absent, the last one that has read records */
  rejects(sync: string, run?: string): Promise<RejectsView>;
  /** @param shown changes what is shown of each rejection */
  rejectsCsv(sync: string, run?: string, shown?: <Value>(rejected: Value) => Value): AsyncIterable<string>;
  allRejects(): Promise<AllRejectsView>;
  unmapped(sync: string, signal: AbortSignal): Promise<UnmappedView>;
  /** Whether events of several sources are the same: the open questions, and the answers. */
  questions(sync: string): Promise<QuestionsView>;
  /** The last verification, and a page of the differences that it has found. */
  verification(sync: string, paging: Paging): Promise<VerificationView>;

  run(id: string): Promise<RunDetailView>;
  changes(run: string, search: ChangeSearch): Promise<ChangePageView>;
  failures(run: string, paging: Paging): Promise<FailurePageView>;
  /** Reads the items from the CMS. */
  undoPreview(run: string, signal: AbortSignal): Promise<UndoPreviewView>;

  heldPlans(): Promise<HeldPlanView[]>;
  /** @throws CodedError FF_APPROVE_NOT_HELD, FF_APPROVE_STALE */
  heldPlan(run: string): Promise<HeldPlanView>;
  plannedItems(run: string, paging: Paging): Promise<PlannedPageView>;
  purgePreview(sync: string, paging: Paging): Promise<PurgePreviewView>;

  record(sync: string, key: string): Promise<RecordDetailView>;
  recordRejection(sync: string, key: string): Promise<RecordRejectionView>;
  recordSource(sync: string, key: string, signal: AbortSignal): Promise<RecordSourceView>;
  recordLive(sync: string, key: string, signal: AbortSignal): Promise<RecordLiveView>;

  /** @param month such as 2027-03 */
  calendar(month: string, sync?: string): Promise<CalendarView>;
  /** The last examination; `examine` starts one. */
  examination(): ExaminationView;
  examine(): void;
  queue(): Promise<QueueView>;
}
