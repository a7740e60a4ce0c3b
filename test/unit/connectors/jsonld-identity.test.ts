import { describe, expect, test } from 'vitest';
import { jsonld } from '../../../connectors/jsonld/jsonld.ts';
import { readFeed } from './read-feed.ts';

const mappedFields = ['name', 'description', 'startDate', 'endDate', 'location', 'image'];
const read = (...scripts: object[]) =>
  readFeed(jsonld, `<html>${scripts.map(script).join('')}</html>`, { mappedFields });
const script = (content: object) => `<script type="application/ld+json">${JSON.stringify(content)}</script>`;

const gala = { '@type': 'Event', name: 'Gala', url: 'https://x.example/a', startDate: '2026-05-01T10:00:00+02:00' };
const a = { ...gala, '@id': '#a' };

describe('One event', () => {
  test.each<[string, object[], string[]]>([
    ['in two scripts without @id', [gala, { ...gala, description: 'Long' }], [gala.url]],
    ['in two scripts with one @id', [a, { ...a, description: 'Long' }], ['#a']],
    ['once with, once without @id', [{ ...gala, description: 'Long' }, a], ['#a']],
    [
      'as the main entity of a page',
      [{ '@graph': [a, { '@type': 'WebPage', mainEntity: { '@type': 'Event', '@id': '#a' } }] }],
      ['#a'],
    ],
    ['as an item of a list', [{ '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: a }] }, a], ['#a']],
    [
      'as the subject of an article',
      [{ '@type': 'Article', about: { '@type': 'Event', '@id': '#a', name: 'Gala' } }, a],
      ['#a'],
    ],
    [
      'as the event of a work, by name and address',
      [{ '@type': 'Play', workFeatured: { '@type': 'Event', name: 'Gala', url: gala.url } }, gala],
      [gala.url],
    ],
    [
      'with an absolute and a relative @id',
      [
        { '@context': { '@base': 'https://x.example/p' }, ...a },
        { ...a, '@id': 'https://x.example/p#a' },
      ],
      ['#a'],
    ],
    ['with its day in one, its time in another', [{ ...gala, startDate: '2026-05-01' }, gala], [gala.url]],
    ['with its time in two zones', [a, { ...a, startDate: '2026-05-01T08:00Z' }], ['#a']],
    [
      'with another form of its address and name',
      [gala, { ...gala, name: ' GALA', url: 'http://www.x.example/a/' }],
      [gala.url],
    ],
    [
      'of which an object without a type says more',
      [
        {
          '@graph': [
            { '@type': 'Event', '@id': '#a', name: 'Gala' },
            { '@id': '#a', startDate: gala.startDate },
          ],
        },
      ],
      ['#a'],
    ],
    [
      'described in parts',
      [
        {
          '@graph': [
            { '@type': 'Event', '@id': '#a', name: 'Gala', url: gala.url },
            { '@type': 'Event', '@id': '#a', startDate: gala.startDate },
          ],
        },
      ],
      ['#a'],
    ],
  ])('%s is one record', async (_, scripts, ids) => {
    const { records, rejections, error } = await read(...scripts);
    expect([error, rejections]).toEqual([undefined, []]);
    expect(records.map(({ fields }) => fields.id)).toEqual(ids);
    expect(records[0]?.fields).toMatchObject({ name: 'Gala', startDate: gala.startDate });
  });

  test('has the properties of all its descriptions', async () => {
    const [one, two] = [
      { ...a, endDate: '2026-05-01', location: { '@type': 'Place', name: 'Hall' } },
      { ...a, startDate: '2026-05-01', description: 'Long', location: { name: 'Hall', address: 'Main St 1' } },
    ];
    const { records, warnings } = await read(two, one, { ...a, endDate: '2026-05-01T12:00:00+02:00' });
    expect(records[0]?.fields).toMatchObject({
      startDate: gala.startDate,
      endDate: '2026-05-01T12:00:00+02:00',
      description: 'Long',
      location: { name: 'Hall', address: 'Main St 1' },
    });
    expect(warnings).toEqual([]);
  });

  test('is the same with a name that is escaped for HTML, without a warning', async () => {
    const { records, warnings } = await read(
      { ...gala, name: 'Arts & Crafts' },
      { ...gala, name: 'Arts &amp;  Crafts' },
    );
    expect([records.length, warnings]).toEqual([1, []]);
  });

  test('keeps the values of the first description that has a time, with a warning', async () => {
    const { records, warnings } = await read(
      { ...a, startDate: '2026-05-01', name: 'Old name', sameAs: 'https://b' },
      { ...a, sameAs: 'https://a' },
      { ...a, endDate: '2026-05-02' },
      { ...a, endDate: '2026-05-03' },
    );
    expect(records[0]?.fields).toMatchObject({ name: 'Gala', endDate: '2026-05-02' });
    expect(warnings).toEqual([
      { at: 'script 2, $', message: 'script 4, $ describes the event with another endDate, which is not used' },
      { at: 'script 2, $', message: 'script 1, $ describes the event with another name, which is not used' },
    ]);
  });

  test('is cancelled if one of its descriptions says so', async () => {
    const { records } = await read(gala, a, {
      '@type': 'Event',
      '@id': '#a',
      eventStatus: ['EventRescheduled', 'https://schema.org/EventCancelled'],
    });
    expect(records).toEqual([]);
  });
});

describe('Several events', () => {
  test.each<[string, object[], unknown[]]>([
    [
      'at different times under one @id stay apart, so the key rejects them',
      [a, { ...a, startDate: '2026-05-08T10:00:00+02:00' }],
      ['#a', '#a'],
    ],
    [
      'at different times under one address do, too',
      [gala, { ...gala, startDate: '2026-05-01T20:00' }],
      [gala.url, gala.url],
    ],
    ['at one time and address, with different names, too', [gala, { ...gala, name: 'Children' }], [gala.url, gala.url]],
    ['with different @id stay apart', [a, { ...a, '@id': '#b' }], ['#a', '#b']],
    [
      'with the same blank node in two scripts stay apart',
      [
        { ...gala, '@id': '_:b0' },
        { ...gala, '@id': '_:b0', name: 'B', url: 'https://x.example/b' },
      ],
      [gala.url, 'https://x.example/b'],
    ],
  ])('%s', async (_, scripts, ids) => {
    const { records } = await read(...scripts);
    expect(records.map(({ fields }) => fields.id)).toEqual(ids);
  });
});

describe('A series', () => {
  const series = { '@type': 'EventSeries', '@id': '#s', name: 'Series' };

  test('and its events refer to each other without becoming duplicates', async () => {
    const { records } = await read({
      ...series,
      startDate: '2026-05-01',
      endDate: '2026-05-08',
      subEvent: [
        { '@type': 'Event', name: 'P1', '@id': '#p1', startDate: '2026-05-01T10:00', superEvent: series },
        { '@type': 'Event', name: 'P2', '@id': '#p2', startDate: '2026-05-08T10:00' },
      ],
    });
    expect(records.map(({ fields }) => fields.name)).toEqual(['Series', 'P1', 'P2']);
  });

  test.each<[string, object]>([
    ['with a name and an address', { ...series, url: 'https://x.example/s' }],
    ['with a description', { '@type': 'Event', name: 'Spring', description: 'Concerts' }],
    ['with its other events', { ...series, subEvent: [{ '@id': '#a' }] }],
  ])('around an event, %s, is no record', async (_, superEvent) => {
    const { records } = await read({ ...a, superEvent });
    expect(records.map(({ fields }) => fields.id)).toEqual(['#a']);
  });

  test('alone is no feed', async () => {
    const { error } = await read(series);
    expect(error?.message).toBe(
      'memory has no schema.org Event with a date: its objects only refer to events, or are series.',
    );
  });

  test('An event without a date that says more than a reference is a record, and its mapping rejects it', async () => {
    const { records } = await read(a, { '@type': 'Event', name: 'B', description: 'When?' });
    expect(records.map(({ fields }) => fields.name)).toEqual(['Gala', 'B']);
  });
});

describe('References', () => {
  test('to other objects are resolved, at any depth', async () => {
    const { records } = await read(
      {
        ...a,
        location: { '@type': 'Place', '@id': '#hall' },
        organizer: [{ '@id': '#org' }],
        performer: { '@id': '#nobody' },
      },
      {
        '@graph': [
          { '@type': 'Place', '@id': '#hall', name: 'Hall', address: { '@id': '#address' } },
          { '@type': 'Organization', '@id': '#org', name: 'Org', location: { '@id': '#hall' } },
        ],
      },
      { '@type': 'PostalAddress', '@id': '#address', streetAddress: 'Main St 1' },
    );
    expect(records[0]?.fields).toMatchObject({
      location: { name: 'Hall', address: { streetAddress: 'Main St 1' } },
      organizer: [{ name: 'Org', location: { name: 'Hall' } }],
      performer: { '@id': '#nobody' },
    });
  });

  test('in a circle end', async () => {
    const { records } = await read(
      { ...a, location: { '@id': '#hall' } },
      { '@id': '#hall', name: 'Hall', containedInPlace: { '@id': '#hall' } },
    );
    expect(records[0]?.fields.location).toMatchObject({ name: 'Hall' });
  });

  test('to a large object from many events are refused, before memory is full', async () => {
    const hall = { '@id': '#hall', '@type': 'Place', description: 'x'.repeat(1_000_000) };
    const events = Array.from({ length: 200 }, (_, index) => ({
      ...gala,
      '@id': `#${index}`,
      location: { '@id': '#hall' },
    }));
    const { error } = await read({ '@graph': [hall, ...events] });
    expect(error?.code).toBe('FF_FEED_TOO_LARGE');
  });
});
