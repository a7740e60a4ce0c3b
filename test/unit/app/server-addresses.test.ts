import { expect, test } from 'vitest';
import { readEnvironment } from '../../../src/app/environment.ts';

test.each([
  ['DATABASE_URL', 'user:hidden@db.example.edu/feedferry'],
  ['DATABASE_URL', 'http://user:hidden@db.example.edu/feedferry'],
  ['REDIS_URL', 'http://user:hidden@redis.example.edu'],
])('%s without its scheme is refused, and not repeated', (name, url) => {
  const read = () => readEnvironment({ [name]: url });
  expect(read).toThrow(expect.objectContaining({ code: 'FF_USAGE', message: expect.stringContaining(name) }));
  expect(read).not.toThrow(/hidden/);
});

test.each([
  ['DATABASE_URL', 'postgresql:///feedferry?host=/run/postgresql'],
  ['REDIS_URL', 'rediss://:p@redis.example.edu:6380/1'],
  ['REDIS_URL', '/run/redis.sock'],
])('%s may be %s', (name, url) => {
  expect(Object.values(readEnvironment({ [name]: url }))).toContain(url);
});
