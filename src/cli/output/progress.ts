import { clearLine, cursorTo } from 'node:readline';
import type { RunProgress } from '../../sync/context/run-context.ts';
import { columnsOf, truncate } from './print.ts';

const BAR_WIDTH = 10;
const REDRAW_MS = 100;
/** Noun for the things that each phase counts. */
const THINGS = { reading: 'records read', delivering: 'records', verifying: 'items' } as const;
/** Columns of a terminal that does not report how many it has. */
const NARROW = 80;
/** Time between two lines of a log. */
const LINE_MS = 5_000;
/** Period over which the pace is measured. */
const WINDOW_MS = 10_000;

export type ProgressLine = ReturnType<typeof createProgressLine>;

/**
 * Shows a live line on a terminal.
 * @param options `isLogged`: if standard error is piped, prints a line every few seconds, else nothing
 */
export function createProgressLine(stream: NodeJS.WriteStream = process.stderr, { isLogged = false } = {}) {
  const rate = createRate();
  let shownAt = Number.NEGATIVE_INFINITY;
  let measured = '';
  return { show, clear };

  function show(progress: RunProgress): void {
    const counted = `${progress.phase} ${progress.sync}`;
    const isFirst = counted !== measured;
    if (isFirst) rate.forget();
    measured = counted;
    const perSecond = rate.measure(doneOf(progress), Date.now());
    if (!(stream.isTTY ? Date.now() - shownAt >= REDRAW_MS : isLogged && (isFirst || isLineDue(progress)))) return;
    shownAt = Date.now();
    clear();
    // A line that fills the last column would wrap on some terminals.
    const line = stream.isTTY && lineOf(progress, perSecond, (stream.columns || NARROW) - 1);
    stream.write(line || `${describeProgress(progress, perSecond)}\n`);
  }

  /** Removes the line, so that other output can follow. */
  function clear(): void {
    if (!stream.isTTY) return;
    clearLine(stream, 0);
    cursorTo(stream, 0);
  }

  function isLineDue(progress: RunProgress): boolean {
    return doneOf(progress) === totalOf(progress) || Date.now() - shownAt >= LINE_MS;
  }
}

/** Measures how fast a count grows, over the last seconds. */
export function createRate() {
  let samples: Array<{ count: number; time: number }> = [];
  return { measure, forget };

  /**
   * @param time ms since 1970
   * @returns the growth of the count per second; undefined at the beginning
   */
  function measure(count: number, time: number): number | undefined {
    samples.push({ count, time });
    // Keeps one sample from before the window, so that the whole window is measured.
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

/** Returns the line for a terminal: with a bar if there is room, cut if it is too long. */
function lineOf(progress: RunProgress, perSecond: number | undefined, columns: number): string {
  const text = describeProgress(progress, perSecond);
  const line = `${bar(progress)}${text}`;
  return columnsOf(line) <= columns ? line : truncate(text, columns);
}

/**
 * Describes a progress: "talks: 1500 of 12000 records (12 %), 85/s, 2 min left".
 * @param perSecond the pace; undefined if it is not known yet
 */
export function describeProgress(progress: RunProgress, perSecond: number | undefined): string {
  const { phase, sync } = progress;
  const [done, total] = [doneOf(progress), totalOf(progress)];
  if (phase === 'reading' && done === 0) return `${sync}: reading the feed …`;
  const count = total === undefined ? `${done}` : `${done} of ${total}`;
  const share = total === undefined ? '' : ` (${percent(done, total)} %)`;
  const pace = perSecond === undefined ? [] : [`${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`];
  const left = perSecond && total && done < total ? [`${duration((total - done) / perSecond)} left`] : [];
  return [`${sync}: ${count} ${THINGS[phase]}${share}`, ...pace, ...left].join(', ');
}

/** Draws a progress as a bar, followed by a space; empty if the total is not known. */
export function bar(progress: RunProgress): string {
  const total = totalOf(progress);
  if (total === undefined) return '';
  const full = Math.floor((percent(doneOf(progress), total) * BAR_WIDTH) / 100);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} `;
}

function doneOf(progress: RunProgress): number {
  if (progress.phase === 'reading') return progress.read ?? 0;
  return progress.phase === 'delivering' ? progress.settled : progress.done;
}

/** Returns the number that `done` will reach; undefined if it is not known. */
function totalOf(progress: RunProgress): number | undefined {
  if (progress.phase === 'reading') return undefined;
  // Some CMSs do not report the number of items in a list.
  return progress.phase === 'verifying' && progress.total < progress.done ? undefined : progress.total;
}

/** Returns the share in percent, rounded down: 100 % only if everything is done. */
function percent(done: number, total: number): number {
  return total === 0 ? 100 : Math.floor((done * 100) / total);
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
