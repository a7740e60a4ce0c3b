import { expect, test } from 'vitest';
import { csv } from '../../../connectors/csv/csv.ts';
import { readFeed } from './read-feed.ts';

const EVENT = 'id,title,location,date\n1,Jazz,Hall,2026-05-01\n2,Rock,Hall,2026-05-02\n';
const FIELDS = ['id', 'title', 'location', 'date'];

interface Rows {
  /** Title and location of each record that can be published, by its id. */
  records: Record<string, string>;
  /** The lines that are rejected, and those whose record has a problem as a whole. */
  rejected: string[];
  reasons: string[];
  warnings: string[];
}

async function read(text: string, options = {}, mappedFields = FIELDS): Promise<Rows> {
  const { records, rejections, warnings, error } = await readFeed(csv, text, { options, mappedFields });
  expect(error).toBeUndefined();
  const doubtful = records.filter(({ problems }) => problems?.some(({ field }) => field === undefined));
  const sound = records.filter((record) => !doubtful.includes(record));
  return {
    records: Object.fromEntries(sound.map(({ fields }) => [fields.id, `${fields.title} @ ${fields.location}`])),
    rejected: [...rejections, ...doubtful]
      .map(({ at }) => at.replace('line ', ''))
      .sort((a, b) => Number(a) - Number(b)),
    reasons: [
      ...rejections.map(({ reason }) => reason),
      ...doubtful.flatMap(({ problems = [] }) => problems.map(({ reason }) => reason)),
    ],
    warnings: warnings.map(({ message }) => message),
  };
}

const first = { 1: 'Jazz @ Hall', 2: 'Rock @ Hall' };

test.each([
  ['in another order', 'id,location,title,date\n3,Cellar,Pop,2026-05-03\n'],
  ['in another order, with other case and blanks', ' ID ,Location, TITLE,Date\n3,Cellar,Pop,2026-05-03\n'],
  ['in another order, after blank lines', '\n\nid,location,title,date\n3,Cellar,Pop,2026-05-03\n'],
  [
    'in another order, after a blank row and a title',
    ',,,\nEvents in May,,,\nlocation,id,title,date\nCellar,3,Pop,2026-05-03\n',
  ],
  [
    'in another order, after a title in a row of its own',
    'Events in May\nlocation,id,title,date\nCellar,3,Pop,2026-05-03\n',
  ],
  ['with another column', 'id,location,price,title,date\n3,Cellar,5,Pop,2026-05-03\n'],
  ['with two other columns at its start', 'price,seats,id,location,title,date\n5,100,3,Cellar,Pop,2026-05-03\n'],
  ['after the byte order mark of another file', '\uFEFF"id",location,title,date\n3,Cellar,Pop,2026-05-03\n'],
  [
    'quoted, with invisible characters',
    '"id","loca\u00ADtion","\u200Btitle\uFEFF","date\u00A0"\n3,Cellar,Pop,2026-05-03\n',
  ],
])('A header row %s counts for the rows below it', async (_, text) => {
  for (const chunk of [EVENT + text, (EVENT + text).replaceAll('\n', '\r\n')]) {
    const { records, rejected, warnings } = await read(chunk);
    expect(records).toEqual({ ...first, 3: 'Pop @ Cellar' });
    expect(rejected).toEqual([]);
    expect(warnings.at(-1)).toContain('The rows below have the columns of this header row: ');
  }
});

test('Header rows count one after the other, and those with the same columns are only skipped', async () => {
  const text = `${EVENT}id,location,title,date\n3,Cellar,Pop,2026-05-03\nID,LOCATION,Title,date\n4,Bar,Folk,2026-05-04\nid,title,location,date\n5,Soul,Pub,2026-05-05\n`;
  const { records, warnings } = await read(text);
  expect(records).toEqual({ ...first, 3: 'Pop @ Cellar', 4: 'Folk @ Bar', 5: 'Soul @ Pub' });
  expect(warnings[1]).toBe('Skipped a repeated header row');
});

test('Titles above a header row are skipped, others are rejected', async () => {
  const { records, rejected, warnings } = await read(
    `${EVENT}Page 2\nid,title,location,date\n3,Pop,Hall,2026-05-03\nThe end\n`,
  );
  expect(Object.keys(records)).toEqual(['1', '2', '3']);
  expect(warnings).toEqual(['Skipped the title above the header row in line 5', 'Skipped a repeated header row']);
  expect(rejected).toEqual(['7']);
});

test('A header row without the columns of the sync rejects the rows up to the next that has them', async () => {
  const text = `${EVENT}id,title,location\n3,Pop,Hall\nid,location,title,date\n4,Bar,Folk,2026-05-04\n`;
  const { records, rejected, reasons } = await read(text);
  expect(records).toEqual({ ...first, 4: 'Folk @ Bar' });
  expect(rejected).toEqual(['4', '5']);
  expect(reasons[1]).toBe(
    'the header row in line 4 has no column "date". Its columns are "id", "title", "location". The first one (line 1) has "id", "title", "location", "date"; rows are read again below one that has the columns of the sync',
  );
});

test.each([
  ['with a repeated name', 'id,title,title,date\n3,Pop,Hall,2026-05-03\n', '"title" more than once'],
  [
    'with another delimiter',
    'id;title;location;date\n3;Pop, Soul, R&B, Funk;Hall;2026-05-03\n',
    'another delimiter (;): id;title;location;date',
  ],
  [
    'with only the first column in common',
    'id,speaker,room,since\n3,Ann,Hall,2026-05-03\n',
    '"id", "speaker", "room", "since"',
  ],
  ['with one unusual name in common', 'id,Sponsor,Level,Tier\n3,ACME,Gold,2026-05-03\n', 'another table'],
  ['with synonyms', 'event id,venue,event title,start date\n3,Pub,Pop,2026-05-03\n', '"event id", "venue"'],
  ['that is malformed', '"id"x,"location","title","date"\n3,Pub,Pop,2026-05-03\n', 'is malformed: "id"x'],
  ['in another language', 'Nr,Ort,Titel,Datum\n3,Keller,Pop,2026-05-03\n', '"Nr", "Ort", "Titel", "Datum"'],
  [
    'of another table, after a blank line',
    '\ncode,room,seats,since\nr1,Hall,100,2026-05-03\n',
    '"code", "room", "seats", "since"',
  ],
  [
    'of another table with unusual names, after a blank line',
    '\nSponsor,Level,Tier,Joined\nACME,Gold,1,2026-05-03\n',
    'another table',
  ],
  ['of a narrower table, after a blank row', ',,,\ncode,room,,\nr1,Hall,,\n', '"code", "room"'],
  [
    'after a title of its own',
    '\nRooms\ncode,room,seats,since\nr1,Hall,100,2026-05-03\n',
    '"code", "room", "seats", "since"',
  ],
])('Below a header row %s, rows are rejected', async (_, text, reason) => {
  const { records, rejected, reasons } = await read(EVENT + text);
  expect(records).toEqual(first);
  expect(rejected.length).toBeGreaterThanOrEqual(2);
  expect(reasons.at(-1)).toContain(reason);
  expect(reasons.at(-1)).toContain('The first one (line 1) has "id", "title", "location", "date"');
});

test('The rows of a table above the header row that lacks columns of the sync are rejected', async () => {
  const { records, rejected } = await read(
    'Report\nid,title,date\n1,Jazz,2026-05-01\n\nid,title,date,location\n2,Rock,2026-05-02,Hall\n',
  );
  expect(records).toEqual({ 2: 'Rock @ Hall' });
  expect(rejected).toEqual(['3']);
});

test.each([
  ['names that the options give', '1,Jazz,Hall,2026-05-01\n', { header: FIELDS }, 'id,location,title,date\n'],
  [
    'a replaced header row',
    'No,What,Where,Day\n1,Jazz,Hall,2026-05-01\n',
    { header: { line: 1, names: FIELDS } },
    'No,Where,What,Day\n',
  ],
])('A header row in another order counts after %s, too', async (_, start, options, header) => {
  const { records } = await read(`${start}${header}3,Cellar,Pop,2026-05-03\n`, options);
  expect(records).toEqual({ 1: 'Jazz @ Hall', 3: 'Pop @ Cellar' });
});

test.each(['id,title,,location,date', 'id,"title,location,date', 'id;title;location;date'])(
  'A malformed header row that a configured list makes superfluous is rejected alone: %s',
  async (header) => {
    const { records, rejected } = await read(`${header}\n1,Jazz,Hall,2026-05-01\n`, { header: FIELDS, delimiter: ',' });
    expect(records).toEqual({ 1: 'Jazz @ Hall' });
    expect(rejected).toEqual(['1']);
  },
);

test.each([
  ['a row with the name of its column', '3,Title,Hall,2026-05-03\n'],
  ['a row with the names of two columns', '3,Title,Location,2026-05-03\n'],
  ['a row with a name and without a date', '3,Title,Location,\n'],
  ['a row with two names, an id of a letter and no date', 'E3,Title,Location,\n'],
  ['a row after a blank line', '\n3,Pop,Hall,2026-05-03\n'],
  ['a row after blank rows and lines', ',,,\n\n,,,\n3,Pop,,2026-05-03\n'],
  ['a row after a blank line whose date is written in another way', '\nX3,Pop,Hall,3 May 2026\n'],
  ['a row after a blank line whose date is not known yet', '\n3,Pop,Hall,TBA\n'],
  ['a row with few values', '3,,,\n'],
  ['a row that is called total', '3,Total,Hall,2026-05-03\n'],
])('%s is data', async (_, text) => {
  const { records, rejected } = await read(`${EVENT}${text}4,Folk,Bar,2026-05-04\n`);
  expect(Object.keys(records)).toEqual(
    ['1', '2', Object.keys(records).find((id) => /^[EX]?3$/.test(id)) ?? '', '4'].sort(),
  );
  expect(rejected).toEqual([]);
});

test.each(['2026-05-03T19:00', '20260503T190000', '2026-05-03T19:00:00+02:00'])(
  'A row of words with the day %s below rows with numbers is data',
  async (day) => {
    const numbered = [1, 2, 3].map((n) => `${n},Choir ${n},Room ${n},2026-05-0${n}T19:00`).join('\n');
    const { records, rejected } = await read(
      `id,title,location,date\n${numbered}\nk,Tour,Gate,${day}\n4,Choir 4,Room 4,${day}\n`,
    );
    expect(rejected).toEqual([]);
    expect(Object.keys(records)).toHaveLength(5);
  },
);

test('Rows of words, with blank lines between them, are data', async () => {
  const text =
    'title,location,date\nJazz night,Town hall,2026-05-01\n\nRock night,Cellar,2026-05-02\n\nFolk night,Town hall,cancelled\n\nTitle,Town hall,soon this year\n\nSoul,Bar,Spring\n\nPop night,Bar,2026-05-05\n';
  const { records, rejections } = await readFeed(csv, text, { mappedFields: ['title', 'location', 'date'] });
  expect(records.map(({ at, problems }) => [at, problems])).toEqual(
    [2, 4, 6, 8, 10, 12].map((line) => [`line ${line}`, undefined]),
  );
  expect(rejections).toEqual([]);
  const people = await readFeed(csv, 'name,dept,room\nAnn,Law,A\nBob,Art,B\n\nCy,,C\n\nDi,Art,\n', {
    mappedFields: ['name'],
  });
  expect(people.records.map(({ problems }) => problems)).toEqual([undefined, undefined, undefined, undefined]);
});

test.each([
  ['Total;12'],
  ['Total;;;12'],
  ['Total:;2 events;;'],
  ['Grand total;2;;2026-05-02'],
  [';;Sum;'],
  ['Summe;2;;'],
  ['Exported on 2026-06-01;;;'],
  ['Exported on 2026-06-01'],
  ['Exported by;Ann;;'],
  ['* subject to change;;;'],
  ['Page 1 of 3;;;'],
  ['Last updated: 1 June 2026 by Ann;;;'],
])('A total or note below the table is no record: %s', async (text) => {
  const event = EVENT.replaceAll(',', ';');
  for (const gap of ['', '\n', '\n\n;;;\n']) {
    for (const shortRows of ['reject', 'fill']) {
      const { records, rejected } = await read(`${event}${gap}${text}\n`, { shortRows });
      // Without a blank line, a row with two words may be a record, which the mapping rejects.
      if (gap === '' && text.startsWith('Exported by')) continue;
      expect(records).toEqual(first);
      expect(rejected).toHaveLength(1);
    }
  }
});

test('An address in the next column shows that values are shifted', async () => {
  const text =
    'id,title,url,note\n1,Jazz,https://x.org/1,\n2,Rock,https://x.org/2,\n3,"Table, 48"," round",https://x.org/3\n4,Pop,see note,free\n';
  const { records, rejections } = await readFeed(csv, text, { mappedFields: ['id'] });
  expect(records.map(({ fields }) => fields.id)).toEqual(['1', '2', '4']);
  expect(rejections).toMatchObject([{ at: 'line 4', reason: expect.stringContaining('shifted to the right') }]);
});

test('Digits in names do not hide a header row', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => `a${index}@x.org,${index}1,${index}2,Ann\n`);
  for (const header of ['email,phone1,phone2,name', 'name,phone1,phone2,email']) {
    for (const some of [rows.slice(0, 3), rows]) {
      const { records, warnings } = await readFeed(csv, `email,phone1,phone2,name\n${some.join('')}${header}\n`);
      expect(records).toHaveLength(some.length);
      expect(warnings).toHaveLength(1);
    }
  }
});

test('A long feed is judged by its later rows, too', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => `${index + 1},Talk ${index},Hall,2026-05-01\n`).join('');
  const text = `id,title,location,date\n${rows}id,location,title,date\n501,Cellar,Pop,2026-05-03\n\nTotal,501,,\n\ncode,room,seats,since\n9,a,b,2026-01-01\n`;
  const { records, rejected } = await read(text);
  expect(Object.keys(records)).toHaveLength(501);
  expect(records[501]).toBe('Pop @ Cellar');
  expect(rejected).toEqual(['505', '507', '508']);
});
