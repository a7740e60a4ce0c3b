import { describeCounts } from '../../core/run.ts';
import type { RunProgress } from '../../sync/context/run-context.ts';

const BAR_WIDTH = 20;

/**
 * A progress in words: "talks: 1500 of 12000 records (12 %), 85/s, 2 min left; 1400 created, 60 updated".
 * @param perSecond undefined: not known yet
 */
export function describeProgress(progress: RunProgress, perSecond?: number): string {
  const { phase, sync } = progress;
  if (phase === 'reading') return `${sync}: reading the feed …`;
  if (phase === 'waiting') return `${sync}: waiting for another run to finish …`;
  const { done, total, counts } = measured(progress);
  const share = `${sync}: ${done} of ${total} records (${percent(done, total)} %)`;
  const pace = perSecond === undefined ? [] : [`${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`];
  const left = perSecond && done < total ? [`${duration((total - done) / perSecond)} left`] : [];
  const outcomes = { ...counts, read: 0 };
  return [[share, ...pace, ...left].join(', '), describeCounts(outcomes)].filter(Boolean).join('; ');
}

/** The same as a bar, followed by a blank; empty if there is nothing to measure. */
export function bar(progress: RunProgress): string {
  if (progress.phase === 'reading' || progress.phase === 'waiting') return '';
  const { done, total } = measured(progress);
  const full = Math.floor((percent(done, total) * BAR_WIDTH) / 100);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} `;
}

function measured(progress: Extract<RunProgress, { total: number }>) {
  return progress.phase === 'delivering' ? { ...progress, done: progress.settled, counts: {} } : progress;
}

/** 100 % only if all is done. */
function percent(done: number, total: number): number {
  return total === 0 ? 100 : Math.floor((done * 100) / total);
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
