import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../support/folder.ts';
import { rowsOf, workbook } from '../../support/workbook.ts';
import { runHere } from '../run-here.ts';
import { openSite, simplest } from '../site.ts';

const header = ['Nr', 'Title', 'Day', 'Start', 'Room', 'Notes'];
const day = (serial: number) => `<c s="1"><v>${serial}</v></c>`;
const time = (serial: number) => `<c s="2"><v>${serial}</v></c>`;
const talk = (row: number, nr: number, title: string, at: string, notes = '') =>
  `<row r="${row}"><c><v>${nr}</v></c><c t="inlineStr"><is><t>${title}</t></is></c>${at}<c t="inlineStr"><is><t>Hall A</t></is></c><c t="inlineStr"><is><t>${notes}</t></is></c></row>`;

/** A workbook as staff have it: a title above the table, dates and times as numbers, an empty row, a note below. */
const talks = (title = 'Ships') =>
  workbook({
    sheets: {
      Talks: [
        rowsOf([['Programme 2027'], []]),
        rowsOf([header], 3),
        talk(4, 1001, 'Maps', day(46447) + time(0.75), 'First line&#10;Second "line"'),
        talk(5, 1002, title, day(46448) + time(10 / 24)),
        talk(7, 1003, 'Tides', day(46449) + time(0.5)).replace('</row>', '<c r="H7"><v>5</v></c></row>'),
        talk(8, 1004, '', '<c t="inlineStr"><is><t>soon</t></is></c><c/>'),
      ].join(''),
      Old: rowsOf([header]),
    },
    formats: ['dd/mm/yyyy', 'h:mm AM/PM'],
  });

test('A workbook is proposed, previewed and delivered like CSV, and messages name sheet and row', async () => {
  await using site = await openSite(simplest);
  site.write(
    'syncs/talks.yaml',
    `resource: events
source: { connector: csv, url: ../feeds/talks.xlsx }
key: Nr
map: { title: Title, date: Day, time.start: Start, description: Notes }
`,
  );
  site.write('feeds/talks.xlsx', talks());
  const preview = await runHere(['preview', 'talks'], site.variables);
  expect(preview.shown).toContain('sheet: "Talks", one of 2');
  expect(preview.shown).toContain('sheet "Talks", row 8');
  const [first] = await site.sync();
  expect(first).toMatchObject({ status: 'partial', complete: true, counts: { created: 3, rejected: 1 } });
  const items = await site.items('calendar/events');
  expect(items).toContainEqual(
    expect.objectContaining({
      title: 'Maps',
      date: '2027-03-01',
      time: expect.objectContaining({ start: '18:00:00' }),
      description: expect.stringMatching(/First line(<br ?\/?>|<\/p>)\s*(<p>)?Second "line"/),
    }),
  );
  site.write('feeds/talks.xlsx', workbook({ sheets: { Notes: rowsOf([['About', 'this']]), Talks: rowsOf([header]) } }));
  expect((await runHere(['preview', 'talks'], site.variables)).shown).toContain(
    'talks.xlsx, sheet "Notes" (one of 2: sheet: NAME under source reads another), has no column "Nr"',
  );
  site.write('feeds/talks.xlsx', talks('Boats'));
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1, unchanged: 2, rejected: 1 } }]);
});

test('init proposes a sync for a workbook, whatever its name', async () => {
  const dir = folderOf({});
  for (const name of ['talks.xlsx', 'export']) {
    writeFileSync(join(dir, name), talks());
    const written = await runHere(['init', name, '--yes', '--json', '--name', `of-${name.slice(0, 5)}`], {}, dir);
    expect(written, written.stderr).toMatchObject({ exitCode: 0 });
    expect(written.json<{ warnings: string[] }>().warnings.join()).toContain('Read the sheet "Talks", one of 2');
    expect(written.json()).toMatchObject({
      resource: 'events',
      connector: 'csv',
      map: { title: 'Title', 'time.start': expect.anything() },
    });
  }
  const tested = await runHere(['test', '--json'], {}, dir);
  expect(tested, tested.stdout).toMatchObject({ exitCode: 0 });
});
