import { describe, expect, test } from 'vitest';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { type Engines, openSite, type Site, simplest, writeTarget } from '../site.ts';

/** A site with a sync that reads a calendar, by its UIDs. */
async function openCalendar(engines: Engines): Promise<Site> {
  const site = await openSite(engines);
  site.write('syncs/calendar.yaml', 'resource: events\nsource: { connector: ical, url: ./calendar.ics }\nkey: uid\n');
  return site;
}

function writeCalendar(site: Site, events: Array<{ uid: string; title: string; start: string }>): void {
  const components = events.map(
    ({ uid, title, start }) => `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:${title}\r\nDTSTART:${start}\r\nEND:VEVENT\r\n`,
  );
  site.write('syncs/calendar.ics', `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${components.join('')}END:VCALENDAR\r\n`);
}

const titles = ['Opening', 'Lecture', 'Concert', 'Tour'];
const export_ = (round: string, start = '20270310T200000Z') =>
  titles.map((title, index) => ({ uid: `${round}-${index}`, title, start }));

describe('Feeds whose UIDs change at every fetch', () => {
  test.each(either(1))(
    'Records with new UIDs are recognised, keep their ids and are not sent again, on $ledger with $queue',
    async (engines) => {
      await using site = await openCalendar(engines);
      writeCalendar(site, export_('monday'));
      await site.sync();
      const ids = (await site.items('calendar/events')).map((event) => event.id);
      site.writes();

      writeCalendar(site, export_('tuesday'));
      const [report] = await site.sync();
      expect(report).toMatchObject({ status: 'success', counts: { read: 4, unchanged: 4, created: 0, missing: 0 } });
      expect(report?.warnings).toMatchObject([
        { message: expect.stringContaining('4 records recognised under a new key') },
      ]);
      expect(site.writes()).toEqual({});

      const changed = export_('wednesday').map((event) => ({ ...event }));
      writeCalendar(site, [...changed, { uid: 'extra', title: 'Party', start: '20270401T180000Z' }]);
      expect(await site.sync()).toMatchObject([{ counts: { unchanged: 4, created: 1 } }]);
      expect((await site.items('calendar/events')).map((event) => event.id)).toEqual([...ids, expect.any(Number)]);
    },
  );

  test.each(either(0))(
    'A key that a record has had before is its own again, also when its title and time have changed, on $ledger',
    async (engines) => {
      await using site = await openCalendar(engines);
      const read = async (uid: string, title: string, start: string) => {
        const others = export_('kept').slice(1);
        writeCalendar(site, [{ uid, title, start }, ...others]);
        const [report] = await site.sync();
        return report;
      };
      const evening = '20270310T200000Z';
      await read('a', 'Opening', evening);
      const [first] = await site.items('calendar/events');
      expect(await read('b', 'Opening', evening)).toMatchObject({ counts: { unchanged: 4, created: 0, missing: 0 } });
      expect(await read('a', 'Grand opening', '20270311T190000Z')).toMatchObject({
        counts: { updated: 1, created: 0 },
      });
      expect(await site.items('calendar/events')).toHaveLength(4);
      expect((await site.items('calendar/events')).find(({ id }) => id === first?.id)).toMatchObject({
        title: 'Grand opening',
        date: '2027-03-11',
      });
      // The later key is known, too.
      expect(await read('b', 'Grand closing', '20270312T190000Z')).toMatchObject({
        counts: { updated: 1, created: 0 },
      });
      expect(await site.items('calendar/events')).toHaveLength(4);
    },
  );

  test('Indistinguishable records wait, each for an answer about another one, and nothing is written', async () => {
    await using site = await openCalendar(simplest);
    const twins = (round: string) => [
      ...export_(round),
      { uid: `${round}-twin`, title: 'Tour', start: '20270310T200000Z' },
    ];
    writeCalendar(site, twins('monday'));
    await site.sync();
    site.writes();
    writeCalendar(site, twins('tuesday'));
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { unchanged: 3, held: 2, missing: 0 } }]);
    expect(site.writes()).toEqual({});
    await runHere(['retry', 'calendar', '--same'], site.variables);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 5, missing: 0 } }]);
    expect(await site.items('calendar/events')).toHaveLength(5);
  });
});

describe('A series whose time shifts', () => {
  test.each([
    ['with external ids', true],
    ['without external ids', false],
  ])('Its occurrences keep their items and are updated, %s', async (_, externalId) => {
    await using site = await openSite(simplest);
    if (!externalId) writeTarget(site, '  concurrency: 4\n  lookupAfter: 200ms\n');
    const missing = 'missing: { policy: delete, after: 1 run }';
    site.write(
      'syncs/calendar.yaml',
      `resource: events\nsource: { connector: ical, url: ./calendar.ics }\nkey: uid\n${missing}\n`,
    );
    const write = (start: string, others: string[] = []) => {
      const course = `UID:course\r\nSUMMARY:Drawing\r\nDTSTART;TZID=Europe/Berlin:${start}\r\nRRULE:FREQ=WEEKLY;COUNT=12\r\n`;
      const events = [course, ...others].map((event) => `BEGIN:VEVENT\r\n${event}END:VEVENT\r\n`).join('');
      site.write('syncs/calendar.ics', `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events}END:VCALENDAR\r\n`);
    };
    write('20270302T180000');
    expect(await site.sync()).toMatchObject([{ counts: { created: 12 } }]);
    const idsByDate = async () => (await site.items('calendar/events')).map(({ id, date }) => [id, date]);
    const before = await idsByDate();
    site.writes();

    // An hour later, across the change of clocks.
    write('20270302T190000', ['UID:tour\r\nSUMMARY:Tour\r\nDTSTART;VALUE=DATE:20270401\r\n']);
    const [later] = await site.sync();
    expect(later).toMatchObject({ status: 'success', counts: { created: 1, updated: 12, missing: 0, deleted: 0 } });
    expect(later?.warnings).toMatchObject([
      { message: expect.stringContaining('12 occurrences recognised in a changed series') },
    ]);
    expect((await idsByDate()).slice(0, 12)).toEqual(before);
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 13, missing: 0 } }]);

    // Two days later; the tour is over.
    write('20270304T190000');
    expect(await site.sync()).toMatchObject([{ counts: { created: 0, updated: 12, missing: 1, deleted: 1 } }]);
    expect((await idsByDate()).map(([id]) => id)).toEqual(before.map(([id]) => id));
  });
});
