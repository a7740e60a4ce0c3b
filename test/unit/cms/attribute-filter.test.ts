import { describe, expect, test } from 'vitest';
import { probeAttributeFilter } from '../../../src/cms/attribute-filter.ts';
import { CmsError, type Failure } from '../../../src/cms/errors.ts';
import type { CmsItem } from '../../../src/cms/items.ts';
import type { ListQuery } from '../../../src/cms/query.ts';

const people: CmsItem[] = ['ada@example.edu', 'o.hara+x@example.edu', 'bob@example.edu'].map((email, index) => ({
  id: index + 1,
  email,
}));

/** A list that does with the filter what `answer` says. */
function listThat(answer: (attributes: ListQuery['attributes']) => CmsItem[] | Failure) {
  const asked: Array<ListQuery['attributes']> = [];
  return {
    asked,
    async page({ attributes }: ListQuery) {
      asked.push(attributes);
      const data = answer(attributes);
      if (typeof data === 'string') throw new CmsError(data, 'no', { method: 'GET' });
      return { data };
    },
  };
}

const byEmail = (email: unknown) => people.filter((person) => person.email === email);
const bracketed = (attributes: ListQuery['attributes']) => (typeof attributes === 'object' ? attributes : undefined);

describe('Filters that work', () => {
  test('A filter is tried with the value that has the most special characters, and trusted with those only', async () => {
    const list = listThat((asked) => byEmail(bracketed(asked)?.email));
    const probe = await probeAttributeFilter(list, 'email', people);
    expect(list.asked[0]).toEqual({ email: 'o.hara+x@example.edu' });
    expect(probe?.('ada.l@example.edu')).toMatchObject({ attributes: { email: 'ada.l@example.edu' } });
    for (const strange of ['a,b@example.edu', 'a&b@example.edu', 'josé@example.edu', 'a b@example.edu'])
      expect(probe?.(strange)).toBeUndefined();
  });
});

describe('Filters that are not trusted', () => {
  const first = people.slice(0, 1);
  test.each<[string, Parameters<typeof listThat>[0], CmsItem[]]>([
    ['is ignored', () => people, people],
    ['is ignored in a list of one item', () => first, first],
    ['never finds anything', () => [], people],
    ['also finds others', (asked) => [...byEmail(bracketed(asked)?.email), ...people.slice(0, 1)], people],
    [
      'finds something for a value that no item has',
      (asked) => [byEmail(bracketed(asked)?.email)[0] ?? { id: 2 }],
      people,
    ],
    ['is refused', () => 'unprocessable', people],
    ['breaks the CMS', () => 'server', people],
  ])('A filter that %s is not trusted', async (_, answer, sample) => {
    expect(await probeAttributeFilter(listThat(answer), 'email', sample)).toBeUndefined();
  });

  test('An attribute that no item has causes no request', async () => {
    const list = listThat(() => people);
    const sample = [{ id: 1, email: '' }, { id: 2, email: null }, { id: 3 }, { id: 4, email: ' padded ' }];
    expect(await probeAttributeFilter(list, 'email', sample)).toBeUndefined();
    expect(list.asked).toEqual([]);
  });

  test.each<Failure>(['unauthorized', 'unreachable', 'rateLimited'])(
    'The failure %s is thrown, because it says nothing about the filter',
    async (failure) => {
      await expect(
        probeAttributeFilter(
          listThat(() => failure),
          'email',
          people,
        ),
      ).rejects.toThrow();
    },
  );
});
