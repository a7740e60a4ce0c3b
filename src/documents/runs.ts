import type { Html } from '../core/html/html.ts';
import { runPath, syncPath, withQuery } from '../core/text/addresses.ts';
import { countText, durationText, figure } from '../core/text/figures.ts';
import type { RunRowView } from '../queries/views/overview.ts';
import type { DeedView } from '../queries/views/shared.ts';
import type { RunPageView } from '../queries/views/sync.ts';
import { resultOf } from './badges.ts';
import { paragraph, tableOf } from './blocks.ts';
import type { Block, Document, Inline } from './document.ts';
import { inTerminal, linkTo, onPage, runRef, timeAt } from './inline.ts';

/** The past runs of a sync, or of all, newest first. */
export function runsDocument(
  sync: string | undefined,
  { runs }: RunPageView,
  empty: string,
  { withSync = sync === undefined } = {},
): Document {
  return {
    title: sync === undefined ? 'Runs' : `Runs of ${sync}`,
    blocks: runs.length === 0 ? [paragraph(empty, 'empty')] : runList(runs, { withSync }),
  };
}

/** So many runs without changes in a row are folded on a page. */
const FOLDED = 4;

/** Runs as lists show them. Those in a row that changed nothing are one line of a page. */
export function runList(runs: readonly RunRowView[], { withSync = false } = {}): Block[] {
  const parts: RunRowView[][] = [];
  for (const run of runs) {
    const part = parts.at(-1);
    if (part?.[0] && isIdle(part[0]) === isIdle(run)) part.push(run);
    else parts.push([run]);
  }
  const folded = parts.map((part): Block => {
    const [first] = part;
    const list = runTable(part, withSync);
    if (!first || !isIdle(first) || part.length < FOLDED) return list;
    const summary = `${figure(part.length)} runs without changes`;
    return { is: 'fold', id: `idle-${first.run}`, summary, blocks: [list] };
  });
  return [
    { is: 'only', medium: 'page', blocks: folded },
    { is: 'only', medium: 'terminal', blocks: [runTable(runs, withSync)] },
  ];
}

function isIdle({ kind, status, counts, undone, decision }: RunRowView): boolean {
  return kind === 'run' && status === 'success' && !undone && !decision && countText(counts) === '';
}

function runTable(runs: readonly RunRowView[], withSync: boolean): Block {
  return tableOf<RunRowView>({
    caption: 'Runs',
    columns: [
      { head: 'Run', medium: 'terminal', cell: ({ run }) => run },
      { head: 'Started', isHeading: true, kind: 'time', cell: startLink },
      withSync && { head: 'Sync', cell: ({ sync }) => linkTo(syncPath(sync), sync) },
      {
        head: 'Result',
        cell: (run) => [resultOf(run), run.kind !== 'run' && run.status !== 'planned' && ` ${run.kind}`],
      },
      { head: 'Changes', cell: changesIn },
      { head: 'Rejected', kind: 'number', cell: rejectedIn },
      { head: 'Started by', medium: 'page', cell: startedBy },
      { head: 'Duration', kind: 'number', cell: ({ durationMs }) => durationText(durationMs) },
    ],
    rows: runs,
  });
}

/** Runs often start in the same minute: the text has seconds, and for screen readers the sync and the end of the id. */
export function startLink({ run, startedAt, sync }: Pick<RunRowView, 'run' | 'startedAt' | 'sync'>): Inline {
  const started = timeAt(startedAt, { isShort: true, hasSeconds: true });
  return linkTo(runPath(run), started, { unseen: `${sync} ${run.slice(-6)}` });
}

export function rejectedIn({ run, sync, counts }: RunRowView): Inline {
  if (counts.rejected === 0) return undefined;
  const to = withQuery(syncPath(sync, 'rejects'), { run });
  return linkTo(to, figure(counts.rejected), { unseen: `rejected by run ${run.slice(-6)}` });
}

/** Who or what has started a run. Plans have no history. */
export function startedBy({ asked, kind }: Pick<RunRowView, 'asked' | 'kind'>): string {
  if (asked) return `${asked.by} (${vias[asked.via]})`;
  return kind === 'run' ? 'schedule' : '';
}

/** What a run has changed, and what it could not deliver: that is why it is done only partly. */
function changesIn({ counts, withoutFiles = 0 }: RunRowView): string {
  const left = countWords(counts, ['failed', 'held', 'notSent', 'unremoved']);
  const files = withoutFiles > 0 && `${figure(withoutFiles)} without their file`;
  return [countText(counts), left, files].filter(Boolean).join(', ');
}

const COUNTED = {
  read: 'read',
  created: 'new',
  updated: 'changed',
  unchanged: 'unchanged',
  rejected: 'rejected',
  failed: 'failed',
  held: 'on hold',
  skipped: 'skipped',
  notSent: 'not sent yet',
  missing: 'missing from the feed',
  deleted: 'deleted',
  marked: 'marked as missing',
  unremoved: 'not removed',
  uploaded: 'uploaded',
};

type CountWord = keyof typeof COUNTED;

/** Returns what became of the records of a run: "9 read, 3 new, 1 failed". */
export function countWords(counts: RunRowView['counts'], names = Object.keys(COUNTED) as CountWord[]): string {
  const some = names.filter((name) => (counts[name] ?? 0) > 0);
  return some.map((name) => `${figure(counts[name] ?? 0)} ${COUNTED[name]}`).join(', ');
}

const words: Record<DeedView['deed'], string> = {
  run: 'started a run',
  retry: 'retried records',
  approve: 'approved',
  reject: 'rejected',
  undo: 'undid',
  adopt: 'adopted an item',
  purge: 'purged',
  release: 'released',
  pause: 'paused the sync',
  resume: 'resumed the sync',
  cancel: 'cancelled the run',
  edit: 'changed the sync file',
};

/** How people and programs act, in words. */
export const vias: Record<DeedView['via'], string> = { console: 'console', api: 'API', cli: 'command line' };

/**
 * Who did what, when and why.
 * @param edit shows on a page what an edit has changed
 */
export function deedTable(deeds: readonly DeedView[], edit: (deed: DeedView) => Html | false = () => false): Block {
  if (deeds.length === 0) return paragraph('Nothing was done by a person.', 'empty');
  return tableOf<DeedView>({
    caption: 'Who did what',
    columns: [
      { head: 'When', kind: 'time', cell: ({ at }) => timeAt(at, { isShort: true }) },
      { head: 'Who', isHeading: true, cell: ({ by }) => by },
      {
        head: 'What',
        cell: (deed) => [
          words[deed.deed],
          deed.about && [' ', linkTo(runPath(deed.about), 'a run')],
          { is: 'markup', html: edit(deed) },
        ],
      },
      {
        head: 'Run',
        cell: ({ run }) => run && [onPage(runRef(run, 'show', `the run ${run.slice(-6)}`)), inTerminal(run)],
      },
      { head: 'Reason', cell: ({ reason }) => reason },
      { head: 'By way of', isExtra: true, cell: ({ via }) => vias[via] },
    ],
    rows: deeds,
  });
}
