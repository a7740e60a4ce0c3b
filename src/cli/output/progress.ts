import { clearLine, cursorTo } from 'node:readline';
import type { RunProgress } from '../../sync/context/run-context.ts';
import { bar, describeProgress } from './progress-text.ts';
import { createRate } from './rate.ts';

const REDRAW_MS = 100;
/** Columns of a terminal that does not report how many it has. */
const NARROW = 80;
/** Between two lines of a log. */
const LINE_MS = 5_000;

export type ProgressLine = ReturnType<typeof createProgressLine>;

/** Shows a live line on a terminal. If standard error is piped: a line every few seconds of a backfill, else nothing. */
export function createProgressLine(stream: NodeJS.WriteStream = process.stderr) {
  return stream.isTTY ? liveLine(stream) : plainLines(stream);
}

function liveLine(stream: NodeJS.WriteStream) {
  const rate = createRate();
  let drawnAt = 0;
  return { show, clear };

  function show(progress: RunProgress): void {
    const perSecond = measure(rate, progress);
    if (Date.now() - drawnAt < REDRAW_MS) return;
    drawnAt = Date.now();
    clear();
    stream.write(`${bar(progress)}${describeProgress(progress, perSecond)}`.slice(0, (stream.columns || NARROW) - 1));
  }

  /** Takes the line away, so that other output may follow. */
  function clear(): void {
    clearLine(stream, 0);
    cursorTo(stream, 0);
  }
}

function plainLines(stream: NodeJS.WriteStream) {
  const rate = createRate();
  let writtenAt = Number.NEGATIVE_INFINITY;
  let last = '';
  return { show, clear() {} };

  function show(progress: RunProgress): void {
    const perSecond = measure(rate, progress);
    if (progress.phase !== 'backfilling' && progress.phase !== 'waiting') return;
    const isNews = progress.phase === 'waiting' ? last !== 'waiting' : progress.done === progress.total;
    const isDue = progress.phase === 'backfilling' && Date.now() - writtenAt >= LINE_MS;
    last = progress.phase;
    if (!isNews && !isDue) return;
    writtenAt = Date.now();
    stream.write(`${describeProgress(progress, perSecond)}\n`);
  }
}

function measure(rate: ReturnType<typeof createRate>, progress: RunProgress): number | undefined {
  if (progress.phase === 'delivering') return rate.measure(progress.settled, Date.now());
  if (progress.phase === 'backfilling') return rate.measure(progress.done, Date.now());
  rate.forget();
  return undefined;
}
