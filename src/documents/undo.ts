import { describeUndo } from '../core/text/describe-changes.ts';
import { capitalised, figure, figureOf } from '../core/text/figures.ts';
import type { UndoPreviewView } from '../queries/views/run.ts';
import {
  factList,
  field,
  foldOf,
  formOf,
  inMedium,
  noticeOf,
  paragraph,
  reasonOf,
  section,
  tableOf,
} from './blocks.ts';
import type { Block, ChangeEffect, Document, Inline } from './document.ts';
import { inTerminal, onPage, proseOf, recordRef, runRef, say, timeAt } from './inline.ts';

/** Number of changes that are listed at most. */
const MOST = 200;
/** Number that is shown at once. */
const SHOWN = 20;

type Change = UndoPreviewView['changes'][number];
type Skipped = UndoPreviewView['skipped'][number];
type Separated = NonNullable<UndoPreviewView['separated']>[number];
type LaterRun = NonNullable<UndoPreviewView['laterRuns']>[number];

const APART =
  'The rules had joined these records. The next run publishes each by itself, and later runs do not join them again.';

/** What an undo of a run would change and what it would skip, compared with the present items of the CMS. */
export function undoDocument(view: UndoPreviewView): Document {
  const { run, sync, changes, skipped, separated = [], resource } = view;
  const nothing = paragraph(nothingToUndo(view), 'empty');
  return {
    title: `Undo a run of ${sync}`,
    ...{ sync, run },
    blocks: [
      factList(['Run', inTerminal(run)], ['Would do', inTerminal(capitalised(describeUndo(changes, resource)))]),
      changes.length + separated.length > 0 && inMedium('page', undoForm(view)),
      section(
        'changes',
        'What it would do',
        ...(changes.length === 0 ? [nothing] : folded('changes', changes, (rows) => changeTable(view, rows))),
      ),
      separated.length > 0 &&
        section(
          'separated',
          'What would be different events',
          paragraph(APART),
          ...folded('separated', separated, (rows) => separatedTable(sync, rows)),
        ),
      skipped.length > 0 &&
        section(
          'skipped',
          'What it would leave alone',
          ...folded('skipped', skipped, (rows) => skippedTable(view, rows)),
        ),
    ],
  };
}

/** What else happens to an item that is deleted, or created again. */
function consequenceOf(op: Change['op'], resource: UndoPreviewView['resource']): Inline {
  if (op === 'restore') return undefined;
  if (op === 'delete') return onPage('Its address stops working.');
  const back = 'It comes back with a new id and a new address';
  return resource === 'accounts' ? `${back}, and without its former password.` : `${back}.`;
}

const effects: Record<Change['op'], ChangeEffect> = {
  delete: ['bad', 'Delete', '- delete'],
  restore: ['info', 'Restore', '~ restore'],
  create: ['good', 'Create again', '+ create again'],
};

/** Names the later runs if they are why there is nothing to undo. */
function nothingToUndo({ skipped, laterRuns = [] }: UndoPreviewView): Inline {
  if (laterRuns.length === 0 || skipped.some(({ run }) => run === undefined)) return 'There is nothing to undo.';
  return say`There is nothing to undo: ${laterRuns.map((run, place) => [place > 0 && ', ', laterRun(run)])} changed all of its items later, or has undone it already.`;
}

function laterRun({ run, kind, startedAt }: LaterRun): Inline {
  return runRef(run, say`the ${kind} of ${timeAt(startedAt)}`);
}

function undoForm({ run, sync, resource, changes, skipped }: UndoPreviewView): Block {
  const left = skipped.length > 0 && ` ${figureOf(skipped.length, 'item')} would be left alone.`;
  return formOf({
    does: 'undo',
    to: { run },
    label: capitalised(describeUndo(changes, resource)) || 'Separate the events',
    kind: changes.some(({ op }) => op === 'delete') ? 'danger' : 'primary',
    otherwise: 'Only people who may approve can undo a run.',
    blocks: [
      paragraph(
        say`The items are compared with the CMS again when you confirm: what was edited there in the meantime is left alone.${left}`,
      ),
      noticeOf(
        'warning',
        `The next run of ${sync} delivers the changes again as long as the source has them. To prevent that, pause the sync until the source is correct.`,
      ),
      reasonOf(),
      field('check', { name: 'pause', label: `and pause ${sync}` }),
    ],
  });
}

function changeTable({ sync, resource }: UndoPreviewView, rows: readonly Change[]): Block {
  return {
    is: 'changes',
    id: 'undo',
    caption: 'What the undo would do',
    sync,
    heads: ['Would', 'Now', 'After the undo'],
    rows: rows.map(({ op, ...change }) => ({
      ...change,
      effect: effects[op],
      note: consequenceOf(op, resource),
    })),
  };
}

function separatedTable(sync: string, rows: readonly Separated[]): Block {
  return tableOf<Separated>({
    caption: 'What would be different events',
    columns: [
      { head: 'Record', isHeading: true, cell: (record) => recordRef(sync, record) },
      { head: 'Published as', kind: 'key', cell: ({ from }) => recordRef(sync, { key: from }) },
    ],
    rows,
  });
}

function skippedTable({ sync, laterRuns = [] }: UndoPreviewView, rows: readonly Skipped[]): Block {
  const later = new Map(
    laterRuns.map((run) => {
      const what = run.kind === 'undo' ? 'Undone already' : 'Changed later';
      return [run.run, say`${what} by ${laterRun(run)}.`];
    }),
  );
  return tableOf<Skipped>({
    caption: 'What the undo would leave alone',
    columns: [
      { head: 'Record', isHeading: true, cell: (record) => recordRef(sync, record) },
      {
        head: 'Reason',
        cell: ({ code, reason, run = '' }) => [inTerminal(`${code} `), later.get(run) ?? proseOf(reason)],
      },
    ],
    rows,
  });
}

/** The first rows, and the others in a fold. */
function folded<Row>(id: string, rows: readonly Row[], show: (rows: readonly Row[]) => Block): Block[] {
  const others = rows.slice(SHOWN, MOST);
  const more = rows.length > MOST && paragraph(`and ${figure(rows.length - MOST)} more`, 'muted');
  return [
    show(rows.slice(0, SHOWN)),
    others.length > 0 && foldOf(`more-${id}`, `${figure(rows.length - SHOWN)} more`, show(others), more),
  ];
}
