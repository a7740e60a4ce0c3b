import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { CodedError } from '../../../../src/core/errors.ts';
import { capped } from '../../../../src/doctor/findings/capped.ts';
import type { Check, Finding } from '../../../../src/doctor/findings/finding.ts';

const fine: Finding = { check: 'thing', is: 'ok', message: 'It works.' };

function check(find: Check['find'], withinMs = 20_000): Check {
  return { name: 'thing', asks: 'the thing (https://example.edu/)', withinMs, find };
}

async function find(examined: Check, signal = new AbortController().signal): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of capped(examined, signal)) findings.push(finding);
  return findings;
}

describe('Checks under a time limit', () => {
  test('A check returns its findings and no others', async () => {
    const examined = check(async function* () {
      yield fine;
    });
    expect(await find(examined)).toEqual([fine]);
  });

  test('A check turns an error into a problem with code and remedy, after its findings', async () => {
    const examined = check(async function* () {
      yield fine;
      throw new CodedError('FF_FEED_MISSING', 'There is no feed.');
    });
    expect(await find(examined)).toEqual([
      fine,
      {
        check: 'thing',
        is: 'problem',
        message: 'There is no feed.',
        remedy: expect.any(String),
        code: 'FF_FEED_MISSING',
      },
    ]);
  });

  test('A check ends when its time is up, even if it ignores the signal', async () => {
    const heedless = check(async function* () {
      yield fine;
      await new Promise(() => {});
    }, 20);
    const heedful = check(async function* (signal) {
      await once(signal, 'abort');
      signal.throwIfAborted();
      yield fine;
    }, 20);
    const overdue = {
      check: 'thing',
      is: 'problem',
      message: expect.stringMatching(/from the thing \(https.* within 0.02 s/),
    };
    expect(await find(heedless)).toMatchObject([fine, overdue]);
    expect(await find(heedful)).toMatchObject([overdue]);
  });

  test('A check closes its resources, also when its time is up', async () => {
    const closed = Promise.withResolvers<void>();
    const examined = check(async function* (signal) {
      try {
        await once(signal, 'abort');
        yield fine;
        yield fine;
      } finally {
        closed.resolve();
      }
    }, 20);
    await find(examined);
    await closed.promise;
  });

  test('A check ends without a finding when doctor is stopped', async () => {
    const stop = new AbortController();
    const examined = check(async function* () {
      yield fine;
      stop.abort();
      await new Promise(() => {});
    });
    expect(await find(examined, stop.signal)).toEqual([fine]);
  });
});
