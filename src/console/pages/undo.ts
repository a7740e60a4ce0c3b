import { type Html, html } from '../../core/html/html.ts';
import { recordPath, runPath } from '../../core/text/addresses.ts';
import { describeUndo } from '../../core/text/describe-changes.ts';
import { capitalised, figure, figureOf } from '../../core/text/figures.ts';
import type { UndoPreviewView } from '../../queries/views/run.ts';
import { mayDo } from '../access/viewer.ts';
import { badge, type Tone } from '../parts/badge.ts';
import { differenceDetails } from '../parts/difference.ts';
import { fullTime } from '../parts/figures.ts';
import { actionForm, reasonField } from '../parts/form.ts';
import { itemNumber } from '../parts/link.ts';
import { emptyState, notice } from '../parts/notice.ts';
import { prose } from '../parts/prose.ts';
import { recordColumn } from '../parts/record-link.ts';
import { syncCrumbs } from '../parts/sync-tabs.ts';
import { table } from '../parts/table.ts';
import { consolePage, type PageContent, type PageContext } from './page.ts';

/** Number of changes that are listed at most. */
const MOST = 200;
/** Number that is shown at once. */
const SHOWN = 20;

/** What an undo of a run would change and what it would skip, compared with the present items of the CMS. */
export const undoPage = consolePage({
  path: '/runs/:run/undo',
  show: async ({ run }, { queries, signal }, context) => undoContent(await queries.undoPreview(run, signal), context),
});

type Change = UndoPreviewView['changes'][number];
type Skipped = UndoPreviewView['skipped'][number];
type Separated = NonNullable<UndoPreviewView['separated']>[number];
type LaterRun = NonNullable<UndoPreviewView['laterRuns']>[number];

export function undoContent(view: UndoPreviewView, context: PageContext): PageContent {
  const { run, sync, changes, skipped, separated = [] } = view;
  return {
    title: `Undo a run of ${sync}`,
    crumbs: [...syncCrumbs(sync), { to: runPath(run), text: 'Run' }],
    body: html`${changes.length + separated.length > 0 && undoForm(view, context)}
<section aria-labelledby="changes"><h2 id="changes">What it would do</h2>${changes.length === 0 ? emptyState(nothingToUndo(view, context)) : changeTable(view)}</section>
${separated.length > 0 && html`<section aria-labelledby="separated"><h2 id="separated">What would be different events</h2>${separatedTable(sync, separated)}</section>`}
${skipped.length > 0 && html`<section aria-labelledby="skipped"><h2 id="skipped">What it would leave alone</h2>${skippedTable(view, context)}</section>`}`,
  };
}

/** What else happens to an item that is deleted, or created again. */
function consequenceOf(op: 'delete' | 'create', resource: UndoPreviewView['resource']): string {
  if (op === 'delete') return 'Its address stops working.';
  const back = 'It comes back with a new id and a new address';
  return resource === 'accounts' ? `${back}, and without its former password.` : `${back}.`;
}

const effects: Record<Change['op'], [Tone, string]> = {
  delete: ['bad', 'Delete'],
  restore: ['info', 'Restore'],
  create: ['good', 'Create again'],
};

/** Names the later runs if they are why there is nothing to undo. */
function nothingToUndo({ skipped, laterRuns = [] }: UndoPreviewView, context: PageContext): Html | string {
  if (laterRuns.length === 0 || skipped.some(({ run }) => run === undefined)) return 'There is nothing to undo.';
  return html`There is nothing to undo: ${laterRuns.map((run, place) => html`${place > 0 && ', '}${laterRun(run, context)}`)} changed all of its items later, or has undone it already.`;
}

function laterRun({ run, kind, startedAt }: LaterRun, context: PageContext): Html {
  return html`<a href="${runPath(run)}">the ${kind} of ${fullTime(startedAt, context)}</a>`;
}

function undoForm(
  { run, sync, resource, changes, skipped }: UndoPreviewView,
  { viewer }: PageContext,
): Html | undefined {
  if (!mayDo(viewer, 'approve')) return notice('plain', 'Only people who may approve can undo a run.');
  const left = skipped.length > 0 && ` ${figureOf(skipped.length, 'item')} would be left alone.`;
  return html`<p>The items are compared with the CMS again when you confirm: what was edited there in the meantime is left alone.${left}</p>
${notice('warning', html`<p>The next run of ${sync} delivers the changes again as long as the source has them. To prevent that, pause the sync until the source is correct.</p>`)}
${actionForm({
  viewer,
  does: 'undo',
  to: { run },
  label: capitalised(describeUndo(changes, resource)) || 'Separate the events',
  kind: changes.some(({ op }) => op === 'delete') ? 'danger' : 'primary',
  fields: html`${reasonField()}<p class="field"><label><input type="checkbox" name="pause" value="1" checked> and pause ${sync}</label></p>`,
})}`;
}

function changeTable({ sync, resource, changes }: UndoPreviewView): Html {
  return folded('changes', changes, (rows) =>
    table<Change>({
      caption: 'What the undo would do',
      columns: [
        { head: 'Would', cell: ({ op }) => badge(...effects[op]) },
        recordColumn(sync),
        { head: 'Item', kind: 'number', cell: itemNumber },
        {
          head: 'What changes',
          cell: ({ op, key, differences }) =>
            op === 'restore'
              ? differenceDetails(`undo-${key}`, differences, ['Now', 'After the undo'])
              : consequenceOf(op, resource),
        },
      ],
      rows,
    }),
  );
}

function separatedTable(sync: string, separated: readonly Separated[]): Html {
  return html`<p>The rules had joined these records. The next run publishes each by itself, and later runs do not join them again.</p>
${folded('separated', separated, (rows) =>
  table<Separated>({
    caption: 'What would be different events',
    columns: [
      recordColumn(sync),
      { head: 'Published as', cell: ({ from }) => html`<a class="key" href="${recordPath(sync, from)}">${from}</a>` },
    ],
    rows,
  }),
)}`;
}

function skippedTable({ sync, skipped, laterRuns = [] }: UndoPreviewView, context: PageContext): Html {
  const later = new Map(
    laterRuns.map((run) => {
      const what = run.kind === 'undo' ? 'Undone already' : 'Changed later';
      return [run.run, html`${what} by ${laterRun(run, context)}.`];
    }),
  );
  return folded('skipped', skipped, (rows) =>
    table<Skipped>({
      caption: 'What the undo would leave alone',
      columns: [
        recordColumn(sync),
        {
          head: 'Reason',
          cell: ({ reason, run = '' }) => later.get(run) ?? prose(reason),
        },
      ],
      rows,
    }),
  );
}

/** The first rows, and the others in a fold. */
function folded<Row>(id: string, rows: readonly Row[], show: (rows: readonly Row[]) => Html): Html {
  const others = rows.slice(SHOWN, MOST);
  return html`${show(rows.slice(0, SHOWN))}
${others.length > 0 && html`<details id="more-${id}"><summary>${figure(rows.length - SHOWN)} more</summary>${show(others)}${rows.length > MOST && html`<p class="muted">and ${figure(rows.length - MOST)} more</p>`}</details>`}`;
}
