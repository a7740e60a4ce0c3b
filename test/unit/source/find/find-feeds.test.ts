import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadRecipes } from '../../../../src/app/drafts/recipes.ts';
import { chooseFeed, openFeed } from '../../../../src/source/find/find-feeds.ts';
import { serve } from '../../feed/server.ts';
import { serveWeb, type Web } from './web.ts';

const recipes = loadRecipes();
const { signal } = new AbortController();
const sample = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures/recipes', name), 'utf8');
const html = (body: string, head = '') =>
  `<!doctype html><html><head><title>Events</title>${head}</head><body>${body}</body></html>`;
const jsonLd = sample('schema-org.html');
const alder = 'https://www.alder.invalid';

function open(address: string, secrets: string[] = []) {
  return openFeed(address, signal, { options: {}, written: {}, secrets }, recipes);
}

interface Row {
  platform: string;
  pasted: string;
  /** The page; absent: it cannot be read. */
  page?: string;
  /** Other addresses with feeds. */
  web: Web;
  /** The feeds that are found, the best first. */
  found: string[];
}

const google = 'https://calendar.google.com/calendar';
const ofGoogle = `${google}/ical/alder%40group.calendar.google.com/public/basic.ics`;
const outlook = 'https://outlook.office365.com/owa/calendar/ab12@alder.invalid/cd34/calendar';
const trumba = 'https://www.trumba.com/calendars/alder';
const publisher = 'https://25livepub.collegenet.com/calendars/alder';
const ofLiveWhale = 'https://events.alder.invalid/live';
const engage = 'https://alder.campuslabs.com/engage';
const civic = `${alder}/common/modules/iCalendar/iCalendar.aspx`;
const sheet = 'https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz';
const csv = 'id,title,start\n1,Maps,2027-03-01 18:00\n2,Ships,2027-03-02 18:00\n';

const rss = (item: string) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:ev="http://purl.org/rss/1.0/modules/event/"><channel><item><title>Maps</title><guid>1</guid>${item}</item></channel></rss>`;

const rows: Row[] = [
  {
    platform: 'Google Calendar, embedded',
    pasted: `${alder}/calendar`,
    page: html(
      `<iframe src="${google}/embed?height=600&amp;src=alder%40group.calendar.google.com&amp;ctz=America%2FNew_York"></iframe>`,
    ),
    web: { [ofGoogle]: sample('google-calendar.ics') },
    found: [ofGoogle],
  },
  {
    platform: 'Google Calendar, share link',
    pasted: `${google}/u/0?cid=${Buffer.from('alder@group.calendar.google.com').toString('base64url')}`,
    page: html('Sign in'),
    web: { [ofGoogle]: sample('google-calendar.ics') },
    found: [ofGoogle],
  },
  {
    platform: 'Outlook',
    pasted: 'https://outlook.office365.com/calendar/published/ab12@alder.invalid/cd34/calendar.html',
    page: html('<div id="app"></div>'),
    web: { [`${outlook}.ics`]: sample('outlook.ics') },
    found: [`${outlook}.ics`],
  },
  {
    platform: 'Outlook, embedded',
    pasted: `${alder}/programme`,
    page: html(`<iframe data-src="${outlook}.html"></iframe>`),
    web: { [`${outlook}.ics`]: sample('outlook.ics') },
    found: [`${outlook}.ics`],
  },
  {
    platform: 'The Events Calendar',
    pasted: `${alder}/site/events/`,
    page: html(
      '',
      `<link rel="stylesheet" href="${alder}/site/wp-content/plugins/the-events-calendar/build/views.css"><link rel="alternate" type="application/json" href="${alder}/site/wp-json/wp/v2/pages/7">`,
    ),
    web: {
      [`${alder}/site/wp-json/tribe/events/v1/events`]: sample('events-calendar.json'),
      [`${alder}/site/events/?ical=1`]: sample('events-calendar.ics'),
    },
    found: [`${alder}/site/wp-json/tribe/events/v1/events`, `${alder}/site/events/?ical=1`],
  },
  {
    platform: 'Modern Events Calendar',
    pasted: `${alder}/events/`,
    page: html(`<script src="/wp-content/plugins/modern-events-calendar-lite/assets/js/frontend.js"></script>`),
    web: { [`${alder}/?mec-ical-feed=1`]: sample('modern-events-calendar.ics') },
    found: [`${alder}/?mec-ical-feed=1`],
  },
  {
    platform: 'Squarespace',
    pasted: `${alder}/workshops?view=list`,
    page: html('<script>Static.SQUARESPACE_CONTEXT = {};</script>'),
    web: { [`${alder}/workshops?format=json`]: sample('squarespace.json') },
    found: [`${alder}/workshops?format=json`],
  },
  {
    platform: 'Localist',
    pasted: 'https://calendar.alder.invalid/calendar',
    page: html('<footer>Powered by the Localist Community Event Platform</footer>'),
    web: {
      'https://calendar.alder.invalid/api/2/events': sample('localist.json'),
      'https://calendar.alder.invalid/calendar.ics': sample('tockify.ics'),
    },
    found: ['https://calendar.alder.invalid/api/2/events', 'https://calendar.alder.invalid/calendar.ics'],
  },
  {
    platform: 'Localist, widget on another host of the domain',
    pasted: `${alder}/`,
    page: html('<script src="https://calendar.alder.invalid/widget/view?schools=alder&amp;days=31"></script>'),
    web: { 'https://calendar.alder.invalid/api/2/events': sample('localist.json') },
    found: ['https://calendar.alder.invalid/api/2/events'],
  },
  {
    platform: 'LiveWhale',
    pasted: 'https://events.alder.invalid/',
    page: html('<script src="/live/resource/js/calendar.js"></script>'),
    web: {
      [`${ofLiveWhale}/json/events/response_fields/all`]: sample('livewhale.json'),
      [`${ofLiveWhale}/ical/events`]: sample('livewhale.ics'),
    },
    found: [`${ofLiveWhale}/ical/events`, `${ofLiveWhale}/json/events/response_fields/all`],
  },
  {
    platform: 'Trumba',
    pasted: `${alder}/events`,
    page: html(
      '<script src="https://www.trumba.com/scripts/spuds.js"></script><script>$Trumba.addSpud({ webName: "alder", spudType: "main" });</script>',
    ),
    web: { [`${trumba}.json`]: sample('trumba.json'), [`${trumba}.ics`]: sample('trumba.ics') },
    found: [`${trumba}.json`, `${trumba}.ics`],
  },
  {
    platform: '25Live Publisher',
    pasted: `${alder}/events`,
    page: html(
      `<script src="//25livepub.collegenet.com/scripts/spuds.js"></script><script>$Trumba.addSpud({webName:'alder'})</script>`,
    ),
    web: { [`${publisher}.json`]: sample('25live.json'), [`${publisher}.ics`]: sample('25live.ics') },
    found: [`${publisher}.json`, `${publisher}.ics`],
  },
  {
    platform: 'Meetup',
    pasted: 'https://www.meetup.com/de-DE/alder-maps/events/?type=upcoming',
    web: { 'https://www.meetup.com/alder-maps/events/ical/': sample('meetup.ics') },
    found: ['https://www.meetup.com/alder-maps/events/ical/'],
  },
  {
    platform: 'CivicPlus',
    pasted: `${alder}/calendar.aspx?CID=23`,
    page: html('<a href="/iCalendar.aspx">iCalendar</a>'),
    web: { [`${civic}?catID=23&feed=calendar`]: sample('civicplus.ics') },
    found: [`${civic}?catID=23&feed=calendar`],
  },
  {
    platform: 'CivicPlus, list of its calendars',
    pasted: `${alder}/iCalendar.aspx`,
    page: html(
      [14, 23, 24, 25, 26]
        .map((id) => `<a href="/common/modules/iCalendar/iCalendar.aspx?catID=${id}&amp;feed=calendar">Subscribe</a>`)
        .join(''),
    ),
    web: { [`${civic}?catID=24&feed=calendar`]: sample('civicplus.ics') },
    found: [`${civic}?catID=24&feed=calendar`],
  },
  {
    platform: 'LibCal',
    pasted: 'https://alderlib.libcal.com/calendar/main',
    page: html('<script>var calendar = { cid: 801, iid: 12 };</script>'),
    web: { 'https://alderlib.libcal.com/ical_subscribe.php?src=p&cid=801': sample('libcal.ics') },
    found: ['https://alderlib.libcal.com/ical_subscribe.php?src=p&cid=801'],
  },
  {
    platform: 'LibCal, a short address that redirects, with a calendar in its links',
    pasted: `${alder}/library`,
    page: '>https://alderlib.libcal.com/calendar',
    web: {
      'https://alderlib.libcal.com/calendar': html(
        '<script src="https://static-assets.libcal.com/x.js"></script><script src="/widget.js?iid=12&amp;cid=801"></script>',
      ),
      'https://alderlib.libcal.com/ical_subscribe.php?src=p&cid=801': sample('libcal.ics'),
    },
    found: ['https://alderlib.libcal.com/ical_subscribe.php?src=p&cid=801'],
  },
  {
    platform: 'Tockify',
    pasted: `${alder}/market`,
    page: html('<div data-tockify-component="calendar" data-tockify-calendar="aldermarket"></div>'),
    web: { 'https://tockify.com/api/feeds/ics/aldermarket': sample('tockify.ics') },
    found: ['https://tockify.com/api/feeds/ics/aldermarket'],
  },
  {
    platform: 'Eventbrite organiser',
    pasted: 'https://www.eventbrite.com/o/alder-hall-1234567890',
    page: jsonLd,
    web: {},
    found: ['https://www.eventbrite.com/o/alder-hall-1234567890'],
  },
  {
    platform: 'BiblioCommons',
    pasted: 'https://alder.bibliocommons.com/v2/events?branch=MAIN',
    page: html('<div id="app"></div>'),
    web: { 'https://gateway.bibliocommons.com/v2/libraries/alder/events?limit=100': sample('bibliocommons.json') },
    found: ['https://gateway.bibliocommons.com/v2/libraries/alder/events?limit=100'],
  },
  {
    platform: 'Engage',
    pasted: `${engage}/events?categories=5`,
    page: html('<div id="app"></div>'),
    web: {
      [`${engage}/api/discovery/event/search?status=Approved&orderByField=endsOn&orderByDirection=descending&take=200`]:
        sample('engage.json'),
    },
    found: [
      `${engage}/api/discovery/event/search?status=Approved&orderByField=endsOn&orderByDirection=descending&take=200`,
    ],
  },
  {
    platform: 'Drupal',
    pasted: `${alder}/node/12`,
    page: html('<a class="add" href="/calendar/export.ics?field=all">Subscribe</a>'),
    web: { [`${alder}/calendar/export.ics?field=all`]: sample('tockify.ics') },
    found: [`${alder}/calendar/export.ics?field=all`],
  },
  {
    platform: 'TYPO3',
    pasted: `${alder}/kalender`,
    page: html(
      '',
      '<base href="https://www.alder.invalid/typo3/"><link rel="alternate" type="text/calendar" href="index.php?id=9&amp;type=1534752996">',
    ),
    web: { [`${alder}/typo3/index.php?id=9&type=1534752996`]: sample('tockify.ics') },
    found: [`${alder}/typo3/index.php?id=9&type=1534752996`],
  },
  {
    platform: 'GrowthZone and others with RSS',
    pasted: `${alder}/events`,
    page: html(
      '',
      '<link rel="alternate" type="application/rss+xml" href="/blog.rss"><link rel="alternate" type="application/rss+xml" href="/events.rss">',
    ),
    web: {
      [`${alder}/blog.rss`]: rss(
        '<pubDate>Mon, 01 Mar 2027 08:00:00 GMT</pubDate><description><![CDATA[<html><p>News</p></html>]]></description>',
      ),
      [`${alder}/events.rss`]: rss('<ev:startdate>2027-03-01T18:00:00</ev:startdate>'),
    },
    found: [`${alder}/events.rss`],
  },
  {
    platform: 'Google Calendar, after consent',
    pasted: `${alder}/calendar`,
    page: html(`<iframe data-cookie-src="${google}/embed?src=alder@group.calendar.google.com"></iframe>`),
    web: { [ofGoogle.replace('%40', '@')]: sample('google-calendar.ics') },
    found: [ofGoogle.replace('%40', '@')],
  },
  {
    platform: 'Google Calendar, in the data of a script',
    pasted: `${alder}/calendar`,
    page: html(
      `<script>window.page = {"url":"${google.replaceAll('/', '\\/')}\\/embed?ctz=UTC\\u0026src=alder%40group.calendar.google.com"}</script>`,
    ),
    web: { [ofGoogle]: sample('google-calendar.ics') },
    found: [ofGoogle],
  },
  {
    platform: 'Google Sheets',
    pasted: `${sheet}/edit?usp=sharing#gid=77`,
    page: html('<div id="docs"></div>'),
    web: { [`${sheet}/export?format=csv&gid=77`]: csv },
    found: [`${sheet}/export?format=csv&gid=77`],
  },
  {
    platform: 'Google Drive',
    pasted: 'https://drive.google.com/file/d/1AbCdEf/view?usp=sharing',
    page: html('<div id="drive"></div>'),
    web: { 'https://drive.google.com/uc?export=download&id=1AbCdEf': csv },
    found: ['https://drive.google.com/uc?export=download&id=1AbCdEf'],
  },
];

describe('The feeds of a web page are found:', () => {
  test.each(rows)('$platform', async ({ pasted, page, web, found }) => {
    const address = pasted.split('#')[0] ?? '';
    const { requests } = await serveWeb({ ...web, ...(page === undefined ? {} : { [address]: page }) });
    const opened = await open(pasted);
    expect(opened.found?.feeds.map((feed) => feed.address)).toEqual(found);
    expect(opened.location).toBe(found[0]);
    const beyond = requests.filter((request) => request !== address);
    expect(beyond.length).toBeLessThanOrEqual(page?.startsWith('>') ? 7 : 6);
    expect(new Set(beyond).size).toBe(beyond.length);
  });
});

describe('A web page', () => {
  const feed = `${alder}/calendar.ics`;

  test('of a system without feeds is refused without a request', async () => {
    const { requests } = await serveWeb({});
    await expect(open('https://www.facebook.com/alder.hall/events')).rejects.toMatchObject({
      code: 'FF_FEED_FORMAT',
      message: expect.stringContaining('Facebook shows events only to people who are signed in'),
      remedy: expect.stringContaining('Ask the organiser'),
    });
    expect(requests).toEqual([]);
  });

  test('without a feed: the error says what was tried, and what to ask for', async () => {
    await serveWeb({
      'https://alderlib.libcal.com/calendar': html(
        '<script>{"cid":801}</script><a href="/subscribe.ics">Subscribe</a>',
      ),
      'https://alderlib.libcal.com/subscribe.ics': 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n',
    });
    await expect(open('https://alderlib.libcal.com/calendar')).rejects.toMatchObject({
      code: 'FF_FEED_FORMAT',
      message:
        'https://alderlib.libcal.com/calendar is a web page without a feed: it has no schema.org events, and no link to a calendar that can be read. Tried: https://alderlib.libcal.com/ical_subscribe.php?src=***&cid=*** returned status 404. https://alderlib.libcal.com/subscribe.ics has no records.',
      remedy: expect.stringContaining('The API of LibCal (/1.1/events) needs a key.'),
    });
  });

  test('on which people log in says so', async () => {
    const login = `${alder}/login`;
    const form = html('<input name="pass" type="password">');
    await serveWeb({ [`${alder}/private`]: `>${login}`, [login]: form });
    await expect(open(login)).rejects.toMatchObject({ message: expect.stringContaining('a web page without a feed') });
    await expect(open(`${alder}/private`)).rejects.toMatchObject({
      message: `${login} asks people to log in.`,
      remedy: expect.stringContaining('without a log-in'),
    });
  });

  test('that cannot be read keeps its error if nothing else answers', async () => {
    await serveWeb({ 'https://www.meetup.com/alder-maps/': 403 });
    await expect(open('https://www.meetup.com/alder-maps/')).rejects.toMatchObject({
      code: 'FF_FEED_STATUS',
      message: expect.stringContaining('https://www.meetup.com/alder-maps/ returned status 403'),
    });
  });

  test.each([
    ['the page again', jsonLd],
    ['an error as text', 'Not found, sorry.\nTry the search, or our home page.\nYour library, team\n'],
    [
      'other JSON',
      JSON.stringify([
        { id: 7, name: 'About us', modified: 'yesterday' },
        { id: 8, name: 'Contact', modified: 'today' },
      ]),
    ],
    [
      'a JSON Feed of news',
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        items: [{ id: '1', title: 'News', content_text: 'New', date_published: '2027-03-01T08:00:00Z' }],
      }),
    ],
    ['a calendar that is not one', '<?xml version="1.0"?><rss></rss>'],
  ])('is not taken for its feed where that answers with %s', async (_, answer) => {
    await serveWeb({ [`${alder}/events`]: html('<a href="/calendar.ics">Subscribe</a>'), [feed]: answer });
    await expect(open(`${alder}/events`)).rejects.toMatchObject({ code: 'FF_FEED_FORMAT' });
  });

  test('is asked for at most six feeds, each once, none of them on a host that only the page names', async () => {
    const links = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'a'].map((name) => `<a href="/${name}.ics">${name}</a>`);
    const elsewhere =
      '<a href="https://www.other.invalid/calendar.ics">Partner</a><script src="https://www.other.invalid/live/resource/x.js"></script>';
    const { requests } = await serveWeb({ [`${alder}/events`]: html(elsewhere + links.join('')) });
    await expect(open(`${alder}/events`)).rejects.toMatchObject({
      remedy: "The page links to a feed. Try: feedferry init 'https://www.other.invalid/calendar.ics'",
    });
    expect(requests).toEqual([
      `${alder}/events`,
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${alder}/${name}.ics`),
    ]);
  });

  test('is not asked for the calendars of its single events', async () => {
    const events = [1, 2, 3, 4].map((id) => `<a href="/event/${id}/ical">Add to calendar</a>`).join('');
    const { requests } = await serveWeb({
      [`${alder}/events`]: html(`${events}<a href="webcal://www.alder.invalid/all">All</a>`),
      [`${alder}/all`]: sample('tockify.ics'),
    });
    expect((await open(`${alder}/events`)).location).toBe(`${alder}/all`);
    expect(requests).toEqual([`${alder}/events`, `${alder}/all`]);
  });

  const secret = 'S3cretOfTheFeed';
  const access = {
    options: { auth: { bearer: secret } },
    written: { auth: { bearer: '${FEED_TOKEN}' } },
    secrets: [secret],
  };

  test('in a private network leads to no other server there', async () => {
    const other = await serve((_, response) => response.end(sample('livewhale.ics')));
    const server = await serve(({ url }, response) => {
      const page = html(`<script src="${other.url}/live/resource/x.js"></script><a href="/own.ics">Calendar</a>`);
      response.end(url === '/own.ics' ? sample('tockify.ics') : page);
    });
    const opened = await openFeed(`${server.url}/events`, signal, access, recipes);
    expect(opened.found?.feeds.map(({ address }) => address)).toEqual([`${server.url}/own.ics`]);
    expect(opened.beginning.beginning.isPrivate).toBe(true);
    expect(opened.beginning.access.written).toEqual(access.written);
    const sent = server.seen.map(({ headers }) => headers.authorization);
    expect(sent).toEqual([`Bearer ${secret}`, `Bearer ${secret}`]);
    expect(other.seen).toEqual([]);
  });

  test('sends its credentials to no other origin', async () => {
    const { headers } = await serveWeb({
      [`${alder}/events`]: html('<iframe src="https://www.trumba.com/calendars/alder"></iframe>'),
      [`${trumba}.ics`]: sample('trumba.ics'),
    });
    const opened = await openFeed(`${alder}/events`, signal, access, recipes);
    expect(opened.location).toBe(`${trumba}.ics`);
    expect(opened.beginning.access.written).toEqual({});
    expect(headers.map(({ authorization }) => authorization)).toEqual([`Bearer ${secret}`, undefined, undefined]);
  });

  test('leads to no address with its secret', async () => {
    const { requests } = await serveWeb({ [`${alder}/events`]: html('<a href="/a.ics?key=S3cretOfTheFeed">A</a>') });
    await expect(open(`${alder}/events`, [secret])).rejects.toMatchObject({ code: 'FF_FEED_FORMAT' });
    expect(requests).toEqual([`${alder}/events`]);
  });

  test('with several feeds asks which one is meant, and names the best first', async () => {
    const page = jsonLd.replace(
      '</head>',
      '<link rel="alternate" type="text/calendar" href="/one.ics"><link rel="alternate" type="text/calendar" href="/more.ics"></head>',
    );
    const [one] = sample('tockify.ics').split(/(?<=END:VEVENT\r\n)/);
    await serveWeb({
      [`${alder}/events`]: page,
      [`${alder}/one.ics`]: `${one}END:VCALENDAR\r\n`,
      [`${alder}/more.ics`]: sample('google-calendar.ics'),
    });
    const opened = await open(`${alder}/events`);
    const {
      location,
      warnings,
      open: [question],
    } = chooseFeed(opened, {});
    expect(question).toMatchObject({ id: 'feed of the page', line: 'source.url', safe: '1' });
    expect(question?.choices.at(0)?.label).toContain(location);
    expect(question?.choices.at(-1)).toEqual({
      value: '3',
      label: `linked on the page, ical, 1 record, first "Farmers market": ${alder}/one.ics`,
    });
    expect(warnings.length).toBe(location === `${alder}/events` ? 0 : 1);
    expect(chooseFeed(opened, { 'feed of the page': `${alder}/one.ics` }).location).toBe(`${alder}/one.ics`);
    const chosen = chooseFeed(opened, { 'feed of the page': '3' });
    expect(chosen).toMatchObject({
      location: `${alder}/one.ics`,
      warnings: [expect.stringContaining('is a web page.')],
    });
    expect(chosen.beginning.beginning.text).toContain('Farmers market');
  });
});
