import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { createHousekeeping } from '../../../src/app/housekeeping.ts';

const retention = { runsMs: 1, rejectsMs: 2, beforeImagesMs: 3, filesMs: 4 };
const unaborted = new AbortController().signal;

function housekeeping({ isOurTurn = true, run = async () => 3 } = {}) {
  const sweep = { takeTurn: vi.fn(async () => isOurTurn), run: vi.fn(run) };
  const logged: Array<{ level: number; msg: string }> = [];
  const log = pino({}, { write: (line: string) => logged.push(JSON.parse(line)) });
  return { ...createHousekeeping({ ledger: { retention: sweep }, retention, log }), sweep, logged };
}

describe('tidying', () => {
  test('sweeps by what is configured, and says so', async () => {
    const { tidy, sweep, logged } = housekeeping();
    await tidy(unaborted);
    expect(sweep.run).toHaveBeenCalledExactlyOnceWith(retention, expect.any(AbortSignal));
    expect(logged).toMatchObject([{ level: 30, rows: 3 }]);
  });

  test('leaves it to the others, or to the next time', async () => {
    const { tidy, sweep } = housekeeping({ isOurTurn: false });
    await tidy(unaborted);
    expect(sweep.run).not.toHaveBeenCalled();
    await tidy(AbortSignal.abort());
    expect(sweep.takeTurn).toHaveBeenCalledOnce();
  });

  test('fails nobody', async () => {
    const { tidy, logged } = housekeeping({ run: () => Promise.reject(new Error('locked')) });
    await tidy(unaborted);
    expect(logged).toMatchObject([{ level: 40, err: { message: 'locked' } }]);
  });

  test('ends with the signal', async () => {
    const stopping = new AbortController();
    const { tidy, sweep } = housekeeping();
    await tidy(stopping.signal);
    const [, signal] = sweep.run.mock.calls[0] as unknown as [unknown, AbortSignal];
    expect(signal.aborted).toBe(false);
    stopping.abort();
    expect(signal.aborted).toBe(true);
  });
});
