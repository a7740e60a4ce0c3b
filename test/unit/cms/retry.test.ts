import { describe, expect, test } from 'vitest';
import { CmsError, type Failure, failureTable } from '../../../src/cms/errors.ts';
import { pauseBefore, retryCall } from '../../../src/cms/retry.ts';
import { systemClock as clock } from '../../../src/core/runtime/clock.ts';

const failures = Object.keys(failureTable) as Failure[];
const repeated = (method: string, retryAfterMs?: number) =>
  failures.filter(
    (failure) => pauseBefore(new CmsError(failure, '', { method, retryAfterMs }), 1, { method, clock }) !== undefined,
  );

describe('Repetitions', () => {
  const harmless: Failure[] = [
    'unreachable',
    'connection',
    'timeout',
    'response',
    'otherItem',
    'pageNotFound',
    'requestTimeout',
    'rateLimited',
    'server',
  ];

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('A %s is repeated after any failure that may pass', (method) => {
    expect(repeated(method)).toEqual(harmless);
    expect(repeated(method, 2_000)).toEqual(harmless);
    expect(repeated(method, 2_001)).toEqual([]);
  });

  test('A POST is repeated only if it never left this machine', () => {
    expect(repeated('POST')).toEqual(['unreachable']);
  });

  test('A programming error is never repeated', () => {
    expect(pauseBefore(new Error('bug'), 1, { method: 'GET', clock })).toBeUndefined();
  });
});

describe('Pauses', () => {
  const error = (retryAfterMs?: number) => new CmsError('server', '', { method: 'GET', retryAfterMs });

  test.each([
    [1, 100, 200],
    [2, 200, 400],
    [20, 1_000, 2_000],
  ])('The pause before attempt %d is %d to %d ms', (attempt, least, most) => {
    const pause = pauseBefore(error(), attempt, { method: 'GET', clock });
    expect(pause).toBeGreaterThanOrEqual(least);
    expect(pause).toBeLessThanOrEqual(most);
  });

  test('The pause is as long as the CMS asks', () => {
    expect(pauseBefore(error(1_500), 1, { method: 'GET', clock })).toBe(1_500);
    expect(pauseBefore(error(0), 1, { method: 'GET', clock })).toBeGreaterThanOrEqual(100);
  });
});

test('A response that arrives after the call was abandoned still counts', async () => {
  const stop = new AbortController();
  const attempt = async () => {
    stop.abort();
    return 'created';
  };
  expect(await retryCall(attempt, { method: 'POST', retries: 2, clock, signal: stop.signal })).toBe('created');
});
