import { describe, expect, test } from 'vitest';
import { writePeopleSync, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { combinations, openSite, png, type Site, simplest } from '../site.ts';

const header = 'id,title,date,start,end,description,image';
const talks = [
  'T1,Old Maps,2027-03-01,18:00,19:30,"<p>Maps, ""old"" ones</p><script>alert(1)</script>",files/a.png',
  'T2,"Ships,\nand more",2027-03-02,10:00,,Sails,files/a.png',
  'T3,Knots,2027-03-03,09:00,,,files/b.png',
  'T4,,2027-03-04,10:00,11:00,No title,',
  'T5,Tides,2027-02-30,10:00,11:00,No such day,',
];

function writeTalks(site: Site, rows: string[]): void {
  site.write('syncs/feeds/talks.csv', `${[header, ...rows].join('\r\n')}\r\n`);
}

function writeSyncs(site: Site): void {
  const description = 'description: { field: description, html: sanitize }';
  writeTalksSync(site, 'attachments: { image: image }', {
    map: `title: title, date: date, time.start: start, time.end: end, ${description}`,
  });
  site.write('syncs/feeds/files/a.png', png(1));
  site.write('syncs/feeds/files/b.png', png(2));
  writeTalks(site, talks);
  writePeopleSync(site, '', {
    source: 'connector: json, url: ./feeds/people.json, items: "$.people[*]"',
    map: 'email: email, username: login, firstName: name.first, lastName: name.last',
  });
  writePeople(site, 'Ada');
  site.write(
    'syncs/calendar.yaml',
    `resource: events
source: { connector: ical, url: ./feeds/calendar.ics }
key: uid
`,
  );
  const event = (uid: string, lines: string) => `BEGIN:VEVENT\r\nUID:${uid}\r\n${lines}\r\nEND:VEVENT\r\n`;
  site.write(
    'syncs/feeds/calendar.ics',
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test\r\n${event(
      'evening@example.edu',
      'SUMMARY:Opening\\, with music\r\nDTSTART;TZID=Europe/Berlin:20270310T200000\r\nDTEND;TZID=Europe/Berlin:20270310T220000',
    )}${event('days@example.edu', 'SUMMARY:Open days\r\nDTSTART;VALUE=DATE:20270401\r\nDTEND;VALUE=DATE:20270404')}END:VCALENDAR\r\n`,
  );
}

function writePeople(site: Site, firstName: string): void {
  const people = [
    { email: 'Ada@Example.edu', login: 'ada', name: { first: firstName, last: 'Lovelace' } },
    { email: 'alan@example.edu', login: 'alan', name: { first: 'Alan', last: 'Turing' } },
    { email: 'twin@example.edu', login: 'twin1', name: { first: 'A', last: 'Twin' } },
    { email: 'TWIN@example.edu', login: 'twin2', name: { first: 'B', last: 'Twin' } },
    'not a person',
  ];
  site.write('syncs/feeds/people.json', JSON.stringify({ people }));
}

describe.each(combinations)('The main job on $ledger and $queue', (engines) => {
  test('A run creates items once, files first, patches changes, then sends nothing', async () => {
    await using site = await openSite(engines);
    writeSyncs(site);

    const [calendar, people, first] = await site.sync();
    expect(calendar).toMatchObject({ status: 'success', complete: true, counts: { read: 2, created: 2 } });
    expect(people).toMatchObject({ status: 'partial', counts: { read: 5, created: 2, rejected: 3 } });
    expect(first).toMatchObject({ status: 'partial', counts: { read: 5, created: 3, rejected: 2, uploaded: 2 } });
    expect(first?.rejections.map(({ at, code }) => [at, code])).toEqual([
      ['line 6', 'FF_RECORD_REQUIRED'],
      ['line 7', 'FF_RECORD_DATE'],
    ]);
    expect(people?.rejections.map(({ code }) => code).sort()).toEqual([
      'FF_RECORD_DUPLICATE',
      'FF_RECORD_DUPLICATE',
      'FF_RECORD_MALFORMED',
    ]);
    expect(site.writes()).toEqual({
      'POST /calendar/events': 5,
      'POST /calendar/upload': 2,
      'POST /account/accounts': 2,
    });

    const events = await site.items('calendar/events');
    const byKey = (key: string) => events.find((event) => event.source_key === key);
    expect(byKey('talks:T1')).toMatchObject({
      title: 'Old Maps',
      date: '2027-03-01',
      endDate: '2027-03-01',
      description: '<p>Maps, "old" ones</p>',
      time: { start: '18:00:00', end: '19:30:00', type: 'timed' },
      image: { src: expect.stringMatching(/\.png$/) },
    });
    expect(byKey('talks:T2')).toMatchObject({ title: 'Ships,\nand more', image: byKey('talks:T1')?.image });
    expect(byKey('calendar:evening@example.edu')).toMatchObject({
      title: 'Opening, with music',
      date: '2027-03-10',
      time: { start: '14:00:00', end: '16:00:00' },
    });
    expect(byKey('calendar:days@example.edu')).toMatchObject({ date: '2027-04-01', endDate: '2027-04-03' });

    // The second identical run sends nothing at all, not even a read.
    const before = site.sandbox.stats().total;
    const again = await site.sync();
    expect(again.map(({ status, counts }) => [status, counts.unchanged])).toEqual([
      ['success', 2],
      ['partial', 2],
      ['partial', 3],
    ]);
    expect(site.sandbox.stats().total).toBe(before);

    writeTalks(site, ['T1,New Maps,2027-03-01,18:00,20:00,"<p>Maps, ""old"" ones</p>",files/b.png', ...talks.slice(1)]);
    writePeople(site, 'Augusta');
    const [, changedPeople, changedTalks] = await site.sync();
    expect(changedTalks).toMatchObject({ counts: { updated: 1, unchanged: 2, created: 0, uploaded: 0 } });
    expect(changedPeople).toMatchObject({ counts: { updated: 1, unchanged: 1, created: 0 } });
    expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 1, 'PATCH /account/accounts/:id': 1 });
    const patched = (await site.items('calendar/events')).find((event) => event.source_key === 'talks:T1');
    expect(patched).toMatchObject({ title: 'New Maps', time: { start: '18:00:00', end: '20:00:00' } });
    expect(patched?.image).toEqual(byKey('talks:T3')?.image);
    expect(patched?.id).toBe(byKey('talks:T1')?.id);

    await site.sync();
    expect(site.writes()).toEqual({});
  });
});

describe.each(either(1))('The main job on $ledger and $queue', (engines) => {
  test('A CMS that fails intermittently gets every record exactly once', async () => {
    await using site = await openSite(engines, {
      faults: {
        seed: 7,
        faults: [
          { kind: 'error', rate: 0.25, when: 'after', method: 'POST' },
          { kind: 'reset', rate: 0.15, when: 'after', method: 'POST' },
        ],
      },
      target: '  maxAttempts: 12\n  maxBackoff: 1s\n',
    });
    const rows = Array.from({ length: 30 }, (_, index) => `N${index},Talk ${index},2027-05-01,10:00,11:00,,`);
    writeSyncs(site);
    writeTalks(site, rows);
    const [report] = await site.sync(['talks']);
    expect(report).toMatchObject({ status: 'success', counts: { read: 30, created: 30 } });
    const titles = (await site.items('calendar/events')).map((event) => event.title).sort();
    expect(titles).toEqual(rows.map((_, index) => `Talk ${index}`).sort());
  });
});

describe('The main job', () => {
  test('A record that the CMS rejects fails alone, and is tried again when its content changes', async () => {
    await using site = await openSite(simplest, {
      switches: { uniqueAccounts: ['username'] },
    });
    writeSyncs(site);
    const one = { email: 'one@example.edu', login: 'one', name: { first: 'One', last: 'A' } };
    const two = { email: 'two@example.edu', login: 'one', name: { first: 'Two', last: 'B' } };
    const write = (...people: object[]) => site.write('syncs/feeds/people.json', JSON.stringify({ people }));
    write(one);
    await site.sync(['people']);
    write(one, two);
    const [report] = await site.sync(['people']);
    expect(report).toMatchObject({ status: 'partial', counts: { unchanged: 1, failed: 1 } });
    expect(report?.problems).toMatchObject([
      { key: 'two@example.edu', code: 'FF_CMS_UNPROCESSABLE', reason: expect.stringContaining('username') },
    ]);
    write(one, { ...two, login: 'two' });
    expect(await site.sync(['people'])).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 1 } }]);
    expect((await site.items('account/accounts')).map((account) => account.username).sort()).toEqual(['one', 'two']);
  });

  test('A feed that becomes empty changes nothing and is held', async () => {
    await using site = await openSite(simplest);
    writeSyncs(site);
    await site.sync(['talks']);
    site.writes();
    writeTalks(site, []);
    const [report] = await site.sync(['talks']);
    expect(report).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_EMPTY' } });
    expect(site.writes()).toEqual({});
    writeTalks(site, talks);
    expect(await site.sync(['talks'])).toMatchObject([{ counts: { unchanged: 3 } }]);
  });

  test('A truncated feed delivers the records that were read, counts none as missing, and is reported', async () => {
    await using site = await openSite(simplest);
    writeSyncs(site);
    await site.sync(['people']);
    const cut = JSON.stringify({
      people: [{ email: 'new@example.edu', login: 'new', name: { first: 'N', last: 'E' } }, {}],
    });
    site.write('syncs/feeds/people.json', cut.slice(0, -4));
    const [report] = await site.sync(['people']);
    expect(report).toMatchObject({ status: 'partial', complete: false, counts: { created: 1, missing: 0 } });
    expect(report?.receipt?.reason).toBeTruthy();
  });

  test('A wrong token ends the run before anything is written', async () => {
    await using site = await openSite(simplest);
    writeSyncs(site);
    site.variables.CMS_API_TOKEN = 'wrong';
    const [report] = await site.sync(['talks']);
    expect(report).toMatchObject({
      status: 'failed',
      error: { code: 'FF_CMS_UNAUTHORIZED' },
      counts: { read: 5, rejected: 2, failed: 3 },
    });
    expect(site.writes()).toEqual({});
    site.variables.CMS_API_TOKEN = site.sandbox.token;
    expect(await site.sync(['talks'])).toMatchObject([{ counts: { created: 3 } }]);
  });
});
