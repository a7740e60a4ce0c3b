import { expect, test } from 'vitest';
import type { Member } from '../../../../src/ledger/members/members.ts';
import { formClusters } from '../../../../src/sync/merge/form-clusters.ts';
import { eventHash } from '../../../../src/sync/merge/same-event.ts';

const CONCERT = { title: 'Requiem', date: '2031-03-01', time: { start: '19:00:00' }, location: 'Hall' };
const rules = { places: ['location'], answers: new Map(), sources: ['central', 'music'] };

function member(source: string, more: Partial<Member> = {}): Member {
  const payload = { ...CONCERT, ...more.payload };
  return {
    ...{
      key: `${source}/1`,
      source,
      place: 'line 2',
      attachments: [],
      sourceHash: source,
      missedReadings: 0,
      readNo: 1,
    },
    ...{ eventHash: eventHash(payload, rules), ...more, payload },
  };
}

function join(...members: Member[]): Record<string, string> {
  const group = { members, sourcesOf: new Map(), ownRecords: new Set<string>(), homes: new Map() };
  return Object.fromEntries(formClusters(group, rules).clusters);
}

test.each<[string, Member[], Record<string, string>]>([
  ['Equal events are one', [member('central'), member('music')], { 'central/1': 'central/1', 'music/1': 'central/1' }],
  [
    'Other events are two',
    [member('central'), member('music', { payload: { location: 'Club' } })],
    { 'central/1': 'central/1' },
  ],
  [
    'What the best source has cancelled before it was published is one event with that of another source',
    [member('central', { state: 'withdrawn' }), member('music')],
    { 'central/1': 'central/1', 'music/1': 'central/1' },
  ],
  [
    'What was rejected joins nothing',
    [member('central', { state: 'rejected' }), member('music')],
    { 'music/1': 'music/1' },
  ],
  [
    'What is missing joins nothing',
    [member('central', { missedReadings: 1 }), member('music')],
    { 'music/1': 'music/1' },
  ],
])('%s', (_, members, expected) => {
  expect(join(...members)).toEqual(expected);
  expect(join(...members.toReversed())).toEqual(expected);
});
