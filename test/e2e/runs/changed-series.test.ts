import { describe, expect, test } from 'vitest';
import { either } from '../in-turn.ts';
import { openSite, type Site, simplest } from '../site.ts';

/** A VEVENT of an hour, unless it has its own end; `start` as in DTSTART, with its parameters. */
const event = (uid: string, start: string, ...lines: string[]) =>
  [`UID:${uid}`, `DTSTART${start}`, 'DTSTAMP:20260101T000000Z', ...lines].join('\r\n');

const berlin = (time: string) => `;TZID=Europe/Berlin:${time}`;
const yoga = 'SUMMARY:Yoga';
const rule = (parts: string) => `RRULE:FREQ=WEEKLY;${parts}`;

/** Five Tuesdays from 5 January 2027 on. */
const course = event('abc@google.com', berlin('20270105T180000'), yoga, rule('COUNT=5'));
const firstHalf = event('abc@google.com', berlin('20270105T180000'), yoga, rule('UNTIL=20270118T225959Z'));
const split = (start: string, ...lines: string[]) =>
  event('abc_R20270119T170000@google.com', berlin(start), ...lines, rule('COUNT=3'));
const threeTimes = (start: string, ...lines: string[]) =>
  event('u', start, ...(lines.length ? lines : [yoga]), rule('COUNT=3'));

type Counts = Record<'read' | 'created' | 'updated' | 'unchanged' | 'missing', number>;
type Story = [name: string, before: string[], after: string[], counts: Partial<Counts>, sync?: string];

const stories: Story[] = [
  [
    'Google splits it, with another title',
    [course],
    [firstHalf, split('20270119T180000', 'SUMMARY:Yin')],
    { updated: 3, unchanged: 2 },
  ],
  [
    'Google splits it, with another time',
    [course],
    [firstHalf, split('20270119T190000', yoga)],
    { updated: 3, unchanged: 2 },
  ],
  [
    'Google splits it, with both',
    [course],
    [firstHalf, split('20270119T093000', 'SUMMARY:Yin')],
    { updated: 3, unchanged: 2 },
  ],
  [
    'Google splits it, and the rest is on the next days',
    [course],
    [firstHalf, split('20270120T180000', yoga)],
    { updated: 3, unchanged: 2 },
  ],
  [
    'Google splits it twice',
    [course],
    [
      firstHalf,
      event('abc_R20270119T170000@google.com', berlin('20270119T190000'), yoga, rule('COUNT=1')),
      event('abc_R20270126T170000@google.com', berlin('20270126T200000'), 'SUMMARY:Yin', rule('COUNT=2')),
    ],
    { updated: 3, unchanged: 2 },
  ],
  [
    'Google splits one of whole days',
    [event('d@google.com', ';VALUE=DATE:20270105', yoga, rule('COUNT=3'))],
    [
      event('d@google.com', ';VALUE=DATE:20270105', yoga, rule('COUNT=1')),
      event('d_R20270112@google.com', berlin('20270112T100000'), 'SUMMARY:Yin', rule('COUNT=2')),
    ],
    { updated: 2, unchanged: 1 },
  ],
  [
    'timed ones become whole days',
    [threeTimes(berlin('20270105T180000'))],
    [threeTimes(';VALUE=DATE:20270105')],
    { updated: 3 },
  ],
  [
    'whole days become timed',
    [threeTimes(';VALUE=DATE:20270105')],
    [threeTimes(berlin('20270105T180000'))],
    { updated: 3 },
  ],
  [
    'a zone is added, and the title changes',
    [threeTimes(':20270105T180000')],
    [threeTimes(berlin('20270105T180000'), 'SUMMARY:Yin')],
    { updated: 3 },
  ],
  [
    'the zone changes, and the site shows other days',
    [threeTimes(berlin('20270105T200000'))],
    [threeTimes(';TZID=America/Los_Angeles:20270105T200000', 'SUMMARY:Yin')],
    { updated: 3 },
  ],
  [
    'it becomes rarer and moves',
    [threeTimes(berlin('20270105T180000'))],
    [event('u', berlin('20270105T190000'), yoga, rule('INTERVAL=2;COUNT=2'))],
    { updated: 2, missing: 1 },
  ],
  [
    'it becomes more frequent and moves',
    [event('u', berlin('20270105T180000'), yoga, rule('INTERVAL=2;COUNT=2'))],
    [threeTimes(berlin('20270105T190000'))],
    { created: 1, updated: 2 },
  ],
  [
    'it moves by two days',
    [threeTimes(berlin('20270105T180000'))],
    [threeTimes(berlin('20270107T180000'))],
    { updated: 3 },
  ],
  [
    'two shows a day get other times',
    [event('u', berlin('20270105T100000'), yoga, 'RDATE;TZID=Europe/Berlin:20270105T150000')],
    [event('u', berlin('20270105T113000'), 'SUMMARY:Yin', 'RDATE;TZID=Europe/Berlin:20270105T200000')],
    { updated: 2 },
  ],
  [
    'a single event becomes a series',
    [event('u', berlin('20270105T180000'), yoga)],
    [threeTimes(berlin('20270105T190000'), 'SUMMARY:Yin')],
    { created: 2, updated: 1 },
  ],
  [
    'a series becomes a single event',
    [threeTimes(berlin('20270105T180000'))],
    [event('u', berlin('20270105T190000'), 'SUMMARY:Yin')],
    { updated: 1, missing: 2 },
  ],
  [
    'one was moved to the next day, and then all change',
    [
      threeTimes(berlin('20270105T180000')),
      event('u', berlin('20270113T180000'), yoga, 'RECURRENCE-ID;TZID=Europe/Berlin:20270112T180000'),
    ],
    [
      threeTimes(berlin('20270105T193000'), 'SUMMARY:Yin'),
      event('u', berlin('20270113T193000'), 'SUMMARY:Yin', 'RECURRENCE-ID;TZID=Europe/Berlin:20270112T193000'),
    ],
    { updated: 3 },
  ],
  [
    'one is cancelled, and the others move',
    [threeTimes(berlin('20270105T180000'))],
    [threeTimes(berlin('20270105T190000'), yoga, 'EXDATE;TZID=Europe/Berlin:20270112T190000')],
    { updated: 2, missing: 1 },
  ],
  [
    'its UID changes',
    [threeTimes(berlin('20270105T180000'))],
    [event('new', berlin('20270105T180000'), yoga, 'LOCATION:Hall', rule('COUNT=3'))],
    { unchanged: 3 },
  ],
  [
    'the UID of a single event contains its start',
    [event('20270105T170000Z-21005@x', ':20270105T170000Z', yoga)],
    [event('20270107T190000Z-21005@x', ':20270107T190000Z', 'SUMMARY:Yin')],
    { updated: 1 },
  ],
  [
    'its UID and its title change',
    [threeTimes(berlin('20270105T180000'))],
    [event('new', berlin('20270105T180000'), 'SUMMARY:Yin', rule('COUNT=3'))],
    { created: 3, missing: 3 },
  ],
  [
    'the sync has a key of its own',
    [course],
    [firstHalf, split('20270119T190000', 'SUMMARY:Yin')],
    { updated: 3, unchanged: 2 },
    'key: [uid, summary]',
  ],
  [
    'it is published once',
    [event('abc@google.com', berlin('20270105T180000'), yoga, rule('COUNT=1'))],
    [event('abc_R20270105T170000@google.com', berlin('20270105T190000'), 'SUMMARY:Yin', rule('COUNT=3'))],
    { updated: 1 },
    'key: uid\nwindow: { from: 2027-01-01 }',
  ],
];

function write(site: Site, events: readonly string[]): void {
  const components = events.map((lines) => {
    const length = lines.includes('VALUE=DATE') ? 'P1D' : 'PT1H';
    return `BEGIN:VEVENT\r\n${lines}\r\nDURATION:${length}\r\nEND:VEVENT\r\n`;
  });
  site.write('syncs/calendar.ics', `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${components.join('')}END:VCALENDAR\r\n`);
}

function writeSync(site: Site, more = 'key: uid'): void {
  const source = more.includes('window')
    ? '{ connector: ical, url: ./calendar.ics, recurrence: first }'
    : '{ connector: ical, url: ./calendar.ics }';
  const missing = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }';
  site.write('syncs/calendar.yaml', `resource: events\nsource: ${source}\n${more}\n${missing}\n`);
}

describe('A series whose occurrences have new keys', () => {
  test.each(stories.map((story) => [story[0], story] as const))('keeps its items if %s', async (_, story) => {
    const [, before, after, counts, sync] = story;
    await using site = await openSite(simplest, { timezone: 'Europe/Berlin' });
    writeSync(site, sync);
    write(site, before);
    await site.sync();
    const old = new Map((await site.items('calendar/events')).map((item) => [item.id, item]));
    write(site, after);
    const [report] = await site.sync();
    const none = { created: 0, updated: 0, unchanged: 0, missing: 0 };
    expect(report).toMatchObject({ status: 'success', counts: { ...none, ...counts, deleted: counts.missing ?? 0 } });
    const items = await site.items('calendar/events');
    expect(items.filter(({ id }) => old.has(id))).toHaveLength(old.size - (counts.missing ?? 0));
    // Nothing is left to do, whatever key is in the ledger.
    const read = report?.counts.read ?? 0;
    expect(await site.sync()).toMatchObject([{ counts: { ...none, read, unchanged: read } }]);
    expect(items).toHaveLength(read);
  });

  test.each(either(1))('and again at each further change, on $ledger with $queue', async (engines) => {
    await using site = await openSite(engines, { timezone: 'Europe/Berlin' });
    writeSync(site);
    const changes = [
      threeTimes(berlin('20270105T180000')),
      threeTimes(';VALUE=DATE:20270105'),
      threeTimes(':20270105T200000', 'SUMMARY:Yin'),
      threeTimes(berlin('20270106T093000'), 'SUMMARY:Yin'),
      threeTimes(';VALUE=DATE:20270106', 'SUMMARY:Yang'),
    ];
    let ids: number[] = [];
    for (const [index, change] of changes.entries()) {
      write(site, [change]);
      const [report] = await site.sync();
      expect(report).toMatchObject({ counts: index === 0 ? { created: 3 } : { updated: 3, created: 0, deleted: 0 } });
      const found = (await site.items('calendar/events')).map(({ id }) => id);
      if (index > 0) expect(found).toEqual(ids);
      ids = found;
    }
  });

  test('An occurrence that editors have deleted does not return under a new key', async () => {
    await using site = await openSite(simplest, { timezone: 'Europe/Berlin' });
    writeSync(site);
    write(site, [threeTimes(berlin('20270105T180000'))]);
    await site.sync();
    const [first] = await site.items('calendar/events');
    await site.request('DELETE', `api/v1/calendar/events/${first?.id}`);
    write(site, [threeTimes(berlin('20270105T180000'), 'SUMMARY:Yin')]);
    await site.sync();
    write(site, [threeTimes(';VALUE=DATE:20270105', 'SUMMARY:Yang')]);
    expect(await site.sync()).toMatchObject([{ counts: { created: 0, updated: 2, skipped: 1 } }]);
  });
});
