import { describe, expect, test } from 'vitest';
import { rss } from '../../../connectors/rss/rss.ts';
import { type ReadOptions, readFeed } from './read-feed.ts';

const declared = [
  'xmlns:c="urn:ietf:params:xml:ns:xcal"',
  'xmlns:e="http://purl.org/rss/1.0/modules/event/"',
  'xmlns:lw="http://www.livewhale.com/ns/1.0/"',
  'xmlns:m="http://webnus.net/rss/mec/"',
  'xmlns:media="http://search.yahoo.com/mrss/"',
  'xmlns:calendarEvent="https://www.town.example/Calendar.aspx"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:g="http://www.georss.org/georss"',
  'xmlns:x="https://other.example/ns"',
].join(' ');
const dayOfPost = '<pubDate>Mon, 04 Jan 2027 09:00:00 GMT</pubDate>';
const channel = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0" ${declared}><channel><title>All</title><link>https://x.example</link>${items.map((item) => `<item>${item}</item>`).join('')}</channel></rss>`;
const read = (text: string | Uint8Array, options?: ReadOptions) => readFeed(rss, text, options);

async function fieldsOf(item: string, options?: ReadOptions) {
  const { records, error } = await read(channel(item), options);
  expect(error).toBeUndefined();
  return records[0]?.fields ?? {};
}

describe('An event has its times from', () => {
  test.each([
    [
      '<c:dtstart>20270301T180000Z</c:dtstart><c:dtend>20270301T200000Z</c:dtend>',
      '2027-03-01T18:00:00Z',
      '2027-03-01T20:00:00Z',
    ],
    ['<c:dtstart>2027-03-01T18:00:00-05:00</c:dtstart>', '2027-03-01T18:00:00-05:00', undefined],
    [
      '<c:dtstart tzid="Europe/Berlin">20270301T180000</c:dtstart>',
      '2027-03-01T18:00:00+01:00[Europe/Berlin]',
      undefined,
    ],
    ['<c:dtstart>20270301</c:dtstart><c:dtend>20270303</c:dtend>', '2027-03-01', '2027-03-02'],
    [
      '<e:startdate>2027-03-01T18:00</e:startdate><e:enddate>2027-03-01T19:30:00</e:enddate>',
      '2027-03-01T18:00:00',
      '2027-03-01T19:30:00',
    ],
    ['<e:startdate>Mon, 1 Mar 2027 18:00:00 EST</e:startdate>', '2027-03-01T18:00:00-05:00', undefined],
    [
      '<m:startDate>2027-03-01</m:startDate><m:startHour>5:30 pm</m:startHour><m:endDate>2027-03-01</m:endDate><m:endHour>7:00 pm</m:endHour>',
      '2027-03-01T17:30:00',
      '2027-03-01T19:00:00',
    ],
    ['<m:startDate>2027-03-01</m:startDate><m:endDate>2027-03-02</m:endDate>', '2027-03-01', '2027-03-02'],
    [
      '<calendarEvent:EventDates> March 1, 2027 </calendarEvent:EventDates><calendarEvent:EventTimes>06:00 PM - 08:00 PM</calendarEvent:EventTimes>',
      '2027-03-01T18:00:00',
      '2027-03-01T20:00:00',
    ],
    [
      '<calendarEvent:EventDates>March 1, 2027 - March 3, 2027</calendarEvent:EventDates><calendarEvent:EventTimes></calendarEvent:EventTimes>',
      '2027-03-01',
      '2027-03-03',
    ],
    [
      '<pubDate>Mon, 01 Mar 2027 23:00:00 +0000</pubDate><lw:ends>Tue, 02 Mar 2027 00:30:00 +0000</lw:ends><lw:timezone>America/New_York</lw:timezone>',
      '2027-03-01T23:00:00+00:00',
      '2027-03-02T00:30:00+00:00',
    ],
    [
      '<pubDate>Mon, 01 Mar 2027 05:00:00 +0000</pubDate><lw:type>events</lw:type><lw:all_day>1</lw:all_day><lw:timezone>America/New_York</lw:timezone>',
      '2027-03-01',
      undefined,
    ],
    ['<e:startdate>soon</e:startdate>', 'soon', undefined],
    ['<c:dtstart>20270231</c:dtstart>', '20270231', undefined],
    [
      '<calendarEvent:EventDates>every day</calendarEvent:EventDates><calendarEvent:EventTimes>noon</calendarEvent:EventTimes>',
      'every day noon',
      undefined,
    ],
  ])('%s', async (elements, start, end) => {
    expect(
      await fieldsOf(`<title>Maps</title>${elements.includes('pubDate') ? '' : dayOfPost}${elements}`),
    ).toMatchObject({
      title: 'Maps',
      start,
      ...(end && { end }),
    });
  });

  test.each([
    [
      ['Maps 2/15/2027 8:30 AM - 2/15/2027 9:15 AM', 'Ships 3/1/2027 - 3/2/2027'],
      ['2027-02-15T08:30:00', '2027-03-01'],
    ],
    [
      ['Maps 15/2/2027 8:30 AM - 15/2/2027 9:15 AM', 'Ships 3/1/2027 - 4/1/2027'],
      ['2027-02-15T08:30:00', '2027-01-03'],
    ],
  ])('its title, if the feed shows the order of day and month: %j', async (titles, starts) => {
    const { records } = await read(
      channel(...titles.map((title) => `<title>${title}</title><guid>${title}</guid>${dayOfPost}`)),
    );
    expect(records.map(({ fields }) => [fields.title, fields.start])).toEqual([
      ['Maps', starts[0]],
      ['Ships', starts[1]],
    ]);
  });
});

test('The fields of an item are those of all formats in one form, with extensions below their names', async () => {
  const item = `<title>A &amp; B</title><link>https://x.example/1</link><guid isPermaLink="false">g1</guid>
    <description>Short</description><content:encoded><![CDATA[<p>Long &amp; <b>bold</b></p>]]></content:encoded>
    <category>Music</category><category><![CDATA[Talks]]></category><dc:creator>Ann</dc:creator>
    <enclosure url="https://x.example/a.png" type="image/png" length="1"/><c:dtstart>20270301</c:dtstart>
    <c:location>Hall</c:location><g:featurename>Campus</g:featurename><x:price>5</x:price><x:who><x:name>Bo</x:name><x:name>Cy</x:name></x:who>`;
  expect(await fieldsOf(item)).toEqual({
    id: 'g1',
    title: 'A & B',
    link: 'https://x.example/1',
    description: '<p>Long &amp; <b>bold</b></p>',
    start: '2027-03-01',
    location: 'Hall',
    categories: ['Music', 'Talks'],
    author: 'Ann',
    image: 'https://x.example/a.png',
    content: { encoded: '<p>Long &amp; <b>bold</b></p>' },
    dc: { creator: 'Ann' },
    xcal: { dtstart: '20270301', location: 'Hall' },
    georss: { featurename: 'Campus' },
    x: { price: '5', who: { name: ['Bo', 'Cy'] } },
  });
});

test.each([
  [
    'Atom',
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:cal="urn:ietf:params:xml:ns:xcal"><id>feed</id><link rel="next" href="/2"/><entry><id>a1</id><title type="text">Maps</title>
     <link rel="self" href="https://x.example/self"/><link href="https://x.example/1"/><category term="m" label="Music"/><author><name>Ann</name></author>
     <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One <a href="/x" onclick="y">two</a></p></div></content><updated>2027-01-01T00:00:00Z</updated>
     <cal:dtstart>2027-03-01T18:00:00Z</cal:dtstart></entry></feed>`,
    {
      id: 'a1',
      link: 'https://x.example/1',
      categories: ['Music'],
      description: '<div><p>One <a href="/x">two</a></p></div>',
      updated: '2027-01-01T00:00:00Z',
    },
  ],
  [
    'RSS 1.0',
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:ev="http://purl.org/rss/1.0/modules/event/"><channel rdf:about="c"><title>All</title></channel>
     <item rdf:about="https://x.example/1"><title>Maps</title><link>https://x.example/1</link><ev:startdate>2027-03-01T18:00:00Z</ev:startdate><ev:location>Hall</ev:location></item></rdf:RDF>`,
    { id: 'https://x.example/1', link: 'https://x.example/1', location: 'Hall' },
  ],
])('%s is read', async (_, text, fields) => {
  for (const chunkSize of [7, 100_000]) {
    const { records, incomplete } = await read(text, { chunkSize });
    expect(records).toMatchObject([
      { at: 'item 1', fields: { title: 'Maps', start: '2027-03-01T18:00:00Z', ...fields } },
    ]);
    expect(incomplete).toEqual([]);
  }
});

describe('A document is refused', () => {
  test.each([
    [
      'without the days of its events',
      channel(`<title>Maps</title>${dayOfPost}`),
      'have only the date of their publication',
    ],
    [
      'whose titles may have the month or the day first',
      channel(`<title>Maps 3/4/2027 8:30 AM - 3/4/2027 9:00 AM</title>${dayOfPost}`),
      'not the day of an event',
    ],
    ['that is other XML', '<?xml version="1.0"?><urlset><url/></urlset>', 'root element urlset, not RSS or Atom'],
    ['that is no XML', 'id,title\n1,Maps\n', 'is not XML'],
  ])('%s', async (_, text, message) => {
    const { error, records } = await read(text);
    expect(error).toMatchObject({ code: 'FF_FEED_FORMAT', message: expect.stringContaining(message) });
    expect(records).toEqual([]);
  });

  test('unless the sync maps the day of publication, or an extension has a date', async () => {
    expect((await read(channel(dayOfPost), { mappedFields: ['published'] })).records).toMatchObject([
      { fields: { published: '2027-01-04T09:00:00Z' } },
    ]);
    expect((await read(channel('<x:when>2027-03-01</x:when>'))).records).toHaveLength(1);
  });

  test('only as far as it is cut off, and then it is incomplete', async () => {
    const whole = channel(
      '<title>Maps</title><c:dtstart>20270301</c:dtstart>',
      '<title>Ships</title><c:dtstart>20270302</c:dtstart>',
    );
    const { records, incomplete } = await read(whole.slice(0, whole.indexOf('20270302')));
    expect(records.map(({ fields }) => fields.title)).toEqual(['Maps']);
    expect(incomplete).toEqual(['the document ends before </rss>']);
  });
});

test('The charset is that of the XML declaration', async () => {
  const text = channel('<title>Café</title><c:dtstart>20270301</c:dtstart>').replace('?>', ' encoding="ISO-8859-1"?>');
  expect((await read(Buffer.from(text, 'latin1'))).records[0]?.fields.title).toBe('Café');
});

test('Entities that the document declares are neither expanded nor loaded', async () => {
  const declarations =
    '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
  const text = channel('<title>&b;&f; &lt;x&gt; &#233;</title><c:dtstart>20270301</c:dtstart>').replace(
    '?>',
    `?>${declarations}`,
  );
  expect((await read(text)).records[0]?.fields.title).toBe('&b;&f; <x> é');
});

test('A document of many levels, and names of the prototype, do no harm', async () => {
  const deep = '<x:a>'.repeat(50_000) + '</x:a>'.repeat(50_000);
  const fields = await fieldsOf(
    `<title>Maps</title><c:dtstart>20270301</c:dtstart>${deep}<x:__proto__><x:y>1</x:y></x:__proto__><__proto__:z>1</__proto__:z>`,
  );
  expect(fields.title).toBe('Maps');
  expect(({} as Record<string, unknown>).y).toBeUndefined();
});

test.each([
  ['<media:content url="a.jpg"/>', { image: 'a.jpg' }],
  [
    '<media:content url="a.jpg" medium="image"><media:description>A map</media:description></media:content>',
    { image: 'a.jpg', imageCaption: 'A map' },
  ],
  [
    '<media:content url="v.mp4" type="video/mp4"/><media:thumbnail url="t.jpg"/><media:description>A ship</media:description>',
    { image: 't.jpg', imageCaption: 'A ship' },
  ],
  [
    '<media:group><media:content url="g.jpg" type="image/jpeg"/><media:description>A tide</media:description></media:group>',
    { image: 'g.jpg', imageCaption: 'A tide' },
  ],
  [
    '<enclosure url="e.png" type="image/png"/><media:thumbnail url="t.jpg"/><media:description>A ship</media:description>',
    { image: 'e.png' },
  ],
])('The picture of an item and its description: %s', async (media, expected) => {
  const { image, imageCaption } = await fieldsOf(`<title>A</title>${media}<c:dtstart>20270301</c:dtstart>`);
  expect({ image, imageCaption }).toEqual({ imageCaption: undefined, ...expected });
});
