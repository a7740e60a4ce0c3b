import { describe, expect, test } from 'vitest';
import { externalIdsOf, keyOn } from '../../../../src/sync/items/external-id.ts';

const sync = {
  name: 'events',
  renamedFrom: ['talks'],
  sources: [{ name: 'central' }, { name: 'music', renamedFrom: ['music-events', 'concerts'] }],
};
type Sync = Parameters<typeof keyOn>[1];
const idsOf = (key: string) => externalIdsOf({ sync: 'events', key }, sync);
const keyOf = (id: string) => keyOn({ id }, sync as unknown as Sync, 'id');

describe('The external ids of a sync with several sources', () => {
  test('are its own, and those of former syncs, each with the keys that it had', () => {
    expect(idsOf('music/7')).toEqual(['events:music/7', 'talks:music/7', 'music-events:7', 'concerts:7']);
    expect(idsOf('central/7')).toEqual(['events:central/7', 'talks:central/7']);
  });

  test.each([
    ['events:music/7', 'music/7'],
    ['talks:central/7', 'central/7'],
    ['music-events:7', 'music/7'],
    ['concerts:a:b', 'music/a:b'],
    ['others:7', undefined],
    ['7', undefined],
  ])('are read as its keys: %s', (id, key) => expect(keyOf(id)).toBe(key));
});
