import { describe, expect, test } from 'vitest';
import { planFingerprint } from '../../../src/app/fingerprint.ts';
import type { SyncConfig, TargetConfig } from '../../../src/config/types.ts';

const sync: SyncConfig = {
  name: 'talks',
  file: '/config/syncs/talks.yaml',
  resource: 'events',
  source: { connector: 'csv', url: 'https://feeds.example.edu/a.csv', feed: { auth: { bearer: 'a' } }, options: {} },
  key: { fields: ['id'], normalize: ['trim'] },
  map: { title: { field: 'name' } },
  attachments: {},
  onAttachmentError: 'publish',
  onDeletedInCms: 'leave',
  missing: { policy: 'keep' },
};
const target: TargetConfig = {
  baseUrl: 'https://www.example.edu',
  token: 't',
  timezone: 'America/New_York',
  concurrency: 8,
  adaptsConcurrency: false,
  maxAttempts: 5,
  backoffMs: 1,
  maxBackoffMs: 1,
  timeoutMs: 1,
  lookupAfterMs: 1,
  allowHttp: false,
};
const noon = Date.parse('2027-03-01T12:00:00Z');
const print = (changed: Partial<SyncConfig> = {}, at: Partial<TargetConfig> = {}, version = '1', now = noon) =>
  planFingerprint({ ...sync, ...changed }, { ...target, ...at }, version, now);

test.each([
  ['the map', print({ map: { title: { field: 'title' } } })],
  ['the text of a TypeScript file', print({ scriptHash: 'f00d' })],
  ['which records count', print({ when: { field: 'a', present: true } })],
  ['the window', print({ window: { from: '2027-01-01' } })],
  ['the key', print({ key: { fields: ['id'], normalize: [] } })],
  ['the address', print({ source: { ...sync.source, url: 'https://feeds.example.edu/b.csv' } })],
  ['an option', print({ source: { ...sync.source, options: { delimiter: ';' } } })],
  ['the site', print({}, { baseUrl: 'https://new.example.edu' })],
  ['the zone of the site', print({}, { timezone: 'Asia/Tokyo' })],
  ['the version', print({}, {}, '2')],
  ['the day', print({}, {}, '1', noon + 24 * 3_600_000)],
])('The fingerprint of a plan depends on %s', (_, fingerprint) => expect(fingerprint).not.toBe(print()));

test('The fingerprint of a plan does not depend on credentials, pace and schedule, and the day is that of the site', () => {
  const feed = { auth: { bearer: 'b' } };
  expect(print({ source: { ...sync.source, feed }, schedule: { everyMs: 1 } }, { token: 'u', concurrency: 1 })).toBe(
    print(),
  );
  expect(print({}, {}, '1', Date.parse('2027-03-02T04:59:00Z'))).toBe(print());
  expect(print({}, {}, '1', Date.parse('2027-03-02T05:01:00Z'))).not.toBe(print());
});

describe('The fingerprint of a sync with several sources', () => {
  const { source } = sync;
  const named = (name: string, one: Partial<SyncConfig> = {}) => ({ name, sync: { ...sync, ...one } });
  const ofSources = (...sources: ReturnType<typeof named>[]) => print({ sources });

  test('does not depend on their credentials', () => {
    const feed = { auth: { bearer: 'b' } };
    expect(ofSources(named('a'), named('b', { source: { ...source, feed } }))).toBe(ofSources(named('a'), named('b')));
  });

  test('depends on their order, addresses, keys and maps', () => {
    const all = [
      print(),
      ofSources(named('a'), named('b')),
      ofSources(named('b'), named('a')),
      ofSources(named('a'), named('b', { source: { ...source, url: '/b.csv' } })),
      ofSources(named('a'), named('b', { key: { fields: ['no'], normalize: [] } })),
      ofSources(named('a'), named('b', { map: {} })),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
