import type { Viewer } from '../../../src/console/access/viewer.ts';
import { pageOfDocument } from '../../../src/console/pages/as-html.ts';
import type { PageContext } from '../../../src/console/pages/page.ts';
import { type RunCounts, zeroCounts } from '../../../src/core/run.ts';
import type { Document } from '../../../src/documents/document.ts';
import type { RunRowView, SyncRowView } from '../../../src/queries/views/overview.ts';
import type { SyncDetailView } from '../../../src/queries/views/sync.ts';

/** What a feed may contain to attack its readers. */
export const ATTACK = `"><script>alert('1')</script><img src=x onerror=alert(2)>`;

/** Of someone who may do everything. */
export const approver: Viewer = {
  name: 'Kim',
  holder: 'token of Kim',
  role: 'approve',
  via: 'console',
  csrfToken: 'token-of-form',
  hasSession: true,
};

export const onlyViewer: Viewer = { ...approver, role: 'view' };

export function aContext(more: Partial<PageContext> = {}): PageContext {
  const now = Date.parse('2027-03-01T15:00:00.000Z');
  return { viewer: approver, timezone: 'America/New_York', path: '/', now, ...more };
}

/** The content of the page that shows a document. */
export function bodyOf(document: Document, context = aContext()): string {
  return String(pageOfDocument(document, context).body);
}

export function someCounts(more: Partial<RunCounts>): RunCounts {
  return { ...zeroCounts(), ...more };
}

export function aRunRow(more: Partial<RunRowView> = {}): RunRowView {
  return {
    run: 'r1',
    sync: 'talks',
    kind: 'run',
    status: 'success',
    succeeded: true,
    hasRead: true,
    complete: true,
    startedAt: '2027-03-01T14:00:00.000Z',
    finishedAt: '2027-03-01T14:00:12.000Z',
    durationMs: 12_000,
    counts: someCounts({ read: 1204, created: 3, updated: 12, unchanged: 1184, rejected: 5 }),
    ...more,
  };
}

export function aSyncRow(more: Partial<SyncRowView> = {}): SyncRowView {
  return {
    sync: 'talks',
    resource: 'events',
    health: 'ok',
    why: '',
    schedule: 'every 15 minutes',
    nextRunAt: '2027-03-01T15:15:00.000Z',
    underWay: null,
    lastRun: aRunRow(),
    lastSuccessAt: '2027-03-01T14:00:12.000Z',
    isLate: false,
    verifiedAt: null,
    undelivered: { pending: 0, failed: 0, held: 0 },
    waits: null,
    drift: null,
    differences: 0,
    acknowledged: { rejected: 0, withoutFile: 0, differs: 0 },
    mistakes: [],
    recentRuns: [],
    ...more,
  };
}

export function aSync(more: Partial<SyncDetailView> = {}): SyncDetailView {
  return {
    ...aSyncRow(),
    source: 'https://calendar.example.edu/public.ics',
    scheduler: { isRunning: true },
    deeds: [],
    ...more,
  };
}
