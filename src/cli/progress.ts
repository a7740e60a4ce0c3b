import { clearLine, cursorTo } from 'node:readline';
import type { RunProgress } from '../sync/run-context.ts';

const REDRAW_MS = 100;

export interface ProgressLine {
  show(progress: RunProgress): void;
  /** Takes the line away, so that other output may follow. */
  clear(): void;
}

/** A live line on a terminal; nothing where standard error is piped. */
export function createProgressLine(stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  if (!stream.isTTY) return { show() {}, clear() {} };
  let drawnAt = 0;
  let startedAt = 0;
  return { show, clear };

  function show(progress: RunProgress): void {
    if (progress.phase === 'reading') startedAt = 0;
    else if (startedAt === 0) startedAt = Date.now();
    if (Date.now() - drawnAt < REDRAW_MS) return;
    drawnAt = Date.now();
    clear();
    stream.write(describe(progress));
  }

  function describe(progress: RunProgress): string {
    if (progress.phase === 'reading') return `${progress.sync}: reading …`;
    const { sync, settled, total } = progress;
    const seconds = (Date.now() - startedAt) / 1000;
    const rate = seconds > 0 ? settled / seconds : 0;
    return `${sync}: ${settled} of ${total} records delivered, ${rate.toFixed(0)} a second`;
  }

  function clear(): void {
    clearLine(stream, 0);
    cursorTo(stream, 0);
  }
}
