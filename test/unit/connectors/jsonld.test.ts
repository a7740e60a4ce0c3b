import { describe, expect, test } from 'vitest';
import { jsonld } from '../../../connectors/jsonld/jsonld.ts';
import { readFeed } from './read-feed.ts';

const read = (content: unknown) => readFeed(jsonld, typeof content === 'string' ? content : JSON.stringify(content));

const concert = {
  '@context': 'https://schema.org',
  '@type': 'MusicEvent',
  '@id': 'https://example.org/#concert',
  name: 'Concert',
  startDate: '2026-03-01T19:00:00-05:00',
};

const page = (...scripts: string[]) =>
  `<!DOCTYPE html><html><head><title>Events</title>${scripts.join('\n')}</head><body><p>Hello</p></body></html>`;

const script = (content: unknown) => `<script type="application/ld+json">${JSON.stringify(content)}</script>`;

describe('An event', () => {
  test.each([
    ['the top of the document', concert, '$'],
    ['a list', [{ '@type': 'Organization' }, concert], '$[1]'],
    ['@graph', { '@graph': [{ '@type': 'WebPage' }, concert] }, "$['@graph'][1]"],
    [
      'an item list',
      { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: concert }] },
      '$.itemListElement[0].item',
    ],
    ['an object with several types', { ...concert, '@type': ['Thing', 'https://schema.org/Event'] }, '$'],
    ['a web page', page('<script>var a = 1</script>', script(concert)), 'script 1, $'],
    ['the second script of a page', page(script({ '@type': 'Organization' }), script([concert])), 'script 2, $[0]'],
    [
      'a script with an unquoted type',
      page(`<SCRIPT nonce='x' type=application/ld+json >${JSON.stringify(concert)}</SCRIPT >`),
      'script 1, $',
    ],
    [
      'a script in CDATA',
      page(`<script type="application/ld+json">//<![CDATA[\n${JSON.stringify(concert)}\n//]]></script>`),
      'script 1, $',
    ],
  ])('is found in %s', async (_, content, at) => {
    const { records, error } = await read(content);
    expect(error).toBeUndefined();
    expect(records).toMatchObject([
      { at, fields: { id: concert['@id'], name: 'Concert', startDate: concert.startDate } },
    ]);
  });

  test('of a series is a record, and a repeated event is one record', async () => {
    const series = { '@type': 'EventSeries', name: 'Series', subEvent: [concert, { ...concert, '@id': '#2' }] };
    const { records } = await read([series, concert]);
    expect(records.map(({ fields }) => fields.id)).toEqual([concert['@id'], '#2']);
  });

  test('in a comment or another script is ignored', async () => {
    const { error } = await read(
      page(`<!-- ${script(concert)} -->`, `<script>const x = '${JSON.stringify(concert)}'</script>`),
    );
    expect(error?.message).toBe('memory has no schema.org Event.');
  });
});

describe('The fields of an event', () => {
  test('have one form for common properties; others stay as they are', async () => {
    const { records } = await read({
      '@graph': [
        {
          '@type': 'schema:Festival',
          identifier: { '@type': 'PropertyValue', value: 17 },
          name: [{ '@value': 'Fest', '@language': 'de' }, 'Festival'],
          startDate: { '@type': 'Date', '@value': '2026-07-01' },
          image: [{ '@type': 'ImageObject', url: 'https://example.org/a.jpg' }, 'b.jpg', { '@id': '#c' }, null],
          location: { '@id': '#hall' },
          offers: [{ price: 10 }],
        },
        { '@type': 'Place', '@id': '#hall', name: 'Hall' },
        { '@type': 'ImageObject', '@id': '#c', contentUrl: 'c.png' },
      ],
    });
    expect(records[0]!.fields).toEqual({
      '@type': 'schema:Festival',
      id: '17',
      identifier: { '@type': 'PropertyValue', value: 17 },
      name: 'Fest',
      startDate: '2026-07-01',
      image: ['https://example.org/a.jpg', 'b.jpg', 'c.png'],
      location: { '@type': 'Place', '@id': '#hall', name: 'Hall' },
      offers: [{ price: 10 }],
    });
  });

  test.each([
    [{ '@type': 'ImageObject', url: 'a.jpg', caption: 'A map', name: 'map.jpg' }, 'A map'],
    [[null, { '@type': 'ImageObject', contentUrl: 'a.jpg', name: ['A map'] }, { url: 'b.jpg', caption: 'B' }], 'A map'],
    [{ url: 'a.jpg', caption: { '@type': 'MediaObject', name: 'A map' } }, 'A map'],
    ['a.jpg', undefined],
    [undefined, undefined],
  ])('have the caption of the first image %j', async (image, caption) => {
    const { records } = await read({ '@type': 'Event', name: 'A', startDate: '2026-01-01', image });
    expect(records[0]?.fields.imageCaption).toBe(caption);
  });

  test('include a stable id, even without an identifier', async () => {
    const nameless = { '@type': 'Event', name: 'A', startDate: '2026-01-01' };
    const [one, two] = [
      await read(nameless),
      await read([
        { ...nameless, name: 'B' },
        { ...nameless, url: '' },
      ]),
    ];
    expect(two.records[1]!.fields.id).toBe(one.records[0]!.fields.id);
    expect(two.records[0]!.fields.id).not.toBe(one.records[0]!.fields.id);
  });

  test('are not read from a cancelled event', async () => {
    for (const eventStatus of [
      'https://schema.org/EventCancelled',
      'EventCancelled',
      { '@id': 'schema:EventCancelled' },
    ]) {
      const { records, error } = await read([concert, { ...concert, '@id': '#2', eventStatus }]);
      expect(error).toBeUndefined();
      expect(records).toHaveLength(1);
    }
  });
});

describe('A document', () => {
  test.each([
    ['that is a login page', page('<script>login()</script>'), 'has no schema.org Event'],
    ['that is an error object', { error: 'busy' }, 'has no schema.org Event'],
    ['that is not JSON', 'hello', 'is not valid JSON'],
    ['that is cut off', '{"@graph":[{"@type":"Event"', 'is not valid JSON'],
    ['that is nested without end', '['.repeat(100_000) + ']'.repeat(100_000), 'nested more than 200 levels'],
  ])('%s is refused', async (_, content, message) => {
    const { error } = await read(content);
    expect(error?.code).toBe('FF_FEED_FORMAT');
    expect(error?.message).toContain(message);
  });

  test('that is an empty list is a feed', async () => {
    for (const content of [[], { '@graph': [] }, { '@type': 'ItemList', itemListElement: [] }]) {
      const { records, error } = await read(content);
      expect([records, error]).toEqual([[], undefined]);
    }
  });

  test('with a malformed script is incomplete; only the script is rejected', async () => {
    const { records, rejections, incomplete } = await read(
      page(
        '<script type="application/ld+json">{"a":}</script>',
        script(concert),
        '<script type="application/ld+json">{"a"',
      ),
    );
    expect(records).toHaveLength(1);
    expect(rejections.map(({ at }) => at)).toEqual(['script 1', 'script 3']);
    expect(incomplete).toHaveLength(2);
  });

  test('of nothing but opening tags is read quickly', async () => {
    const { error } = await read(`<html>${'<script '.repeat(500_000)}`);
    expect(error?.code).toBe('FF_FEED_FORMAT');
  });
});

describe('Several values of one property', () => {
  const readEvent = async (event: object) => {
    const { '@id': _, ...plain } = concert;
    const content = JSON.stringify({ ...plain, ...event });
    const { records, warnings } = await readFeed(jsonld, content, {
      mappedFields: ['name', 'description', 'startDate', 'endDate', 'url', 'image'],
    });
    return { fields: records[0]?.fields, warnings: warnings.map(({ message }) => message) };
  };

  test.each<[string, object, object]>([
    ['dates stay a list', { endDate: ['2027-03-01', '2027-03-02'] }, { endDate: ['2027-03-01', '2027-03-02'] }],
    ['typed dates do, too', { startDate: [{ '@value': 'a' }, { '@value': 'b' }] }, { startDate: ['a', 'b'] }],
    ['equal dates are one', { endDate: ['2027-03-01', '2027-03-01'] }, { endDate: '2027-03-01' }],
    ['one date in a list is a date', { endDate: [{ '@value': '2027-03-01' }] }, { endDate: '2027-03-01' }],
    ['a set of one text is a text', { name: { '@set': ['A'] } }, { name: 'A' }],
    ['an address may be an object', { url: [{ '@id': 'https://x.example/a' }] }, { url: 'https://x.example/a' }],
    [
      'places stay a list',
      { location: [{ name: 'Hall' }, { url: 'u' }] },
      { location: [{ name: 'Hall' }, { url: 'u' }] },
    ],
    ['offers stay a list', { offers: [{ price: 1 }, { price: 2 }] }, { offers: [{ price: 1 }, { price: 2 }] }],
  ])('%s', async (_, event, fields) => {
    expect(await readEvent(event)).toMatchObject({ fields, warnings: [] });
  });

  test.each<[string, object, object, string]>([
    ['names', { name: ['A', 'B'] }, { name: 'A' }, 'name has 2 values; the first is used: "A"'],
    [
      'languages',
      {
        name: [
          { '@value': 'Fest', '@language': 'de' },
          { '@value': 'Fair', '@language': 'en' },
        ],
      },
      { name: 'Fest' },
      'name has 2 values; the first is used: "Fest"',
    ],
    [
      'a map of languages',
      { description: { de: 'D', 'en-GB': 'E' } },
      { description: 'D' },
      'description has 2 values; the first is used: "D"',
    ],
    [
      'addresses',
      { url: ['https://a', 'https://b'] },
      { url: 'https://a' },
      'url has 2 values; the first is used: "https://a"',
    ],
    [
      'a schedule',
      { eventSchedule: { repeatFrequency: 'P1W' } },
      {},
      'eventSchedule is not expanded: only startDate is read',
    ],
    [
      'a postponed date',
      { eventStatus: 'https://schema.org/EventPostponed' },
      {},
      'the event is postponed (eventStatus), but still has the date "2026-03-01T19:00:00-05:00"',
    ],
  ])('%s: a warning', async (_, event, fields, warning) => {
    expect(await readEvent(event)).toMatchObject({ fields, warnings: [warning] });
  });

  test('An event that was moved has its new date, without a warning', async () => {
    const moved = { eventStatus: 'EventRescheduled', previousStartDate: '2026-02-01' };
    expect(await readEvent(moved)).toMatchObject({ fields: { startDate: concert.startDate }, warnings: [] });
  });
});

describe('Names of schema.org', () => {
  const schema = 'http://schema.org/';
  test.each<[string, object]>([
    ['with the usual prefix', { '@type': 'schema:Event', 'schema:name': 'A', 'schema:startDate': '2026-05-01' }],
    [
      'as whole addresses',
      {
        '@type': [`${schema}Event`],
        [`${schema}name`]: [{ '@value': 'A' }],
        'https://schema.org/startDate': [{ '@value': '2026-05-01' }],
      },
    ],
    [
      'with type and id',
      { '@context': 'https://schema.org', type: 'Event', id: 'a', name: 'A', startDate: '2026-05-01' },
    ],
    [
      'of a vocabulary',
      { '@context': { '@vocab': schema }, '@type': ['Thing', 'ExhibitionEvent'], name: 'A', startDate: '2026-05-01' },
    ],
  ])('%s are read', async (_, content) => {
    const { records } = await read(content);
    expect(records).toMatchObject([{ fields: { name: 'A', startDate: '2026-05-01' } }]);
  });

  test('keep the fields under which they were written', async () => {
    const { records } = await read({ '@type': 'schema:Event', 'schema:name': 'A', startDate: '2026-05-01' });
    expect(records[0]?.fields).toMatchObject({ '@type': 'schema:Event', 'schema:name': 'A', name: 'A' });
  });

  test('are not those that a context defines', async () => {
    const content = { '@context': { s: schema }, '@type': 's:MusicEvent', 's:name': 'A', 's:startDate': '2026-05-01' };
    expect(await read(content)).toMatchObject({
      error: { message: 'memory has no schema.org Event: the prefix of its type s:MusicEvent is not schema:.' },
    });
  });

  test('are not those of another vocabulary, nor of prototypes', async () => {
    const other = { '@type': 'http://purl.org/NET/c4dm/event.owl#Event', name: 'A', startDate: '2026-05-01' };
    const { records } = await read([other, { ...concert, 'schema:__proto__': { name: 'B' } }]);
    expect(records.map(({ fields }) => [fields.name, Object.getPrototypeOf(fields)])).toEqual([
      ['Concert', Object.prototype],
    ]);
  });
});
