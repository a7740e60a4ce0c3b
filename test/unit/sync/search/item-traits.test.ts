import { describe, expect, test } from 'vitest';
import type { Payload, Resource } from '../../../../src/core/record.ts';
import { externalIdTrait, itemTraits, likenessOf } from '../../../../src/sync/search/item-traits.ts';

function compare(resource: Resource, content: Payload, item: Record<string, unknown>) {
  const traits = itemTraits(resource, { id: 1, ...item }, 'source_key');
  const { same, similar } = likenessOf(resource, content);
  if (same.some((trait) => traits.includes(trait))) return 'same';
  return similar.some((trait) => traits.includes(trait)) ? 'similar' : 'other';
}

describe('An event', () => {
  const talk = { title: 'Old Maps', date: '2027-03-01', endDate: '2027-03-01', time: { start: '18:00:00' } };

  test.each([
    ['as it was sent', {}, 'same'],
    ['with other case, blanks and a short time', { title: 'OLD  Maps ', time: { start: '18:00' } }, 'same'],
    ['whose end the CMS has changed', { endDate: null, time: { start: '18:00:00', end: '20:00:00' } }, 'same'],
    ['whose start the CMS does not show', { time: { start: null } }, 'same'],
    ['at another time of the day', { time: { start: '19:00:00' } }, 'other'],
    ['on another day', { date: '2027-03-02' }, 'other'],
    ['of another record', { source_key: 'talks:T2' }, 'other'],
    ['whose external id is empty', { source_key: '' }, 'same'],
  ])('is compared with an item %s', (_, shown, expected) => {
    expect(compare('events', talk, { ...talk, ...shown })).toBe(expected);
  });
});

describe('Accounts', () => {
  test.each<[Payload, Record<string, unknown>, string]>([
    [{ email: 'Ada@Example.edu', username: 'ada' }, { email: 'ada@example.edu', username: 'ADA' }, 'same'],
    [{ email: 'ada@example.edu', username: 'ada' }, { email: 'ada@example.edu', username: 'bob' }, 'similar'],
    [{ email: 'ada@example.edu', username: 'ada' }, { email: 'bob@example.edu', username: 'ada' }, 'similar'],
    [{ email: 'ada@example.edu', username: 'ada' }, { email: '', username: 'ada' }, 'similar'],
    [{ email: 'ada@example.edu' }, { email: 'ada@example.edu', username: 'ada' }, 'same'],
    [{ email: null, username: 'ada' }, { email: 'ada@example.edu', username: 'ada' }, 'same'],
    [{ firstName: 'Ada' }, { firstName: 'Ada' }, 'other'],
    [{ email: 'ada@example.edu' }, { email: 'ada@example.edu', source_key: 'staff:bob' }, 'other'],
  ])('The account %j in a CMS that has %j is %s', (content, item, expected) => {
    expect(compare('accounts', content, item)).toBe(expected);
  });

  test('An item with the external id of the record is identified by it alone', () => {
    const item = { id: 1, email: 'ada@example.edu', source_key: 'staff:ada' };
    expect(itemTraits('accounts', item, 'source_key')).toEqual([externalIdTrait('staff:ada')]);
    expect(itemTraits('accounts', item, undefined)).not.toContain(externalIdTrait('staff:ada'));
  });
});
