import { type Html, html } from '../../core/html/html.ts';
import { runPath } from '../../core/text/addresses.ts';
import { countText, durationText, figure, figureOf, someFigure } from '../../core/text/figures.ts';
import type { RunDetailView } from '../../queries/views/run.ts';
import type { ProblemView } from '../../queries/views/shared.ts';
import { runBadge, runWord } from './badge.ts';
import { decisionNotice } from './decision.ts';
import { fullTime } from './figures.ts';
import { webLink } from './link.ts';
import { announced, notice, problemNotice } from './notice.ts';
import { prose } from './prose.ts';
import { startedBy } from './run-table.ts';
import { facts, table } from './table.ts';

/** State or result of a run: status, progress, reason, and counts that add up. */
export function runSummary(detail: RunDetailView, { timezone }: { timezone: string }): Html {
  const { run, sync, status, startedAt, finishedAt, durationMs, complete, feed, error, undoes, undoneBy, progress } =
    detail;
  const { decision, isReplaced, cancelled } = detail;
  return html`${announced(spoken(detail))}${progress && finishedAt === undefined && !cancelled && progressPart(progress)}${resultPart(detail)}
${decision && decisionNotice(decision, { timezone })}${isReplaced && notice('info', REPLACED)}
${error && (decision || isReplaced ? heldBecause(error) : problemNotice(error, status === 'held' ? 'warning' : 'bad', { run, sync }))}
${facts([
  ['Status', runBadge(detail)],
  ['Started', fullTime(startedAt, { timezone })],
  ['Started by', startedBy(detail)],
  ['Finished', finishedAt && fullTime(finishedAt, { timezone })],
  ['Duration', durationText(durationMs)],
  ['Feed', feed && webLink(feed.location)],
  ['Size', feed?.bytes !== undefined && sizeText(feed.bytes)],
  ['Read', feed && finishedAt && (complete ? 'completely' : html`not completely${feed.reason && `: ${feed.reason}`}`)],
  ['Undone by', undoneBy && html`<a href="${runPath(undoneBy)}">this run</a>`],
  ['Takes back', undoes && html`<a href="${runPath(undoes)}">this run</a>`],
])}
${countsPart(detail)}`;
}

/** The result in one sentence, and why it is only a part. */
function resultPart(detail: RunDetailView): Html | undefined {
  const { status, finishedAt, counts, complete, feed, withoutFiles = 0 } = detail;
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
  return html`<p><strong>${sentences.filter(Boolean).join(' ')}</strong></p>`;
}

const LEFT = [
  ['rejected', 'rejected'],
  ['failed', 'failed'],
  ['held', 'on hold'],
  ['notSent', 'not sent yet'],
  ['unremoved', 'not removed'],
] as const;

export const REPLACED = 'This plan can no longer be decided: a later run has replaced it, or has changed its records.';

/** Why a run was held whose plan is decided: nothing is left to do about it. */
export function heldBecause({ message }: ProblemView): Html {
  const reason = message.replace(/ Nothing was changed\.$/, '');
  return html`<p>It was on hold because: ${prose(reason)}</p>`;
}

/** What a screen reader announces: every tenth, not every second. */
function spoken(run: RunDetailView): string {
  const { finishedAt, cancelled, progress } = run;
  if (finishedAt !== undefined || cancelled || !progress) return `Status of the run: ${runWord(run).toLowerCase()}.`;
  const { phase, done, total } = progress;
  const tenths = total === undefined ? '' : `, ${Math.floor((10 * done) / Math.max(total, 1)) * 10} %`;
  return `${doingIn[phase]}${tenths}.`;
}

const doingIn = { reading: 'Reading the feed', delivering: 'Delivering' } as const;

function progressPart({ phase, done, total, perSecond, leftMs }: NonNullable<RunDetailView['progress']>): Html {
  const doing = doingIn[phase];
  const share = total === undefined ? figureOf(done, 'record') : `${figure(done)} of ${figureOf(total, 'record')}`;
  const speed = perSecond !== undefined && `, ${figure(Math.round(perSecond * 10) / 10)} a second`;
  const left = leftMs !== undefined && `, ${durationText(leftMs)} left`;
  const bar =
    total === undefined
      ? html`<progress aria-label="${doing}"></progress>`
      : html`<progress aria-label="${doing}" max="${Math.max(total, 1)}" value="${done}"></progress>`;
  return notice('info', html`<p><strong>${doing}:</strong> ${share}${speed}${left}</p>${bar}`);
}

function countsPart({ counts, kind, sync, finishedAt }: RunDetailView): Html {
  const { notSent = 0 } = counts;
  const read: Array<readonly [keyof typeof names, number]> = [
    ...(['created', 'updated', 'unchanged', 'rejected', 'failed', 'held', 'skipped'] as const).map(
      (name) => [name, counts[name]] as const,
    ),
    ...(notSent > 0 ? [['notSent', notSent] as const] : []),
  ];
  const missing = (['deleted', 'marked', 'unremoved'] as const).map((name) => [name, counts[name]] as const);
  const sum = read.reduce((total, [, count]) => total + count, 0);
  return html`<section aria-labelledby="counts"><h2 id="counts">Counts</h2>
${table<typeof read>({
  caption: 'Records read, by what happened to them',
  columns: [
    { head: 'Read', kind: 'number', cell: () => figure(counts.read) },
    ...read.map(([name], place) => ({
      head: names[name],
      kind: 'number' as const,
      cell: (row: typeof read) => someFigure(row[place]?.[1] ?? 0),
    })),
  ],
  rows: [read],
})}
${finishedAt !== undefined && sum !== counts.read && (kind === 'plan' ? html`<p>A run would create or change ${figureOf(counts.read - sum, 'record')}. A plan applies nothing and keeps no list of them: ${prose('`feedferry plan SYNC`', { sync })} shows them.</p>` : notice('warning', `The counts do not balance: ${figure(counts.read)} were read, ${figure(sum)} are accounted for.`))}
${counts.missing > 0 && html`<p>${figureOf(counts.missing, 'record')} missing from the feed: ${missing.map(([name, count]) => `${figure(count)} ${names[name].toLowerCase()}`).join(', ')}.</p>`}
${counts.uploaded > 0 && html`<p>${figureOf(counts.uploaded, 'file')} uploaded.</p>`}</section>`;
}

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

function sizeText(bytes: number): string {
  if (bytes < 1000) return figureOf(bytes, 'byte');
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
