import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Candidate, isChurn, matchByContent } from '../../../../src/sync/plan/changed-keys.ts';

const event = (key: string, title: string, date = '2027-01-01', start = '10:00:00'): Candidate => ({
  key,
  resource: 'events',
  payload: { title, date, endDate: date, time: { start, end: '11:00:00', type: 'timed' } },
});

/** The matches by keys. */
function relink(gone: readonly Candidate[], fresh: readonly Candidate[]) {
  const { links, ambiguous } = matchByContent(gone, fresh);
  return {
    links: new Map(links.map(([old, found]) => [old.key, found.key])),
    ambiguous: ambiguous.map(({ key }) => key),
  };
}

describe('Changed keys', () => {
  test('An event is recognised by title, dates and start, whatever else changed', () => {
    const { links, ambiguous } = relink(
      [event('old-1', 'A'), event('old-2', 'B')],
      [event('new-1', 'A '), event('new-2', 'B', '2027-01-02')],
    );
    expect([...links]).toEqual([['old-1', 'new-1']]);
    expect(ambiguous).toEqual([]);
  });

  test('An ambiguous record is not recognised', () => {
    const { links, ambiguous } = relink(
      [event('old-1', 'A'), event('old-2', 'A')],
      [event('new-1', 'A'), event('new-2', 'A')],
    );
    expect(links.size).toBe(0);
    expect(ambiguous).toEqual(['new-1', 'new-2']);
  });

  test('An account is recognised by its email, or by its username', () => {
    const account = (key: string, payload: Candidate['payload']): Candidate => ({ key, resource: 'accounts', payload });
    const { links } = relink(
      [account('1', { email: 'A@example.edu', username: 'a' }), account('2', { username: 'b' })],
      [account('x', { email: 'a@example.edu', username: 'z' }), account('y', { username: 'B' })],
    );
    expect([...links]).toEqual([
      ['1', 'x'],
      ['2', 'y'],
    ]);
  });

  test('Links are one to one, and never between different records', () => {
    const candidates = (prefix: string) =>
      fc
        .array(fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.constantFrom('2027-01-01', '2027-01-02')), { maxLength: 12 })
        .map((list) => list.map(([title, date], index) => event(`${prefix}${index}`, title, date)));
    fc.assert(
      fc.property(candidates('old'), candidates('new'), (gone, fresh) => {
        const { links } = matchByContent(gone, fresh);
        for (const side of [0, 1] as const) expect(new Set(links.map((link) => link[side])).size).toBe(links.length);
        for (const [old, found] of links) expect(found.payload).toEqual(old.payload);
      }),
    );
  });
});

test('A feed has churned if most records are missing and most are new', () => {
  expect(isChurn({ gone: 10, fresh: 10, kept: 0 })).toBe(true);
  expect(isChurn({ gone: 10, fresh: 3, kept: 40 })).toBe(false);
  expect(isChurn({ gone: 1, fresh: 1, kept: 0 })).toBe(false);
  expect(isChurn({ gone: 0, fresh: 50, kept: 0 })).toBe(false);
});
