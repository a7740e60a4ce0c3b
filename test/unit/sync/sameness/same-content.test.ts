import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../../../src/sync/sameness/candidate.ts';
import { matchByContent, matchByPlace } from '../../../../src/sync/sameness/same-content.ts';

const event = (key: string, title: string, date = '2027-01-01', start = '10:00:00'): Candidate => ({
  key,
  resource: 'events',
  payload: { title, date, endDate: date, time: { start, end: '11:00:00', type: 'timed' } },
});

const account = (key: string, payload: Candidate['payload']): Candidate => ({ key, resource: 'accounts', payload });

/** The matches by keys. */
function match(gone: readonly Candidate[], fresh: readonly Candidate[], ...constants: string[]) {
  return matchByContent(gone, fresh, { constants: new Set(constants) }).map(([old, found]) => [old.key, found.key]);
}

describe('Events under new keys', () => {
  test('An event is recognised by title, dates and start, whatever else changed', () => {
    const links = match(
      [event('old-1', 'A b'), event('old-2', 'B')],
      [event('new-1', 'a  B '), event('new-2', 'B', '2027-01-02')],
    );
    expect(links).toEqual([['old-1', 'new-1']]);
  });

  test.each([
    ['another title', event('new', 'B')],
    ['another start', event('new', 'A', '2027-01-01', '11:00:00')],
    ['another day', event('new', 'A', '2027-01-02')],
    ['no title', { ...event('new', 'A'), payload: { date: '2027-01-01' } }],
  ])('An event with %s is another one', (_, found) => {
    expect(match([event('old', 'A')], [found])).toEqual([]);
  });

  test('An ambiguous record is not recognised', () => {
    const [gone, fresh] = [
      [event('old-1', 'A'), event('old-2', 'A')],
      [event('new-1', 'A'), event('new-2', 'A')],
    ];
    expect(match(gone, fresh)).toEqual([]);
  });

  test.each([
    ['as many are missing as are new', ['A at Hall', 'A at Hall'], ['A at HALL', 'A at Hall'], ['0 0', '1 1']],
    ['others are elsewhere', ['A at Hall', 'A at Club'], ['A at Lab', 'A at Hall'], ['0 1']],
    ['more are missing than are new', ['A at Hall', 'A at Hall'], ['A at Hall'], ['0 0']],
    ['more are new than are missing', ['A at Hall'], ['A at Club', 'A at Hall', 'A at Hall'], ['0 1']],
    [
      '9 is before 10',
      [...'012345678', '9', '10'].map(() => 'A at Hall'),
      [...'012345678', '9', '10'].map(() => 'A at Hall'),
      [...'012345678', '9', '10'].map((key) => `${key} ${key}`),
    ],
    ['no place is named', ['A', 'A'], ['A', 'A'], []],
  ])('Of events that are listed several times, those at one place are recognised: %s', (_, gone, fresh, expected) => {
    const listed = (names: readonly string[]) =>
      names.map((name, index) => {
        const [title = '', location] = name.split(' at ');
        const { payload, ...rest } = event(String(index), title);
        return { ...rest, payload: { ...payload, ...(location && { location }) } };
      });
    const pairs = matchByPlace(listed(gone), listed(fresh));
    expect(pairs.map(([old, found]) => `${old.key} ${found.key}`)).toEqual(expected);
  });

  test('Links are one to one, and never between different records', () => {
    const candidates = (prefix: string) =>
      fc
        .array(fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.constantFrom('2027-01-01', '2027-01-02')), { maxLength: 12 })
        .map((list) => list.map(([title, date], index) => event(`${prefix}${index}`, title, date)));
    fc.assert(
      fc.property(candidates('old'), candidates('new'), (gone, fresh) => {
        const links = matchByContent(gone, fresh, { constants: new Set() });
        for (const side of [0, 1] as const) expect(new Set(links.map((link) => link[side])).size).toBe(links.length);
        for (const [old, found] of links) expect(found.payload).toEqual(old.payload);
      }),
    );
  });
});

describe('Accounts under new keys', () => {
  const anna = { username: 'anna', email: 'desk@x.org', lastName: 'Anna' };

  test.each<[string, Candidate, Candidate, string[]?]>([
    ['only the key has changed', account('7', anna), account('007', anna)],
    ['the case of names has changed, too', account('7', anna), account('007', { ...anna, email: ' Desk@X.org' })],
    ['an attribute holds the key', account('7', { ...anna, no: '7' }), account('007', { ...anna, no: '007' })],
    ['the CMS has more attributes', account('7', { ...anna, mark: 's:7' }), account('007', anna)],
    ['an empty value was never delivered', account('7', anna), account('007', { ...anna, phone: null })],
  ])('An account is recognised if %s', (_, old, found) => {
    expect(match([old], [found])).toEqual([[old.key, found.key]]);
  });

  test.each<[string, Candidate, Candidate, string[]?]>([
    [
      'only the e-mail address is equal',
      account('1', anna),
      account('3', { ...anna, username: 'nils', lastName: 'N' }),
    ],
    ['only the user name is equal', account('1', anna), account('3', { ...anna, email: 'n@x.org', lastName: 'N' })],
    ['the person has another name', account('1', anna), account('3', { ...anna, lastName: 'Nils' })],
    ['nothing but an address is known', account('1', { email: 'a@x.org' }), account('3', { email: 'a@x.org' })],
    [
      'all records have the other attributes',
      account('1', { email: 'a@x.org', role: 'editor', isActive: true }),
      account('3', { email: 'a@x.org', role: 'editor', isActive: true }),
      ['role'],
    ],
    ['the user name is the key', account('anna', anna), account('nils', { ...anna, username: 'nils' })],
    ['it has no name', account('1', { lastName: 'A', phone: '1' }), account('3', { lastName: 'A', phone: '1' })],
  ])('An account is another one if %s', (_, old, found, constants = []) => {
    expect(match([old], [found], ...constants)).toEqual([]);
  });
});
