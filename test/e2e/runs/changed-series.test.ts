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

const at = (start: string, ...lines: string[]) => event('u', berlin(start), ...(lines.length ? lines : [yoga]));
const changed = (start: string, ...lines: string[]) =>
  at(start, `RECURRENCE-ID;TZID=Europe/Berlin:${start}`, ...(lines.length ? lines : [yoga]));
const tuesdays = ['20270105T180000', '20270112T180000', '20270119T180000', '20270126T180000'].map((day) => at(day));
const [first = '', second = '', third = '', fourth = ''] = tuesdays;

/** Several events with one UID, most of them without RECURRENCE-ID. */
const shared: Story[] = [
  [
    'one moves, one is renamed, one is dropped, and one is added',
    tuesdays,
    [at('20270105T183000'), at('20270112T180000', 'SUMMARY:Yin'), fourth, at('20270202T180000')],
    { created: 1, updated: 2, unchanged: 1, missing: 1 },
  ],
  ['the first one leaves', tuesdays, [second, third, fourth], { unchanged: 3, missing: 1 }],
  ['another one is put in front', [second, third, fourth], tuesdays, { created: 1, unchanged: 3 }],
  ['they have another order', tuesdays, [third, first, fourth, second], { unchanged: 4 }],
  [
    'one is edited, with a later revision',
    tuesdays,
    [first, second, at('20270119T180000', 'SUMMARY:Yin', 'SEQUENCE:1'), fourth],
    { updated: 1, unchanged: 3 },
  ],
  [
    'each has a revision of its own',
    tuesdays,
    tuesdays.slice(1).map((lines, index) => `${lines}\r\nLAST-MODIFIED:2026010${index + 1}T000000Z`),
    { unchanged: 3, missing: 1 },
  ],
  ['an event is no longer alone', [second], [first, second], { created: 1, unchanged: 1 }],
  [
    'an event is no longer alone, and moves',
    [second],
    [first, at('20270112T190000', 'SUMMARY:Yin')],
    { created: 1, updated: 1 },
  ],
  ['all but one leave', tuesdays, [third], { unchanged: 1, missing: 3 }],
  [
    'the first of two that start together leaves',
    [first, at('20270105T180000', 'SUMMARY:Yin'), second],
    [at('20270105T180000', 'SUMMARY:Yin'), second],
    { unchanged: 2, missing: 1 },
  ],
  [
    'the second of two that start together leaves, and the other one moves',
    [first, at('20270105T180000', 'SUMMARY:Yin'), second],
    [at('20270105T173000'), second],
    { updated: 1, unchanged: 1, missing: 1 },
  ],
  [
    'one of two that start together is renamed',
    [first, at('20270105T180000', 'SUMMARY:Yin')],
    [at('20270105T180000', 'SUMMARY:Yang'), first],
    { updated: 1, unchanged: 1 },
  ],
  [
    'whole days leave and are renamed',
    ['05', '06', '07'].map((day) => event('u', `;VALUE=DATE:202701${day}`, yoga)),
    [event('u', ';VALUE=DATE:20270106', 'SUMMARY:Yin'), event('u', ';VALUE=DATE:20270107', yoga)],
    { updated: 1, unchanged: 1, missing: 1 },
  ],
  [
    'floating times get a zone',
    ['05', '12', '19'].map((day) => event('u', `:202701${day}T180000`, yoga)),
    [first, second, third],
    { updated: 3 },
  ],
  ['they become a series', [first, second, third], [threeTimes(berlin('20270105T180000'))], { unchanged: 3 }],
  ['a series becomes single events', [threeTimes(berlin('20270105T180000'))], [first, second, third], { unchanged: 3 }],
  [
    'some get a RECURRENCE-ID',
    [first, second, third],
    [first, changed('20270112T180000'), changed('20270119T180000', 'SUMMARY:Yin')],
    { updated: 1, unchanged: 2 },
  ],
  [
    'the first one never has a RECURRENCE-ID, and leaves',
    [first, changed('20270112T180000'), changed('20270119T180000')],
    [second, changed('20270119T180000'), changed('20270126T180000')],
    { created: 1, unchanged: 2, missing: 1 },
  ],
  [
    'the first of two with one RECURRENCE-ID leaves',
    [
      threeTimes(berlin('20270105T180000')),
      changed('20270112T180000', 'SUMMARY:Yin'),
      changed('20270112T180000', 'SUMMARY:Yang'),
    ],
    [threeTimes(berlin('20270105T180000')), changed('20270112T180000', 'SUMMARY:Yang')],
    { unchanged: 3, missing: 1 },
  ],
  [
    'a single event beside a series is put in front of it',
    [threeTimes(berlin('20270105T180000'), 'SUMMARY:Yin')],
    [at('20270107T180000'), threeTimes(berlin('20270105T180000'), 'SUMMARY:Yin')],
    { created: 1, unchanged: 3 },
  ],
  [
    'a single event beside a series starts with one of its dates, and leaves',
    [at('20270112T180000'), threeTimes(berlin('20270105T180000'), 'SUMMARY:Yin')],
    [threeTimes(berlin('20270105T180000'), 'SUMMARY:Yin')],
    { unchanged: 3, missing: 1 },
  ],
  [
    'the first of two series leaves',
    [threeTimes(berlin('20270105T180000')), threeTimes(berlin('20270107T180000'), 'SUMMARY:Yin')],
    [threeTimes(berlin('20270107T180000'), 'SUMMARY:Yin')],
    { unchanged: 3, missing: 3 },
  ],
  [
    'the first of two series leaves, which are published once',
    [threeTimes(berlin('20270105T180000')), threeTimes(berlin('20270107T180000'), 'SUMMARY:Yin')],
    [threeTimes(berlin('20270107T180000'), 'SUMMARY:Yin')],
    { unchanged: 1, missing: 1 },
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

describe.each([
  ['A series whose occurrences have new keys', stories],
  ['Events that share a UID', shared],
])('%s', (_, all) => {
  test.each(all.map((story) => [story[0], story] as const))('Items are kept if %s', async (__, story) => {
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
});

describe('A series whose occurrences have new keys', () => {
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
