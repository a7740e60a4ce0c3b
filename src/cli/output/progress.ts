import { clearLine, cursorTo } from 'node:readline';
import { describeCounts } from '../../core/run.ts';
import type { RunProgress } from '../../sync/context/run-context.ts';

const BAR_WIDTH = 20;
const REDRAW_MS = 100;
/** Columns of a terminal that does not report how many it has. */
const NARROW = 80;
/** Between two lines of a log. */
const LINE_MS = 5_000;
/** The pace is that of the last seconds. */
const WINDOW_MS = 10_000;

export type ProgressLine = ReturnType<typeof createProgressLine>;

/** Shows a live line on a terminal. If standard error is piped: a line every few seconds of a backfill, else nothing. */
export function createProgressLine(stream: NodeJS.WriteStream = process.stderr) {
  const rate = createRate();
  let shownAt = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  return { show, clear };

  function show(progress: RunProgress): void {
    const perSecond = measure(progress);
    if (!(stream.isTTY ? Date.now() - shownAt >= REDRAW_MS : isLineDue(progress))) return;
    shownAt = Date.now();
    clear();
    const text = describeProgress(progress, perSecond);
    stream.write(stream.isTTY ? `${bar(progress)}${text}`.slice(0, (stream.columns || NARROW) - 1) : `${text}\n`);
  }

  /** Removes the line, so that other output can follow. */
  function clear(): void {
    if (!stream.isTTY) return;
    clearLine(stream, 0);
    cursorTo(stream, 0);
  }

  function isLineDue(progress: RunProgress): boolean {
    if (progress.phase !== 'backfilling' && progress.phase !== 'waiting') return false;
    const wasWaiting = isWaiting;
    isWaiting = progress.phase === 'waiting';
    if (progress.phase === 'waiting') return !wasWaiting;
    return progress.done === progress.total || Date.now() - shownAt >= LINE_MS;
  }

  function measure(progress: RunProgress): number | undefined {
    if (progress.phase === 'delivering') return rate.measure(progress.settled, Date.now());
    if (progress.phase === 'backfilling' || progress.phase === 'verifying')
      return rate.measure(progress.done, Date.now());
    rate.forget();
    return undefined;
  }
}

/** Measures how fast a count grows, over the last seconds. */
export function createRate() {
  let samples: Array<{ count: number; time: number }> = [];
  return { measure, forget };

  /**
   * @param time ms since 1970
   * @returns how many a second; undefined: too early to say
   */
  function measure(count: number, time: number): number | undefined {
    samples.push({ count, time });
    // One sample from before the window stays, so that the whole window is measured.
    while ((samples[1]?.time ?? time) < time - WINDOW_MS) samples.shift();
    const [first] = samples;
    if (!first || time - first.time < 1000) return undefined;
    return ((count - first.count) * 1000) / (time - first.time);
  }

  /** Discards the samples, because something else is counted from now on. */
  function forget(): void {
    samples = [];
  }
}

/**
 * Describes a progress: "talks: 1500 of 12000 records (12 %), 85/s, 2 min left; 1400 created, 60 updated".
 * @param perSecond undefined: not known yet
 */
export function describeProgress(progress: RunProgress, perSecond?: number): string {
  const { phase, sync } = progress;
  if (phase === 'reading') return `${sync}: reading the feed …`;
  if (phase === 'waiting') return `${sync}: waiting for another run to finish …`;
  const { done, total, counts } = measured(progress);
  const things = phase === 'verifying' ? 'items compared' : 'records';
  const share = `${sync}: ${done} of ${total} ${things} (${percent(done, total)} %)`;
  const pace = perSecond === undefined ? [] : [`${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`];
  const left = perSecond && done < total ? [`${duration((total - done) / perSecond)} left`] : [];
  const outcomes = { ...counts, read: 0 };
  return [[share, ...pace, ...left].join(', '), describeCounts(outcomes)].filter(Boolean).join('; ');
}

/** Draws a progress as a bar, followed by a space; empty if there is nothing to measure. */
export function bar(progress: RunProgress): string {
  if (progress.phase === 'reading' || progress.phase === 'waiting') return '';
  const { done, total } = measured(progress);
  const full = Math.floor((percent(done, total) * BAR_WIDTH) / 100);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} `;
}

function measured(progress: Extract<RunProgress, { total: number }>) {
  if (progress.phase === 'verifying') return { ...progress, counts: {} };
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
