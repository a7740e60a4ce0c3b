import { describeCounts } from '../core/run.ts';
import { countText, durationText, figure, figureOf, someFigure } from '../core/text/figures.ts';
import type { RunDetailView } from '../queries/views/run.ts';
import { resultOf } from './badges.ts';
import {
  type Block,
  factList,
  inMedium,
  inTerminal,
  noticeOf,
  paragraph,
  problemBlock,
  proseOf,
  runRef,
  say,
  section,
  styled,
  tableOf,
  timeAt,
} from './document.ts';
import { decisionNotice, heldBecause, REPLACED } from './held-plan.ts';
import { startedBy } from './runs.ts';

/** State or result of a run: status, progress, reason, and counts that add up. */
export function runSummary(detail: RunDetailView): Block[] {
  const { run, sync, status, startedAt, finishedAt, durationMs, complete, feed, error, undoes, undoneBy } = detail;
  const { decision, isReplaced, counts, withoutFiles } = detail;
  const isDecided = decision !== undefined || isReplaced === true;
  const why = error && problemBlock(error, { run, sync }, status === 'held' ? 'warning' : 'bad');
  const reading = complete ? 'completely' : say`not completely${feed?.reason && `: ${feed.reason}`}`;
  return [
    resultPart(detail),
    decision && decisionNotice(decision),
    isReplaced && noticeOf('info', REPLACED),
    error && isDecided ? heldBecause(error) : why,
    factList(
      ['Run', inTerminal(run)],
      ['Status', resultOf(detail)],
      ['Started', timeAt(startedAt)],
      ['Started by', startedBy(detail)],
      ['Finished', finishedAt && timeAt(finishedAt)],
      ['Duration', durationText(durationMs)],
      ['Feed', feed && { is: 'web', address: feed.location }],
      ['Size', feed?.bytes !== undefined && sizeText(feed.bytes)],
      ['Read', feed && finishedAt && reading],
      ['Undone by', undoneBy && runRef(undoneBy, 'this run')],
      ['Takes back', undoes && runRef(undoes, 'this run')],
      ['Counts', inTerminal(describeCounts({ ...counts, withoutFiles: withoutFiles ?? 0 }))],
    ),
    countsPart(detail),
  ];
}

/** The result in one sentence, and why it is only a part. */
function resultPart({ status, finishedAt, counts, complete, feed, withoutFiles = 0 }: RunDetailView): Block {
  const done = countText(counts);
  if (finishedAt === undefined || status === 'planned' || (done === '' && counts.read === 0)) return undefined;
  const left = LEFT.flatMap(([name, words]) => {
    const count = counts[name] ?? 0;
    return count > 0 ? [`${figure(count)} ${words}`] : [];
  });
  const sentences = [
    `${done || 'Nothing was changed on the site'}${counts.read > 0 ? `, of ${figureOf(counts.read, 'record')}` : ''}.`,
    left.length > 0 && `Not delivered: ${left.join(', ')}.`,
    withoutFiles > 0 && `${figureOf(withoutFiles, 'record')} lacked a file at the end.`,
    feed && !complete && 'The feed was not read completely, so nothing counts as missing.',
  ];
  return paragraph(styled('strong', sentences.filter(Boolean).join(' ')));
}

const LEFT = [
  ['rejected', 'rejected'],
  ['failed', 'failed'],
  ['held', 'on hold'],
  ['notSent', 'not sent yet'],
  ['unremoved', 'not removed'],
] as const;

const names = {
  created: 'New',
  updated: 'Changed',
  unchanged: 'Unchanged',
  rejected: 'Rejected',
  failed: 'Failed',
  held: 'On hold',
  skipped: 'Skipped',
  notSent: 'Not sent yet',
  deleted: 'Deleted',
  marked: 'Marked',
  unremoved: 'Not removed',
};

function countsPart({ counts, kind, sync, finishedAt }: RunDetailView): Block {
  const { notSent = 0 } = counts;
  const read: Array<keyof typeof names> = [
    ...(['created', 'updated', 'unchanged', 'rejected', 'failed', 'held', 'skipped'] as const),
    ...(notSent > 0 ? (['notSent'] as const) : []),
  ];
  const missing = (['deleted', 'marked', 'unremoved'] as const).map(
    (name) => `${figure(counts[name])} ${names[name].toLowerCase()}`,
  );
  const sum = read.reduce((total, name) => total + (counts[name] ?? 0), 0);
  const table = tableOf<typeof counts>({
    caption: 'Records read, by what happened to them',
    columns: [
      { head: 'Read', kind: 'number', cell: () => figure(counts.read) },
      ...read.map((name) => ({
        head: names[name],
        kind: 'number' as const,
        cell: () => someFigure(counts[name] ?? 0),
      })),
    ],
    rows: [counts],
  });
  const left = figureOf(counts.read - sum, 'record');
  const unlisted =
    kind === 'plan'
      ? paragraph(
          say`A run would create or change ${left}. A plan applies nothing and keeps no list of them: ${proseOf('`feedferry plan SYNC`', { sync })} shows them.`,
        )
      : noticeOf(
          'warning',
          `The counts do not balance: ${figure(counts.read)} were read, ${figure(sum)} are accounted for.`,
        );
  const isOff = finishedAt !== undefined && sum !== counts.read;
  const absent = `${figureOf(counts.missing, 'record')} missing from the feed: ${missing.join(', ')}.`;
  const uploaded = `${figureOf(counts.uploaded, 'file')} uploaded.`;
  return inMedium(
    'page',
    section(
      'counts',
      'Counts',
      table,
      isOff && unlisted,
      counts.missing > 0 && paragraph(absent),
      counts.uploaded > 0 && paragraph(uploaded),
    ),
  );
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return figureOf(bytes, 'byte');
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
