import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inTurn } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import type { Site } from '../site.ts';
import { CONCERT, itemsOf, openCampus, type Row, TALK, writeCalendar, writeCampus } from './two-calendars.ts';

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

describe('A sync of one source that gets a second one', () => {
  const grown = inTurn([
    { count: 1, sources: ['central', 'music'] },
    { count: 3, sources: ['music', 'central'] },
    { count: 12, sources: ['music', 'central'] },
    { count: 12, sources: ['central', 'music'] },
  ]);
  const name = 'keeps its $count items as those of the source they came from, on $ledger with $queue ($sources)';
  test.each(grown)(name, async ({ count, sources, ...engines }) => {
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
    await using site = await openCampus();
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
    await using site = await openCampus();
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

describe('A sync of two sources that becomes one of one', () => {
  const shared: Row = ['1', ...CONCERT, 'Mozart'];
  const central: Row[] = [shared, ...rowsOf(4, 'Hall', 11)];
  // The keys are those of other events of the other source.
  const music: Row[] = [
    ['11', ...CONCERT, 'With choir'],
    ['1', ...TALK, ''],
    ['12', 'Evensong', '2031-06-01', '17:00', 'Chapel', ''],
    ['13', 'Matins', '2031-06-02', '08:00', 'Chapel', ''],
  ];
  const remaining = { central: 5, music: 4 } as const;

  const cases = (['central', 'music'] as const).flatMap((left) => [
    { left, began: 'with both', copy: false },
    { left, began: 'with central alone', copy: false },
    { left, began: 'with both', copy: true },
  ]);
  const title = 'keeps its items: $left is left, it began $began, at another place: $copy, on $ledger with $queue';
  test.each(inTurn(cases))(title, async ({ left, began, copy, ...engines }) => {
    await using site = await openCampus({ engines, more: MISSING });
    writeCalendar(site, 'central', central);
    writeCalendar(site, 'music', music);
    if (began === 'with central alone') {
      writeSingle(site);
      await site.sync();
      writeCampus(site, MISSING);
    }
    await site.sync();
    const before = await itemsOf(site);
    expect(before).toHaveLength(8);
    site.writes();

    const feed = { central, music }[left];
    const place = copy ? 'copy' : left;
    writeCalendar(site, place, feed);
    writeSingle(site, 'campus', place);
    const planned = await runHere(['plan', 'campus'], site.variables);
    expect([planned.exitCode, planned.stdout + planned.stderr]).toEqual([
      1,
      expect.stringContaining('FF_PLAN_RENAMED'),
    ]);
    const other = left === 'central' ? 'music' : 'central';
    const removed = 8 - remaining[left];
    const warning = `${removed} items stay on the site from "${other}"`;
    for (let run = 0; run < 2; run += 1) {
      const [report] = await site.sync();
      expect(report).toMatchObject({ counts: { created: 0, deleted: 0, missing: 0 }, status: 'success' });
      expect(report?.warnings.map(({ message }) => message)).toContainEqual(expect.stringContaining(warning));
    }
    const changed = site.writes();
    // The event of both has the text of the source that is left.
    expect(changed).toEqual(left === 'music' ? { 'PATCH /calendar/events/:id': 1 } : {});
    expect((await idsOf(site)).length).toBe(8);

    // Its own records live on: one changes, one is missing, one is new.
    const [first = shared, , ...rest] = feed;
    const records: Row[] = [
      [first[0], first[1], first[2], first[3], first[4], 'Changed'],
      ...rest,
      ['new', 'New', '2031-07-01', '18:00', 'Hall', ''],
    ];
    writeCalendar(site, place, records);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, updated: 1, deleted: 1 } }]);
    expect(await idsOf(site)).toHaveLength(8);

    // As the warning says, it is a source without records once more.
    writeCampus(site, 'missing: { policy: delete, after: 1 run }', ['central', 'music'], other);
    writeCalendar(site, left, records);
    writeCalendar(site, other, []);
    const [held] = await site.sync();
    expect(await site.approve('campus', held?.run ?? '')).toMatchObject({ counts: { created: 0, deleted: removed } });
    writeSingle(site, 'campus', left);
    const [last] = await site.sync();
    expect(last).toMatchObject({ status: 'success', counts: { created: 0, unchanged: remaining[left] }, warnings: [] });
    expect(await idsOf(site)).toHaveLength(remaining[left]);
  });

  test('takes back what it had if it gets its second source again', async () => {
    await using site = await openCampus({ more: MISSING });
    writeCalendar(site, 'central', central);
    writeCalendar(site, 'music', music);
    await site.sync();
    const before = await itemsOf(site);
    writeSingle(site);
    await site.sync();
    site.writes();
    writeCampus(site, MISSING);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, deleted: 0, unchanged: 8 } }]);
    expect(site.writes()).toEqual({});
    expect(await itemsOf(site)).toEqual(before);
  });

  test('takes over an event of the former source that its own source adds', async () => {
    await using site = await openCampus({ more: MISSING });
    writeCalendar(site, 'central', central);
    writeCalendar(site, 'music', music);
    await site.sync();
    const before = await itemsOf(site);
    writeSingle(site);
    await site.sync();
    writeCalendar(site, 'central', [...central, ['99', ...TALK, '']]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, deleted: 0 } }]);
    expect(await itemsOf(site)).toEqual(before);
    writeCampus(site, MISSING);
    await site.sync();
    expect(await itemsOf(site)).toEqual(before);
  });
});
