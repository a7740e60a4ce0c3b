import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { columnsOf } from '../../../../src/cli/output/print.ts';
import { bar, createProgressLine, createRate, describeProgress } from '../../../../src/cli/output/progress.ts';
import type { RunProgress } from '../../../../src/sync/context/run-context.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

function stream(isTTY: boolean) {
  const through = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.WriteStream;
  const written: string[] = [];
  through.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  return { through, written };
}

function delivering(settled: number): RunProgress {
  return { phase: 'delivering', sync: 'talks', settled, total: 12_000 };
}

test('A terminal shows one line that is redrawn', () => {
  const { through, written } = stream(true);
  const line = createProgressLine(through);
  line.show({ phase: 'delivering', sync: 'talks', settled: 3, total: 10 });
  expect(written.join('')).toContain('███░░░░░░░ talks: 3 of 10 records (30 %)');
  line.clear();
  expect(written.join('')).not.toContain('\n');
});

const others: RunProgress[] = [
  { phase: 'reading', sync: 'campus-events', read: 120_000 },
  { phase: 'delivering', sync: 'campus-events', settled: 41_500, total: 120_000 },
  { phase: 'verifying', sync: 'campus-events', done: 41_500, total: 120_000 },
  { phase: 'verifying', sync: 'campus-events', done: 300, total: 0 },
  { ...delivering(1500), sync: 'a-sync-with-a-rather-long-name' },
];

test.each([20, 40, 80, 120, 160])(
  'The line fits a terminal of %i columns, and is cleared before it is drawn again',
  (columns) => {
    for (const progress of [delivering(1500), ...others]) {
      const { through, written } = stream(true);
      const line = createProgressLine(Object.assign(through, { columns }));
      line.show(progress);
      const [, , drawn = ''] = written;
      expect(written.slice(0, 2).join('')).toBe('\u001b[2K\u001b[1G');
      expect(columnsOf(drawn)).toBeGreaterThan(0);
      expect(columnsOf(drawn)).toBeLessThan(columns);
      expect(drawn).not.toContain('\n');
    }
  },
);

test.each([
  [80, '█░░░░░░░░░ talks: 1500 of 12000 records (12 %)'],
  [40, 'talks: 1500 of 12000 records (12 %)'],
])('In %i columns, the line has a bar if there is room', (columns, text) => {
  const progress = delivering(1500);
  const { through, written } = stream(true);
  createProgressLine(Object.assign(through, { columns })).show(progress);
  expect(written.at(-1)).toBe(text);
});

test.each(['delivering', 'verifying'] as const)(
  'A bar, rate and time left are shown while %s, at 80 columns',
  (phase) => {
    const { through, written } = stream(true);
    const line = createProgressLine(Object.assign(through, { columns: 80 }));
    for (let second = 0; second < 5; second++) {
      const done = second * 500;
      line.show({ phase, sync: 'campus-events', settled: done, done, total: 120_000 } as RunProgress);
      vi.setSystemTime(Date.now() + 1000);
    }
    expect(written.at(-1)).toMatch(/^░+ campus-events: 2000 of 120000 .* \(1 %\), 500\/s, 4 min left$/);
    line.show({ phase, sync: 'staff', settled: 0, done: 0, total: 10 } as RunProgress);
    expect(written.at(-1)).toMatch(/ staff: 0 of 10 [a-z ]+ \(0 %\)$/);
  },
);

test('A pipe gets no progress of a run', () => {
  const { through, written } = stream(false);
  const line = createProgressLine(through);
  line.show({ phase: 'reading', sync: 'talks' });
  line.show({ phase: 'delivering', sync: 'talks', settled: 3, total: 10 });
  line.clear();
  expect(written).toEqual([]);
});

test('A pipe gets a line of each phase and every few seconds if the command is long, and the last one', () => {
  const { through, written } = stream(false);
  const line = createProgressLine(through, { isLogged: true });
  line.show({ phase: 'reading', sync: 'talks' });
  for (let second = 0; second <= 11; second++) {
    line.show(delivering(second * 80));
    vi.setSystemTime(Date.now() + 1000);
  }
  line.show(delivering(12_000));
  expect(written.map((text) => text.trim())).toEqual([
    'talks: reading the feed …',
    'talks: 0 of 12000 records (0 %)',
    'talks: 400 of 12000 records (3 %), 80/s, 2 min left',
    'talks: 800 of 12000 records (6 %), 80/s, 2 min left',
    'talks: 12000 of 12000 records (100 %), 1084/s',
  ]);
});

test('The progress is shown as text', () => {
  expect(describeProgress(delivering(1500), 85)).toBe('talks: 1500 of 12000 records (12 %), 85/s, 2 min left');
  const left = [1500, 11_950, 12_000].map(
    (done) => /(\S+ \S+|\S+ h .*) left/.exec(describeProgress(delivering(done), 2))?.[1],
  );
  expect(left).toEqual(['1 h 28 min', '25 s', undefined]);
});

test('A bar is full only at the end', () => {
  expect(bar(delivering(11_999))).toBe(`${'█'.repeat(9)}░ `);
  expect(bar(delivering(12_000))).toBe(`${'█'.repeat(10)} `);
  expect(bar({ phase: 'delivering', sync: 'talks', settled: 0, total: 0 })).toBe(`${'█'.repeat(10)} `);
});

test('The rate covers the last seconds', () => {
  const rate = createRate();
  expect(rate.measure(0, 0)).toBeUndefined();
  expect(rate.measure(500, 5_000)).toBe(100);
  expect(rate.measure(1000, 10_000)).toBe(100);
  expect(rate.measure(1000, 20_001)).toBe(0);
  rate.forget();
  expect(rate.measure(2000, 21_000)).toBeUndefined();
});
