import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { syncContent } from '../../../src/console/pages/sync.ts';
import { createQueries } from '../../../src/queries/create-queries.ts';
import { startWebhookServer } from '../../support/alert-servers.ts';
import { aContext } from '../../unit/console/sample-views.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { type Engines, openSite, type Site, simplest } from '../site.ts';

const log = pino({ level: 'silent' });

/** The page of the sync, as HTML. */
function syncPageOf(site: Site): Promise<string> {
  return site.withApp(async (app) => {
    const queries = createQueries(() => app, { environment: site.environment(), log });
    return String(syncContent(await queries.sync('talks'), [], aContext()).body);
  });
}

type Event = [uid: string, title: string, ...lines: string[]];

const maps: Event = ['a', 'Maps'];
const tea: Event = ['b', 'Tea'];
const choir: Event = ['c', 'Choir'];
const saying = ([uid, title]: readonly string[], ...lines: string[]): Event => [uid ?? '', title ?? '', ...lines];

describe.each(either(1))('What a calendar withdraws on $ledger with $queue', (engines) => {
  test.each([
    ['STATUS:CANCELLED', 'cancelled'],
    ['CLASS:PRIVATE', 'private'],
  ])('An event with %s that stays on the site is reported until a person has acted', async (line, word) => {
    await using site = await openCalendar(engines);
    writeEvents(site, maps, tea, choir);
    await site.sync();
    site.writes();
    const said = `${word} in the feed, still on the site`;

    writeEvents(site, saying(maps, line), saying(tea, line), choir, ['n', 'Never published', line]);
    for (const [report] of [await site.sync(), await site.sync()]) {
      expect(report).toMatchObject({ status: 'partial', counts: { read: 3, rejected: 2, unchanged: 1, missing: 0 } });
      expect(report?.rejections).toMatchObject([
        { key: 'a', title: expect.stringContaining('Maps'), code: 'FF_RECORD_WITHDRAWN', reason: said },
        { key: 'b', title: expect.stringContaining('Tea'), reason: said },
      ]);
      const messages = report?.warnings.map(({ message }) => message) ?? [];
      expect(messages).toContainEqual(expect.stringMatching(`^${said}: Maps, .*Tea, `));
      expect(messages.filter((message) => message.includes('not published'))).toHaveLength(1);
    }
    expect(site.writes()).toEqual({});
    expect((await site.explain('talks', 'a')).verdict.why).toContain(said);
    const shown = `${said.charAt(0).toUpperCase()}${said.slice(1)}: Maps`;
    expect((await runHere(['status'], site.variables)).stdout).toContain(shown);
    expect(await syncPageOf(site)).toContain(shown);
    // The difference does not displace what is cancelled.
    const [last] = (await site.items('calendar/events')).filter(({ title }) => title === 'Choir');
    await site.request('PATCH', `api/v1/calendar/events/${last?.id}`, { title: 'Choirs' });
    await runHere(['verify', 'talks'], site.variables);
    const page = await syncPageOf(site);
    expect(page).toContain('The CMS differs from what was delivered: 1 edited.');
    expect(page).toContain(shown);
    await site.request('PATCH', `api/v1/calendar/events/${last?.id}`, { title: 'Choir' });
    await runHere(['verify', 'talks'], site.variables);
    site.writes();

    // One is deleted on the site, the other one stays by decision.
    const [item] = (await site.items('calendar/events')).filter(({ title }) => title === 'Maps');
    await site.request('DELETE', `api/v1/calendar/events/${item?.id}`);
    const [acted] = await site.sync();
    expect(acted?.rejections.map(({ key }) => key)).toEqual(['b']);
    expect(await runHere(['acknowledge', 'talks', 'b'], site.variables)).toMatchObject({ exitCode: 0 });
    expect((await runHere(['status'], site.variables)).stdout).not.toContain('still on the site');
    const [known] = await site.sync();
    expect(known?.warnings.map(({ message }) => message)).not.toContainEqual(
      expect.stringContaining('still on the site'),
    );
  });

  test('A cancelled event is deleted at once, and comes back if it takes place after all', async () => {
    await using site = await openCalendar(engines, 'missing: { policy: delete, threshold: { percent: 50 } }');
    writeEvents(site, maps, tea, choir);
    await site.sync();
    writeEvents(site, saying(maps, 'STATUS:CANCELLED'), tea, choir);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 1, deleted: 1, unchanged: 2 } }]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 0, deleted: 0, unchanged: 2 } }]);
    writeEvents(site, maps, tea, choir);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 2 } }]);

    writeEvents(site, saying(maps, 'STATUS:CANCELLED'), saying(tea, 'CLASS:PRIVATE'), choir);
    expect(await site.sync()).toMatchObject([{ status: 'held', error: { code: 'FF_GUARD_MISSING' } }]);
    expect(await site.items('calendar/events')).toHaveLength(3);
  });
});

test('An instance and a series that are cancelled are withdrawn, too', async () => {
  await using site = await openCalendar(simplest, 'missing: { policy: delete, threshold: { percent: 100 } }');
  const series: Event = ['s', 'Yoga', 'RRULE:FREQ=WEEKLY;COUNT=3'];
  writeEvents(site, series, maps);
  expect(await site.sync()).toMatchObject([{ counts: { created: 4 } }]);
  writeEvents(site, series, maps, ['s', 'Yoga', 'RECURRENCE-ID:20310308T190000', 'STATUS:CANCELLED']);
  expect(await site.sync()).toMatchObject([{ counts: { deleted: 1, unchanged: 3 } }]);
  writeEvents(site, saying(series, 'RRULE:FREQ=WEEKLY;COUNT=3', 'STATUS:CANCELLED'), maps);
  expect(await site.sync()).toMatchObject([{ counts: { deleted: 2, unchanged: 1 } }]);
  expect(await site.items('calendar/events')).toMatchObject([{ title: 'Maps' }]);
});

test('A cancelled event is still reported after its feed has dropped it, and not once it takes place', async () => {
  await using site = await openCalendar(simplest);
  writeEvents(site, maps, tea);
  await site.sync();
  writeEvents(site, saying(maps, 'STATUS:CANCELLED'), tea);
  await site.sync();
  writeEvents(site, tea);
  expect(await site.sync()).toMatchObject([{ status: 'partial', rejections: [{ key: 'a' }] }]);
  writeEvents(site, maps, tea);
  expect(await site.sync()).toMatchObject([{ status: 'success', rejections: [], counts: { unchanged: 2 } }]);
});

test('A cancelled event that is over is not reported, and `explain` agrees', async () => {
  await using site = await openCalendar(simplest, 'window: { from: 2020-01-01 }');
  const dated = (status: string) => calendar(saying(maps, status)).replace('20310301', '20210301');
  site.write('syncs/talks.ics', dated('STATUS:CONFIRMED'));
  await site.sync();
  site.write('syncs/talks.ics', dated('STATUS:CANCELLED'));
  expect(await site.sync()).toMatchObject([{ status: 'success', rejections: [], counts: { skipped: 1 } }]);
  expect((await site.explain('talks', 'a')).verdict).toMatchObject({
    is: 'skipped',
    why: 'The record is cancelled in the feed, still on the site.',
    next: expect.stringMatching(/^Its item in the CMS \(id \d+\) stays\.$/),
  });
});

test('The alert says what is cancelled and still on the site, and of which event', async () => {
  await using hook = await startWebhookServer();
  await using site = await openSite(simplest, { target: `alerts: { webhook: { url: "${hook.url}" } }\n` });
  site.write('syncs/talks.yaml', 'resource: events\nsource: { connector: ical, url: ./talks.ics }\n');
  writeEvents(site, maps, tea);
  await site.sync();
  writeEvents(site, saying(maps, 'STATUS:CANCELLED'), tea);
  await site.sync();
  expect(hook.received.all).toMatchObject([
    {
      json: {
        title: 'talks: cancelled in the feed, still on the site',
        text: expect.stringMatching(/Maps.*FF_RECORD_WITHDRAWN/s),
      },
    },
  ]);
});

test('JSON-LD: a cancelled event is withdrawn, and one without its new date says so', async () => {
  await using site = await openSite(simplest);
  site.write('syncs/talks.yaml', 'resource: events\nsource: { connector: jsonld, url: ./feed.json }\n');
  const write = (...events: object[]) => {
    const common = { '@context': 'https://schema.org', '@type': 'Event' };
    site.write('syncs/feed.json', JSON.stringify(events.map((event) => ({ ...common, ...event }))));
  };
  const [one, two] = [
    { '@id': 'https://events.example/1', name: 'Maps', startDate: '2031-03-01T18:00' },
    { '@id': 'https://events.example/2', name: 'Tea', startDate: '2031-03-02T18:00' },
  ];
  write(one, two);
  await site.sync();
  write({ ...one, eventStatus: 'https://schema.org/EventCancelled' }, two);
  const [cancelled] = await site.sync();
  expect(cancelled?.rejections).toMatchObject([
    { key: one['@id'], reason: 'cancelled in the feed, still on the site' },
  ]);
  for (const status of ['Postponed', 'Rescheduled']) {
    const { startDate, ...rest } = one;
    write({ ...rest, previousStartDate: startDate, eventStatus: `https://schema.org/Event${status}` }, two);
    const [moved] = await site.sync();
    expect(moved?.rejections).toMatchObject([
      {
        key: one['@id'],
        reason: expect.stringContaining(`the event is ${status.toLowerCase()} (eventStatus) and has no new date`),
      },
    ]);
  }
  expect(await site.items('calendar/events')).toHaveLength(2);
});

test('Several sources: what all of them have cancelled is reported, or deleted at once', async () => {
  await using site = await openSite(simplest);
  const write = (missing: string, status: string) => {
    site.write(
      'syncs/talks.yaml',
      `resource: events\nsources:\n  one: { connector: ical, url: ./one.ics }\n  two: { connector: ical, url: ./two.ics }\n${missing}`,
    );
    writeEvents(site, saying(maps, status), tea);
    site.write('syncs/one.ics', calendar(saying(maps, status), tea));
    site.write('syncs/two.ics', calendar(choir));
  };
  write('', 'STATUS:CONFIRMED');
  expect(await site.sync()).toMatchObject([{ counts: { created: 3 } }]);
  write('', 'STATUS:CANCELLED');
  expect(await site.sync()).toMatchObject([
    { status: 'partial', rejections: [{ key: 'one/a', code: 'FF_RECORD_WITHDRAWN' }] },
  ]);
  write('missing: { policy: delete, threshold: { percent: 50 } }\n', 'STATUS:CANCELLED');
  expect(await site.sync()).toMatchObject([{ counts: { deleted: 1, unchanged: 2 } }]);
});

async function openCalendar(engines: Engines, more = ''): Promise<Site> {
  const site = await openSite(engines);
  site.write('syncs/talks.yaml', `resource: events\nsource: { connector: ical, url: ./talks.ics }\n${more}\n`);
  return site;
}

function writeEvents(site: Site, ...events: Array<readonly string[]>): void {
  site.write('syncs/talks.ics', calendar(...events));
}

function calendar(...events: Array<readonly string[]>): string {
  const lines = events.flatMap((event) => {
    const [uid, title, ...more] = event;
    const day = more.find((line) => line.startsWith('RECURRENCE-ID'))?.slice(14) ?? '20310301T190000';
    return ['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${title}`, `DTSTART:${day}`, ...more, 'END:VEVENT'];
  });
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}
