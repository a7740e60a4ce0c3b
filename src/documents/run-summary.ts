import { countUndone } from '../core/run.ts';
import { countText, durationText, figureOf } from '../core/text/figures.ts';
import type { RunDetailView } from '../queries/views/run.ts';
import { resultOf } from './badges.ts';
import { factList, noticeOf, paragraph, problemBlock } from './blocks.ts';
import type { Block } from './document.ts';
import { decisionNotice, heldBecause, REPLACED } from './held-plan.ts';
import { inTerminal, proseOf, runRef, say, styled, timeAt } from './inline.ts';
import { countWords, startedBy } from './runs.ts';

/** State or result of a run: status, progress, reason, and counts that add up. */
export function runSummary(detail: RunDetailView): Block[] {
  const { run, sync, status, startedAt, finishedAt, durationMs, complete, feed, error, undoes, undoneBy } = detail;
  const { decision, isReplaced, counts } = detail;
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
      ['Counts', countWords(counts)],
    ),
    uncounted(detail),
  ];
}

/** The result in one sentence, and why it is only a part. */
function resultPart({ status, finishedAt, counts, complete, feed, withoutFiles = 0 }: RunDetailView): Block {
  const done = countText(counts);
  if (finishedAt === undefined || status === 'planned' || (done === '' && counts.read === 0)) return undefined;
  const left = countWords(counts, ['rejected', 'failed', 'held', 'notSent', 'unremoved']);
  const sentences = [
    `${done || 'Nothing was changed on the site'}${counts.read > 0 ? `, of ${figureOf(counts.read, 'record')}` : ''}.`,
    left && `Not delivered: ${left}.`,
    withoutFiles > 0 && `${figureOf(withoutFiles, 'record')} lacked a file at the end.`,
    feed && !complete && 'The feed was not read completely, so nothing counts as missing.',
  ];
  return paragraph(styled('strong', sentences.filter(Boolean).join(' ')));
}

/** A run in progress has not countWords all of its records, and a plan keeps no list of those that would be created or changed. */
function uncounted({ counts, kind, sync, finishedAt }: RunDetailView): Block {
  const undone = countUndone(counts);
  if (finishedAt === undefined || undone === 0) return undefined;
  if (kind !== 'plan')
    return noticeOf('warning', `The counts do not balance: ${figureOf(undone, 'record')} are not accounted for.`);
  const list = proseOf('`feedferry plan SYNC`', { sync });
  return paragraph(
    say`A run would create or change ${figureOf(undone, 'record')}. A plan applies nothing and keeps no list of them: ${list} shows them.`,
  );
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return figureOf(bytes, 'byte');
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
