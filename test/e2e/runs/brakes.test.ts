import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { combinations, openSite, png, type Site, simplest } from '../site.ts';

test('Missing records are deleted in the second run by default', async () => {
  await using site = await openTalks('missing: { policy: delete }');
  writeTalks(site, 10);
  await site.sync();
  writeTalks(site, 9);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 1, deleted: 0 } }]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 1, deleted: 1 } }]);
});

test('A feed that shrinks slowly is held, and an approval settles it', async () => {
  await using site = await openTalks('missing: { policy: delete, after: 1 run }');
  writeTalks(site, 20);
  await site.sync();
  writeTalks(site, 16);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 4 } }]);
  writeTalks(site, 14);
  const [held] = await site.sync();
  expect(held).toMatchObject({
    status: 'held',
    error: { code: 'FF_GUARD_MISSING', message: expect.stringContaining('With the 4 that were removed') },
  });
  expect(await site.approve('talks', String(held?.run))).toMatchObject({ counts: { deleted: 2 } });
  writeTalks(site, 13);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 1 } }]);
});

test('All records of the feed of another site wait, and one answer settles them', async () => {
  await using site = await openTalks('');
  writeTalks(site, 20);
  await site.sync();
  site.writes();
  writeTalks(site, 20, 'Lunch', '2031-04-02');
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 20 } }]);
  expect(site.writes()).toEqual({});
  const answered = await runHere(['retry', 'talks', '--distinct', '--json'], site.variables);
  // The items of the other site's talks stay, under other keys.
  expect(answered.json()).toMatchObject({ runs: [{ status: 'success', counts: { created: 20, updated: 20 } }] });
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 20, missing: 20 } }]);
});

test.each<[string, RegExp, Damage]>([
  [
    'titles',
    /6 of the 20 .*; 3 of them were changed by runs of the last 24 hours/,
    ([id = '', , ...rest]) => [id, 'Busy', ...rest],
  ],
  [
    'texts',
    /"description" is emptied in 6 of the 20 .*; 3 of them/,
    ([id = '', title = '', date = '', start = '']) => [id, title, date, start, ''],
  ],
])('Changes of a day add up, whatever the run, until a person has approved them: %s', async (_, message, damage) => {
  await using site = await openSite(combinations.at(-1) ?? simplest);
  writeSync(site, '', '{ title: title, date: date, time.start: start, description: text }');
  const rows = Array.from({ length: 20 }, (__, id) => [`T${id}`, `Talk ${id}`, '2031-03-01', '18:00', `About ${id}`]);
  const write = (damaged: number) => {
    const shown = rows.map((row, index) => (index < damaged ? damage(row) : row).join());
    site.write('syncs/talks.csv', ['id,title,date,start,text', ...shown, ''].join('\n'));
  };
  write(0);
  await site.sync();
  write(3);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 } }]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 20 } }]);
  write(6);
  const [held] = await site.sync();
  expect(held).toMatchObject({
    status: 'held',
    error: { code: 'FF_GUARD_CHANGES', message: expect.stringMatching(message) },
  });
  await site.approve('talks', String(held?.run));
  write(8);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 2 } }]);
});

test('Changes that a change of the config has made do not add up with later ones', async () => {
  await using site = await openTalks('');
  writeTalks(site, 20);
  await site.sync();
  writeSync(site, '', '{ title: { template: "{{ title }}!" }, date: date, time.start: start }');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 20 } }]);
  const rows = Array.from({ length: 20 }, (_, id) => `${id},Talk ${id},2031-03-01,${id < 1 ? '19:00' : '18:00'}`);
  site.write('syncs/talks.csv', ['id,title,date,start', ...rows, ''].join('\n'));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
});

test('Uniform changes of a small feed are held, and an approval applies them', async () => {
  await using site = await openSite(combinations.at(-1) ?? simplest);
  writeSync(
    site,
    'attachments: { image: picture }',
    '{ title: title, date: date, time.start: start, description: text }',
  );
  const rows = Array.from({ length: 5 }, (_, id) => {
    site.write(`syncs/${id}.png`, png(id));
    return [`T${id}`, `Talk ${id}`, `2031-03-0${id + 1}`, '18:00', `About ${id}`, `./${id}.png`];
  });
  const write = (count: number, column = 0, value = '') => {
    const shown = rows.map((row, index) => (index < count ? row.with(column, value) : row).join());
    site.write('syncs/talks.csv', ['id,title,date,start,text,picture', ...shown, ''].join('\n'));
  };
  write(0);
  expect(await site.sync()).toMatchObject([{ counts: { created: 5, uploaded: 5 } }]);
  site.writes();
  for (const [count, column, value, message] of [
    [5, 3, '17:00', /^5 of the 5 upcoming events with a time .*−1 hour, as by a mistake with a time zone/],
    [4, 1, 'Busy', /^4 of the 5 .*"title"/],
    [3, 4, '', /^"description" is emptied in 3 of the 5/],
    [3, 5, '', /^"image" is emptied in 3 of the 5/],
  ] as const) {
    write(count, column, value);
    const error = { code: 'FF_GUARD_CHANGES', message: expect.stringMatching(message) };
    expect(await site.sync()).toMatchObject([{ status: 'held', error }]);
    write(0);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 5 } }]);
  }
  expect(site.writes()).toEqual({});

  // Changes of a day add up.
  write(2, 4, '');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 2 } }]);
  write(3, 4, '');
  const message = expect.stringMatching(/^"description" is emptied in 3 of the 5 .*; 2 of them were changed/);
  expect(await site.sync()).toMatchObject([{ status: 'held', error: { message } }]);
  write(0);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 2 } }]);

  write(5, 3, '17:00');
  const [held] = await site.sync();
  expect(await site.approve('talks', String(held?.run))).toMatchObject({ status: 'success', counts: { updated: 5 } });
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 5 } }]);
});

test('A few equal changes of a small feed are not held', async () => {
  await using site = await openSite(combinations.at(-1) ?? simplest);
  writeSync(site, 'attachments: { image: picture }', '{ title: title, date: date, time.start: start }');
  const rows = Array.from({ length: 12 }, (_, id) => {
    site.write(`syncs/${id}.png`, png(id));
    return [`T${id}`, `Talk ${id}`, `2031-03-${id + 10}`, '18:00', `./${id}.png`];
  });
  const write = (column: number, value: string) => {
    const shown = rows.map((row, index) => (index < 3 ? row.with(column, value) : row).join());
    site.write('syncs/talks.csv', ['id,title,date,start,picture', ...shown, ''].join('\n'));
  };
  write(1, 'Cancelled');
  await site.sync();
  for (const [column, value] of [
    [3, '19:00'],
    [4, ''],
  ] as const) {
    write(column, value);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 } }]);
  }
});

/** What a bad export makes of a row: id, title, date, start, text. */
type Damage = (row: string[]) => string[];

const bad: Array<[string, Damage, RegExp]> = [
  ['titles', ([id = '', title = '', ...rest]) => [id, `Lunch ${title}`, ...rest], /24 of the 24 .* have changed/],
  ['days', ([id = '', title = '', , ...rest]) => [id, title, '2032-03-01', ...rest], /same amount: \+1 year\./],
  [
    'times',
    ([id = '', title = '', date = '', , text = '']) => [id, title, date, '19:00', text],
    /\+1 hour, as by a mistake/,
  ],
  [
    'texts',
    ([id = '', title = '', date = '', start = '']) => [id, title, date, start, ''],
    /"description" is emptied in 24/,
  ],
  [
    'letters',
    ([id = '', title = '', ...rest]) => [id, Buffer.from(title).toString('latin1'), ...rest],
    /24 of the 24 .* wrong letters.*title "Café 0" → "CafÃ© 0"/,
  ],
  [
    'keys and titles',
    ([id = '', , ...rest]) => [`00${id}`, `Talk ${id}`, ...rest],
    /24 records .* are new, while 24 of the 24/,
  ],
];

test('Bad exports are held, and the next good one changes nothing', async () => {
  // The other tests use SQLite.
  await using site = await openSite(combinations.at(-1) ?? simplest);
  writeSync(site, '', '{ title: title, date: date, time.start: start, description: text }');
  const rows = Array.from({ length: 24 }, (_, id) => [`T${id}`, `Café ${id}`, '2031-03-01', '18:00', `About ${id}`]);
  const write = (damage: Damage) =>
    site.write(
      'syncs/talks.csv',
      ['id,title,date,start,text', ...rows.map((row) => damage(row).join()), ''].join('\n'),
    );
  write((row) => row);
  await site.sync();
  site.writes();
  for (const [what, damage, message] of bad) {
    write(damage);
    expect(await site.sync(), what).toMatchObject([
      {
        status: 'held',
        error: { code: expect.stringMatching(/^FF_GUARD_CH/), message: expect.stringMatching(message) },
      },
    ]);
    write((row) => row);
    expect(await site.sync(), what).toMatchObject([{ status: 'success', counts: { unchanged: 24, missing: 0 } }]);
  }
  expect(site.writes()).toEqual({});

  // A third of the texts is not too much, and a change of the map is no change of the feed.
  write((row) => (Number(row[0]?.slice(1)) % 3 === 0 ? row.with(4, 'New') : row));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 8 } }]);
  writeSync(
    site,
    'changes: { threshold: false }',
    '{ title: text, date: date, time.start: start, description: title }',
  );
  const [expected] = await site.sync();
  expect(expected).toMatchObject({ status: 'success', counts: { updated: 24 } });
});

async function openTalks(rules: string): Promise<Site> {
  const site = await openSite(simplest);
  writeSync(site, rules);
  return site;
}

function writeSync(site: Site, rules: string, map = '{ title: title, date: date, time.start: start }'): void {
  site.write(
    'syncs/talks.yaml',
    `resource: events\nsource: { connector: csv, url: ./talks.csv }\nkey: id\nmap: ${map}\n${rules}\n`,
  );
}

function writeTalks(site: Site, count: number, title = 'Talk', date = '2031-03-01'): void {
  const rows = Array.from({ length: count }, (_, id) => `${id},${title} ${id},${date},18:00,Hall ${id},2031-05-01`);
  site.write('syncs/talks.csv', ['id,title,date,start,place,other', ...rows, ''].join('\n'));
}
