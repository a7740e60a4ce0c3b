import { describe, expect, test } from 'vitest';
import { type Move, moves, recordStateOf } from '../../../../scripts/record-states.ts';
import * as transitions from '../../../../src/ledger/records/transitions.ts';

type Row = Parameters<typeof recordStateOf>[0];

const settled: Row = {
  ...{ goal: 'have', expects: null, has: 1, claimed: 0 },
  ...{ knows: 'known', status: 'delivered' },
};
const undelivered: Row = { ...settled, knows: 'none', has: null, status: 'pending' };

describe('The state of a record', () => {
  test.each<{ of: string; row: Row; state: string }>([
    { of: 'a delivered record', row: settled, state: 'have known settled' },
    { of: 'a record that is to be created', row: undelivered, state: 'have none due' },
    { of: 'an undo of a delete', row: { ...undelivered, expects: 'h' }, state: 'haveOnce none due' },
    { of: 'an undo of a delete, confirmed', row: { ...settled, expects: 'h' }, state: 'have known settled' },
    { of: 'a mark', row: { ...settled, goal: 'mark' }, state: 'exactly known settled' },
    { of: 'a restore', row: { ...settled, goal: 'restore', status: 'failed' }, state: 'exactly known stuck' },
    { of: 'a delete', row: { ...settled, goal: 'delete', status: 'held' }, state: 'gone known stuck' },
    {
      of: 'a removed record',
      row: { ...undelivered, goal: 'delete', status: 'removed' },
      state: 'gone none settled',
    },
    { of: 'an item that editors deleted', row: { ...undelivered, status: 'deleted' }, state: 'leave none settled' },
    { of: 'a record that left its source', row: { ...undelivered, goal: 'leave' }, state: 'leave none due' },
    { of: 'a claim', row: { ...undelivered, claimed: 1 }, state: 'have none claimed' },
  ])('is read from its row: $of', ({ row, state }) => {
    const { goal, knows, work } = recordStateOf(row);
    expect(`${goal} ${knows} ${work}`).toBe(state);
  });
});

test('The list of moves has all of transitions.ts', () => {
  const { move, asideOf, ...named } = transitions;
  const listed = Object.entries<Move>(moves).map(([name, { by = name }]) => by);
  expect(new Set(listed)).toEqual(new Set(Object.keys(named)));
});
