import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { farthest, type Site } from '../site.ts';
import { openCampus, type Row, writeCalendar, writeCampus } from './two-calendars.ts';

const rowsOf = (count: number, hall = 'Hall', from = 1): Row[] =>
  Array.from({ length: count }, (_, index) => [
    String(from + index),
    `Talk ${from + index}`,
    '2031-03-01',
    '18:00',
    hall,
    '',
  ]);

/** Writes the sync with `central` as its only source. */
function writeSingle(site: Site, name = 'campus', source = 'central'): void {
  site.write(
    `syncs/${name}.yaml`,
    `resource: events
source: { connector: csv, url: ./feeds/${source}.csv }
key: id
map: { title: title, date: date, time.start: start, location: hall, description: text }
missing: { policy: delete, after: 1 run }
`,
  );
}

const MISSING = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }';

async function idsOf(site: Site): Promise<number[]> {
  return (await site.items('calendar/events')).map(({ id }) => id).sort((one, other) => one - other);
}

describe.each(farthest)('A sync of one source that gets a second one, on $ledger with $queue', (engines) => {
  test.each([
    [1, ['central', 'music']],
    [2, ['central', 'music']],
    [3, ['music', 'central']],
    [12, ['central', 'music']],
    [12, ['music', 'central']],
  ])('keeps its %i items as those of the source they came from (%j)', async (count, sources) => {
    await using site = await openCampus({ engines });
    writeSingle(site);
    writeCalendar(site, 'central', rowsOf(count));
    // The keys of the other source are the same, its events are not.
    writeCalendar(site, 'music', [['1', 'Concert', '2031-05-01', '20:00', 'Stage', '']]);
    await site.sync();
    const before = await idsOf(site);
    site.writes();

    writeCampus(site, MISSING, sources);
    const [planned] = await site.sync();
    expect(planned).toMatchObject({ status: 'success', counts: { created: 1, unchanged: count, missing: 0 } });
    expect(site.writes()).toEqual({ 'POST /calendar/events': 1 });
    expect((await idsOf(site)).slice(0, count)).toEqual(before);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: count + 1, created: 0 } }]);

    // They are members of their source: its word counts for them.
    writeCalendar(site, 'central', [...rowsOf(count - 1), ['new', 'New', '2031-06-01', '18:00', 'Hall', '']]);
    await site.sync();
    const titles = (await site.items('calendar/events')).map(({ title }) => title);
    expect(titles).toContain('New');
    expect(titles.filter((title) => String(title).startsWith('Talk'))).toHaveLength(count - 1);
  });

  test('joins an event that the second source has, too, and keeps what the first one cannot be read for', async () => {
    await using site = await openCampus({ engines });
    writeSingle(site);
    writeCalendar(site, 'central', rowsOf(3));
    await site.sync();
    site.writes();
    writeCampus(site, MISSING);
    writeCalendar(
      site,
      'music',
      rowsOf(2).map(([, ...rest]) => [`m-${rest[0]}`, ...rest] as unknown as Row),
    );
    site.write('syncs/feeds/central.csv', '');
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { created: 0, deleted: 0 } }]);
    expect(await idsOf(site)).toHaveLength(3);
    writeCalendar(site, 'central', rowsOf(3));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3, created: 0 } }]);
    expect(site.writes()).toEqual({});
  });

  test('keeps its items if it is renamed at once', async () => {
    await using site = await openCampus({ engines });
    writeSingle(site, 'old');
    site.write('syncs/campus.yaml', 'resource: events\nsource: { connector: csv, url: ./feeds/music.csv }\nkey: id\n');
    writeCalendar(site, 'central', rowsOf(3));
    await site.sync(['old']);
    const before = await idsOf(site);
    site.write('syncs/old.yaml', 'resource: events\nsource: { connector: csv, url: ./feeds/music.csv }\nkey: id\n');
    rmSync(`${site.dir}/config/syncs/old.yaml`);
    writeCampus(site, `renamedFrom: old\n${MISSING}`);
    writeCalendar(site, 'music', [['1', 'Concert', '2031-05-01', '20:00', 'Stage', '']]);
    expect(await site.sync(['campus'])).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
    expect((await idsOf(site)).slice(0, 3)).toEqual(before);
    expect(await idsOf(site)).toHaveLength(4);
  });
});
