import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { CONCERT, openCampus, writeCalendar } from './two-calendars.ts';

test('Rejects are named by the map of their own source', async () => {
  await using site = await openCampus();
  site.write(
    'syncs/campus.yaml',
    `resource: events
sources:
  central: { connector: csv, url: ./feeds/central.csv, map: { title: title, date: date, time.start: start } }
  music: { connector: csv, url: ./feeds/music.csv, map: { title: name, date: when } }
key: id
`,
  );
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  site.write('syncs/feeds/music.csv', 'id,title,name,when\n7,Evening,Winter Journey,soon\n');
  await site.sync();
  const { stdout } = await runHere(['rejects', 'campus'], site.variables);
  expect(stdout).toContain('Winter Journey');
  expect(stdout).not.toContain('Evening');
});
