import { runPath, syncPath, withQuery } from '../core/text/addresses.ts';
import { figure, figureOf } from '../core/text/figures.ts';
import type { LetterView } from '../queries/site/owner-page.ts';
import type { AllRejectsView } from '../queries/syncs/rejects.ts';
import type { RejectGroupView, RejectsView } from '../queries/views/sync.ts';
import { acknowledgedBy, acknowledgeSelected } from './acknowledge.ts';
import { buttonTo, foldOf, inMedium, noticeOf, paragraph, tableOf } from './blocks.ts';
import type { Block, Document, Inline } from './document.ts';
import { linkTo, onPage, proseOf, recordRef, runRef, say, timeAt } from './inline.ts';

/** The rejects of all syncs: how many, why, and where they are listed. */
export function allRejectsDocument({ syncs }: AllRejectsView): Document {
  const table = tableOf<AllRejectsView['syncs'][number]>({
    caption: 'Rejects of the last run of each sync',
    columns: [
      { head: 'Sync', isHeading: true, cell: ({ sync }) => linkTo(syncPath(sync, 'rejects'), sync) },
      { head: 'Read', kind: 'time', cell: ({ startedAt }) => timeAt(startedAt) },
      { head: 'Rejected', kind: 'number', cell: ({ total, read }) => `${figure(total)} of ${figure(read)}` },
      {
        head: 'Why',
        cell: ({ reasons }) => ({
          is: 'lines',
          lines: reasons.map(({ cause, total }) => `${figure(total)}: ${cause}`),
        }),
      },
    ],
    rows: syncs,
  });
  const none = paragraph('The last runs have rejected nothing.', 'empty');
  return { title: 'Rejects of all syncs', blocks: [syncs.length === 0 ? none : table] };
}

/**
 * The rejects of a reading, by reason, to be passed on to the owner of the source.
 * @param letter absent: no letter is offered
 */
export function rejectsDocument(
  sync: string,
  view: RejectsView,
  { isPast = false, letter }: { isPast?: boolean; letter?: LetterView | undefined } = {},
): Document {
  const { run, total, groups } = view;
  const file = withQuery(syncPath(sync, 'rejects.csv'), { run: isPast && run !== null ? run : undefined });
  const older = isPast && run !== null;
  return {
    title: `Rejects of ${sync}`,
    sync,
    tab: 'rejects',
    ...(total > 0 && {
      aside: [
        letter && buttonTo(mailTo(letter), 'Write to the feed’s owner'),
        buttonTo(file, 'Download as CSV', { isFile: true }),
      ],
    }),
    blocks: [
      older &&
        inMedium(
          'page',
          noticeOf(
            'info',
            say`These are the rejects of ${linkTo(runPath(run), 'one run')}. ${linkTo(syncPath(sync, 'rejects'), 'Show those of the last run')}`,
          ),
        ),
      summary(view),
      ...groups.map((group) => groupSection(sync, run ?? '', group)),
      letter &&
        inMedium(
          'page',
          foldOf('letter', 'Text for the feed’s owner, to copy', {
            is: 'copy',
            label: 'Text for the feed’s owner',
            text: letter.text,
          }),
        ),
    ],
  };
}

function summary({ run, startedAt, read, rejected = 0, total }: RejectsView): Block {
  if (run === null) return paragraph('No run has read the feed yet.', 'empty');
  const when = startedAt && say` on ${runRef(run, timeAt(startedAt))}`;
  const of = (count: number, rest: Inline, look?: 'empty') =>
    paragraph(say`${figure(count)} of ${figureOf(read, 'record')} read${when} ${rest}`, look);
  if (total === 0 && rejected > 0) return of(rejected, 'were rejected. The ledger no longer has the reasons.', 'empty');
  if (total === 0) {
    const all = read === 1 ? 'The record' : `All ${figureOf(read, 'record')}`;
    return paragraph(say`${all} read${when} ${read === 1 ? 'was' : 'were'} accepted.`, 'empty');
  }
  const toDownload = onPage(' The file to download has all of them, for the people who maintain the source.');
  return of(total, say`${total === 1 ? 'was' : 'were'} rejected and not delivered.${toDownload}`);
}

type Reject = RejectGroupView['first'][number];

function groupSection(sync: string, run: string, { code, cause, remedy, total, first }: RejectGroupView): Block {
  const id = `group-${code}`;
  const list = tableOf<Reject>({
    caption: cause,
    columns: [
      { head: 'Place', isHeading: true, kind: 'key', cell: ({ at }) => at },
      { head: 'Record', cell: ({ key, title }) => (key === undefined ? title : recordRef(sync, { key, title })) },
      { head: 'Reason', cell: ({ reason }) => proseOf(reason) },
      first.some(({ acknowledged }) => acknowledged) && {
        head: 'Acknowledged',
        cell: ({ acknowledged }) => acknowledged && acknowledgedBy(acknowledged),
      },
    ],
    rows: first,
    choice: ({ name, title, at, acknowledged }) => (acknowledged ? undefined : { name, title: title || at }),
  });
  const isOpen = first.some(({ acknowledged }) => !acknowledged);
  return {
    is: 'section',
    id,
    title: cause,
    count: figure(total),
    code,
    blocks: [
      { is: 'remedy', text: remedy, about: { sync } },
      isOpen
        ? acknowledgeSelected(list, {
            id,
            sync,
            back: syncPath(sync, 'rejects'),
            all: total > first.length && { code, total },
          })
        : list,
      total > first.length && inMedium('page', paragraph(`and ${figure(total - first.length)} more`, 'muted')),
      total > first.length &&
        inMedium(
          'terminal',
          paragraph(`… and ${figure(total - first.length)} more: feedferry rejects ${sync} --run ${run} --csv`),
        ),
    ],
  };
}

/** Mail programs cut longer addresses off. */
const LONGEST_LETTER = 1_500;

/** A mail to the owners of the feed; without them, whom it is for is up to the user. */
function mailTo({ to, subject, text }: LetterView): string {
  const body = text.length > LONGEST_LETTER ? `${text.slice(0, LONGEST_LETTER)}\n…` : text;
  const query = `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll('\n', '\r\n'))}`;
  return `mailto:${to.map(encodeURIComponent).join(',')}?${query}`;
}
