import { expect, test } from 'vitest';
import type { Payload } from '../../../../src/core/record.ts';
import type { Member } from '../../../../src/ledger/members/members.ts';
import type { PublishedCluster } from '../../../../src/ledger/members/open-clusters.ts';
import { type ClusterState, type MergeRules, mergeMembers } from '../../../../src/sync/merge/merge-members.ts';

const CONCERT = { title: 'Requiem', date: '2031-03-01' };

const rules: MergeRules = {
  sources: ['central', 'music', 'press'],
  fill: { description: ['music', 'press'], image: ['music'] },
  maps: new Map([['press', { description: { field: 'text', default: 'More soon' } }]]),
};

function member(source: string, payload: Payload = {}, files: string[] = []): Member {
  const attachments = files.map((attribute) => ({
    attribute,
    source: { is: 'location' as const, location: `./${source}.png` },
  }));
  return {
    ...{ key: `${source}/1`, source, cluster: 'central/1', place: 'line 2', sourceHash: source, eventHash: 'e' },
    ...{ missedReadings: 0, readNo: 1, attachments },
    payload: { ...CONCERT, ...payload },
  };
}

const before = (payload: Payload, givenBy: Record<string, string>): PublishedCluster => ({
  ...{ payload: { ...CONCERT, ...payload }, files: [] },
  givenBy: { '': 'central', ...givenBy },
});

test.each<[string, ClusterState['members'], Partial<ClusterState>, Payload, Record<string, string>]>([
  [
    'The best source that has a value fills it',
    [member('central', { description: 'Short' }), member('music', { description: 'Long' })],
    {},
    { description: 'Long' },
    { '': 'central', description: 'music' },
  ],
  [
    'A default fills nothing',
    [member('central', { description: 'Short' }), member('press', { description: 'More soon' })],
    {},
    { description: 'Short' },
    { '': 'central' },
  ],
  [
    'A filled value is cleared once its giver has left',
    [member('central')],
    { before: before({ description: 'Long' }, { description: 'music' }) },
    { description: null },
    { '': 'central' },
  ],
  [
    'A filled value is replaced by that of the next source once its giver has left',
    [member('central'), member('press', { description: 'Press text' })],
    { before: before({ description: 'Long' }, { description: 'music' }) },
    { description: 'Press text' },
    { '': 'central', description: 'press' },
  ],
  [
    'What the publisher itself gives no longer is not cleared here',
    [member('central')],
    { before: before({ location: 'Hall' }, {}) },
    {},
    { '': 'central' },
  ],
  [
    'What the former publisher gave is cleared',
    [member('music')],
    { before: before({ location: 'Hall' }, {}) },
    { location: null },
    { '': 'music' },
  ],
  [
    'A member that has gone astray keeps what it gave, and gives nothing new',
    [member('central'), member('music', { description: 'Of another day' })],
    { before: before({ description: 'Long' }, { description: 'music' }), astray: new Set(['music/1']) },
    { description: 'Long' },
    { '': 'central', description: 'music' },
  ],
])('%s', (_, members, more, payload, givenBy) => {
  const merged = mergeMembers({ members, astray: new Set(), ...more }, rules);
  expect(merged.payload).toEqual({ ...CONCERT, ...payload });
  expect(merged.givenBy).toEqual(givenBy);
});

test('A picture that another source gives is its file, not its value', () => {
  const members = [member('central', { image: null }), member('music', {}, ['image'])] as const;
  const { payload, attachments } = mergeMembers({ members, astray: new Set() }, rules);
  expect(payload).toEqual(CONCERT);
  expect(attachments).toMatchObject([{ attribute: 'image', source: { location: './music.png' } }]);
});
