import { pino } from 'pino';
import { expect, test } from 'vitest';
import { CodedError } from '../../../src/core/errors.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { createTroubleLog } from '../../../src/limits/trouble-log.ts';

function troubleLog() {
  const lines: string[] = [];
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string };
    lines.push(`${pino.levels.labels[level]} ${msg}`);
  };
  return { lines, ...createTroubleLog(pino({}, { write }), systemClock) };
}

const unwell = (count: number) => ({ pause: { forMs: 500, reason: 'unwell' as const, count } });
const busy = (count: number, forMs = 500) => ({ pause: { forMs, reason: 'busy' as const, count } });
const stop = { credentials: 'c', code: 'FF_CMS_UNAUTHORIZED' as const, reason: 'The CMS refuses the token.' };

test('However often a target is paused, its trouble is logged once, and so is its recovery', () => {
  const { lines, begin, end } = troubleLog();
  end();
  begin(unwell(1), new CodedError('FF_CMS_SERVER', 'GET calendar/events returned 503.'));
  for (let count = 2; count < 9; count++) begin(unwell(count));
  end();
  end();
  begin(unwell(1));
  expect(lines).toEqual([
    'warn The CMS is in trouble: GET calendar/events returned 503. Requests are paused until it recovers.',
    'info The CMS has recovered after 0 s. Requests are sent again.',
    'warn The CMS is in trouble. Requests are paused until it recovers.',
  ]);
});

test('A stop after pauses is another trouble', () => {
  const { lines, begin, end } = troubleLog();
  begin(unwell(1));
  begin({ stop });
  begin({ stop });
  end();
  expect(lines.map((line) => line.split(' ', 1)[0])).toEqual(['warn', 'error', 'info']);
});

test('A target that asks for short pauses is in no trouble, unless it asks for one after the other', () => {
  const { lines, begin, end } = troubleLog();
  begin(busy(1));
  end(busy(1));
  begin(busy(2));
  end(busy(2));
  expect(lines).toEqual([]);
  begin(busy(3));
  end(busy(3));
  begin(busy(1, 3_600_000));
  expect(lines.map((line) => line.split(' ', 1)[0])).toEqual(['warn', 'info', 'warn']);
});

test('The recovery from a trouble that another process has logged is logged by the one that found it', () => {
  const { lines, end } = troubleLog();
  end({ stop });
  expect(lines).toEqual(['info The CMS has recovered. Requests are sent again.']);
});
