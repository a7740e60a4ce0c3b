import { describe, expect, test } from 'vitest';
import { sharedFileSystem } from '../../../src/doctor/checks/data-dir.ts';
import { evictionOf, persistenceOf, versionOf } from '../../../src/doctor/checks/redis-check.ts';
import { targetFinding } from '../../../src/doctor/cms/target-state.ts';
import { clockFinding } from '../../../src/doctor/findings/finding.ts';

describe('Findings about Redis', () => {
  test.each([
    ['6.2.0', 'ok'],
    ['7.0.15', 'ok'],
    ['10.0', 'ok'],
    [undefined, 'ok'],
    ['6.0.16', 'problem'],
    ['5.0.7', 'problem'],
  ])('The version %s is %s', (version, is) => {
    expect(versionOf({ ...(version ? { version } : {}) }).is).toBe(is);
  });

  test('An eviction policy that drops jobs is a problem, with consequence and remedy', () => {
    expect(evictionOf({ evictionPolicy: 'noeviction', maxMemory: 0 }).is).toBe('ok');
    expect(evictionOf({}).is).toBe('ok');
    expect(evictionOf({ evictionPolicy: 'allkeys-lru', maxMemory: 1024 })).toEqual({
      check: 'redis.eviction',
      is: 'problem',
      message: 'maxmemory-policy is allkeys-lru, maxmemory is 1024 bytes.',
      follows: expect.stringMatching(/drops jobs/),
      remedy: expect.stringMatching(/noeviction/),
    });
  });

  test.each([
    [{ appendOnly: true, snapshots: false }, 'ok'],
    [{ appendOnly: false, snapshots: true }, 'ok'],
    [{ appendOnly: false, snapshots: false }, 'warning'],
    [{ appendOnly: false }, 'warning'],
  ])('The persistence %o is %s', (state, is) => {
    expect(persistenceOf(state).is).toBe(is);
  });
});

describe('The finding about a target', () => {
  const flows = { epoch: 3 };
  const pace = { limit: 4, perSecond: 4.5678, idleMs: {}, idleFailures: 0, changedAt: 0 };
  const stopped = {
    epoch: 2,
    stop: { credentials: 'abc', code: 'FF_CMS_UNAUTHORIZED', reason: 'answered with 401' },
  } as const;
  const paused = { epoch: 2, pause: { forMs: 41_200, reason: 'busy', count: 1 } } as const;

  test.each([
    ['that gets requests', flows, flows, 'ok', /neither paused nor stopped/],
    [
      'whose pace is known',
      flows,
      { ...flows, pace },
      'ok',
      /takes requests at this pace: 4 in flight and 4\.6 a second/,
    ],
    ['whose stop doctor has ended', stopped, flows, 'ok', /was stopped.*FF_CMS_UNAUTHORIZED.*requests are sent again/],
    [
      'whose pause doctor has ended',
      { ...paused, pause: { ...paused.pause, forMs: -1 } },
      flows,
      'ok',
      /are sent again/,
    ],
    ['that stays stopped', stopped, stopped, 'problem', /is stopped.*FF_CMS_UNAUTHORIZED/],
    ['that is stopped by doctor’s own token', flows, stopped, 'problem', /is stopped/],
    ['that stays paused', paused, paused, 'warning', /another 42 s, because it asked for a pause/],
  ])('describes a target %s', (_, before, after, is, message) => {
    expect(targetFinding(before, after)).toMatchObject({ check: 'cms.state', is });
    expect(targetFinding(before, after).message).toMatch(message);
  });
});

test('Clocks more than half a minute apart are reported, in either direction', () => {
  expect(clockFinding('c', 'the CMS', 29_000, 'x').is).toBe('ok');
  expect(clockFinding('c', 'the CMS', -31_000, 'x')).toMatchObject({
    is: 'warning',
    message: expect.stringMatching(/31 s behind/),
    follows: 'x',
  });
  expect(clockFinding('c', 'the CMS', 7_200_000, 'x').message).toMatch(/7200 s ahead of/);
});

test('Shared file systems are recognised on Linux, by statfs', () => {
  expect(sharedFileSystem(0x6969, 'linux')).toBe('NFS');
  expect(sharedFileSystem(0xfe534d42, 'linux')).toBe('SMB2');
  expect(sharedFileSystem(0xef53, 'linux')).toBeUndefined();
  expect(sharedFileSystem(0x6969, 'darwin')).toBeUndefined();
});
