import { expect, test } from 'vitest';
import { describeEntry } from '../../../src/app/log.ts';
import { CodedError } from '../../../src/core/errors.ts';

test('A line of the log on a terminal names what its message leaves out, and nothing twice', () => {
  expect(describeEntry({ sync: 'talks', run: 'R', counts: { read: 1 } }, 'talks: success')).toBe('talks: success');
  expect(describeEntry({ sync: 'talks', key: 'T1', code: 'FF_CMS_SERVER' }, 'It failed.')).toBe(
    'talks: T1: It failed. (FF_CMS_SERVER)',
  );
  const coded = new CodedError('FF_QUEUE_UNAVAILABLE', 'Redis is away.');
  expect(describeEntry({ err: coded }, 'Redis failed.')).toBe('Redis failed. Redis is away.');
});

test('An unexpected error has its stack', () => {
  const err = new TypeError('x is undefined');
  expect(describeEntry({ err }, 'A job failed.')).toBe(`A job failed. x is undefined\n${err.stack}`);
});
