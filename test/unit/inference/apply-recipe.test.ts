import { describe, expect, test } from 'vitest';
import type { Proposal } from '../../../src/inference/proposal.ts';
import { propose } from '../../../src/inference/propose/propose.ts';
import { applyRecipe, recognise } from '../../../src/inference/recipes/apply-recipe.ts';
import { parseRecipe } from '../../../src/inference/recipes/recipe.ts';
import type { FeedSample } from '../../../src/inference/sample.ts';

const recipe = parseRecipe('shows', {
  title: 'Shows',
  feeds: [
    {
      connector: 'json',
      address: 'https://www.example.org/shows.json',
      recognise: [{ fields: ['show_id', ['begin', 'start']] }],
      sync: {
        resource: 'events',
        source: { ignoreSigns: ['fullPage'] },
        request: { query: { size: 100 } },
        deleted: { field: 'gone', is: [true] },
        key: ['show_id', ['show_id', 'begin'], 'uid'],
        map: { title: ['name.fr', 'name'], start: { template: '{{ begin }}{{ zone }}', needs: ['begin', 'zone'] } },
        attachments: { image: 'picture' },
        suggested: { location: 'hall' },
      },
      zoned: true,
      notes: { 'map.title': 'in French' },
      warnings: [{ field: 'more', text: 'there are more' }],
    },
  ],
});

function sampleOf(fields: Array<Record<string, unknown>>, more: Partial<FeedSample> = {}): FeedSample {
  const records = fields.map((one, index) => ({ at: `$[${index}]`, fields: one }));
  return { url: './shows.json', connector: 'json', options: {}, records, isWhole: true, head: '', ...more };
}

const show = {
  show_id: 1,
  name: { fr: 'Le bal' },
  begin: '2027-01-01T19:00',
  zone: '+01:00',
  picture: 'a.jpg',
  gone: false,
};

const inferred: Proposal = {
  resource: { value: 'events', evidence: 'names' },
  source: { connector: { value: 'json', evidence: 'text' }, timezone: { value: 'Europe/Paris', evidence: 'site' } },
  key: { value: 'uid', evidence: 'unique' },
  map: {
    title: { value: 'slug', evidence: 'guess' },
    date: { value: 'begin', evidence: 'guess' },
    isFeatured: { value: 'top', evidence: 'guess' },
  },
  attachments: {},
  when: { value: { field: 'draft', not: true }, evidence: 'guess' },
  suggested: { price: { value: 'cost', evidence: 'guess' } },
  open: ['resource', 'order of dates', 'meaning of end'].map((id) => {
    return { id, line: id, text: id, choices: [], safe: '', comment: '' };
  }),
  warnings: ['inferred'],
};

describe('A recipe', () => {
  test('replaces what was inferred, with its evidence', () => {
    const proposal = applyRecipe(recipe, sampleOf([show]), inferred);
    expect(proposal).toMatchObject({ recipe: 'shows', key: { value: 'show_id', evidence: 'recipe Shows' } });
    expect(proposal.map).toEqual({
      isFeatured: { value: 'top', evidence: 'guess' },
      title: { value: 'name.fr', evidence: 'recipe Shows: in French' },
      start: { value: { template: '{{ begin }}{{ zone }}' }, evidence: 'recipe Shows' },
    });
    expect(proposal.attachments).toEqual({ image: { value: 'picture', evidence: 'recipe Shows' } });
    expect(proposal.source).toEqual({
      connector: { value: 'json', evidence: 'text' },
      ignoreSigns: { value: ['fullPage'], evidence: 'recipe Shows' },
      deleted: { value: { field: 'gone', is: [true] }, evidence: 'recipe Shows' },
    });
    expect(proposal.when).toEqual(inferred.when);
    expect(proposal.warnings).toEqual([]);
  });

  test('leaves questions about dates open only if it does not map them', () => {
    expect(applyRecipe(recipe, sampleOf([show]), inferred).open).toEqual([]);
    const { open } = applyRecipe(recipe, sampleOf([{ show_id: 1, name: 'a', start: '1/2/2027' }]), inferred);
    expect(open.map(({ id }) => id)).toEqual(['order of dates', 'meaning of end']);
  });

  test('has query and pages only for feeds from the network', () => {
    const { source } = applyRecipe(recipe, sampleOf([show], { url: 'https://www.example.org/shows.json' }), inferred);
    expect(source.query).toEqual({ value: { size: 100 }, evidence: 'recipe Shows' });
  });

  test('leaves the lines alone that a person has corrected', () => {
    const lines = { title: 'name.fr', key: 'name.fr', image: null, 'source.deleted': null };
    const proposal = applyRecipe(recipe, sampleOf([show]), inferred, { answers: {}, lines });
    expect(proposal.map).toEqual({
      isFeatured: { value: 'top', evidence: 'guess' },
      title: { value: 'slug', evidence: 'guess' },
      start: { value: { template: '{{ begin }}{{ zone }}' }, evidence: 'recipe Shows' },
    });
    expect(proposal.key).toEqual(inferred.key);
    expect(proposal.attachments).toEqual(inferred.attachments);
    expect(proposal.source).not.toHaveProperty('deleted');
    expect(proposal.warnings).toEqual([]);
  });

  test('does not apply to a resource that a person has chosen instead', () => {
    const accounts: Proposal = { ...inferred, resource: { value: 'accounts', evidence: 'as you said' } };
    const lines = { resource: 'accounts' };
    expect(applyRecipe(recipe, sampleOf([show]), accounts, { answers: {}, lines })).toEqual(accounts);
  });

  test('leaves out what the feed does not have', () => {
    const { zone, picture, gone, ...rest } = show;
    const proposal = applyRecipe(recipe, sampleOf([{ ...rest, hall: 'A', more: 1 }]), inferred);
    expect(Object.keys(proposal.map)).toEqual(['title', 'date', 'isFeatured']);
    expect(proposal.attachments).toEqual({});
    expect(proposal.source).not.toHaveProperty('deleted');
    expect(Object.keys(proposal.suggested)).toEqual(['price', 'location']);
    expect(proposal.warnings).toEqual(['Shows: there are more', 'Shows: the feed has no field for start']);
  });

  test.each([
    ['the first key that is unique', [show, { ...show, show_id: 2 }], 'show_id'],
    ['a key of several fields', [show, { ...show, begin: '2027-01-02T19:00' }], ['show_id', 'begin']],
    [
      'a later key',
      [
        { ...show, uid: 'a' },
        { ...show, uid: 'b' },
      ],
      'uid',
    ],
  ])('takes %s', (_, records, key) => {
    const proposal = applyRecipe(recipe, sampleOf(records), inferred);
    expect(proposal.key).toEqual({ value: key, evidence: 'recipe Shows' });
  });

  test.each([
    ['repeat', [show, show]],
    ['are empty', [{ ...show, show_id: '' }]],
    ['are no text', [{ ...show, show_id: { id: 1 } }]],
  ])('takes the inferred key if its own %s', (_, records) => {
    const { key, warnings } = applyRecipe(recipe, sampleOf(records), inferred);
    expect(key).toEqual(inferred.key);
    expect(warnings).toEqual(['inferred', 'Shows: no field that the recipe knows identifies each record']);
  });

  test('drops attributes that were inferred for another resource', () => {
    const accounts: Proposal = { ...inferred, resource: { value: 'accounts', evidence: 'guess' } };
    const proposal = applyRecipe(recipe, sampleOf([show]), accounts);
    expect(Object.keys(proposal.map)).toEqual(['title', 'start']);
    expect(proposal.resource.value).toBe('events');
  });

  test('refuses a feed of another format', () => {
    const sample = sampleOf([show], { connector: 'ical' });
    expect(() => applyRecipe(recipe, sample, inferred)).toThrow(
      'The recipe shows is for json feeds; this feed is ical.',
    );
  });
});

test('Columns of CSV are found whatever their case and punctuation', () => {
  const staff = parseRecipe('staff', {
    title: 'Staff',
    feeds: [
      {
        connector: 'csv',
        address: './staff.csv',
        recognise: [{ fields: ['Employee ID'] }],
        sync: { resource: 'accounts', key: 'Employee ID', map: { email: 'E-Mail', fax: 'Fax' } },
      },
    ],
  });
  const sample = sampleOf([{ 'employee-id': '7', EMAIL: 'a@example.org' }], { connector: 'csv' });
  expect(recognise(sample, [staff])).toBe(staff);
  const { key, map } = applyRecipe(staff, sample, inferred);
  expect(key.value).toBe('employee-id');
  expect(map).toEqual({ email: { value: 'EMAIL', evidence: 'recipe Staff' } });
});

test('A feed that two recipes claim, or without records, is not recognised', () => {
  expect(recognise(sampleOf([show]), [recipe])).toBe(recipe);
  expect(recognise(sampleOf([show]), [recipe, { ...recipe, name: 'other' }])).toBeUndefined();
  expect(recognise(sampleOf([]), [recipe])).toBeUndefined();
});

describe('Place and category lose their HTML as they do without a recipe', () => {
  const calendar = parseRecipe('halls', {
    title: 'Halls',
    feeds: [
      {
        connector: 'ical',
        address: 'https://www.example.org/halls.ics',
        recognise: [{ fields: ['x-hall'] }],
        sync: {
          resource: 'events',
          key: 'uid',
          map: { location: 'location', category: { field: 'categories', join: ', ' }, room: 'location' },
        },
      },
    ],
  });
  const mapOf = (location: string, category: string) => {
    const sample = sampleOf([{ uid: '1', 'x-hall': '1', location, categories: [category] }], { connector: 'ical' });
    const { map } = applyRecipe(calendar, sample, propose(sample));
    return Object.fromEntries(Object.entries(map).map(([name, { value }]) => [name, value]));
  };

  test('if they have any', () =>
    expect(mapOf('Main hall<br>5 Grove Street', 'Parks &amp; Recreation')).toEqual({
      location: { field: 'location', html: 'text' },
      category: { field: 'categories', join: ', ', html: 'text' },
      room: 'location',
    }));

  test('and stay as they are without', () =>
    expect(mapOf('Main hall', 'Parks')).toEqual({
      location: 'location',
      category: { field: 'categories', join: ', ' },
      room: 'location',
    }));
});
