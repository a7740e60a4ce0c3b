import { describe, expect, test } from 'vitest';
import { csv } from '../../../connectors/csv/csv.ts';
import { readFeed } from './read-feed.ts';

const rows = (text: string, options = {}) => readFeed(csv, text, options);

describe('A CSV record', () => {
  test('has text values, a line as its place, and trimmed names', async () => {
    const { records, rejections } = await rows(
      '\uFEFF id ,"title ",date\n1,"Jazz, ""live""",2026-03-01\n\n2,"two\r\nlines",\n3,x,y',
    );
    expect(records).toEqual([
      { at: 'line 2', fields: { id: '1', title: 'Jazz, "live"', date: '2026-03-01' } },
      { at: 'line 4', fields: { id: '2', title: 'two\r\nlines', date: '' } },
      { at: 'line 6', fields: { id: '3', title: 'x', date: 'y' } },
    ]);
    expect(rejections).toEqual([]);
  });

  test.each([
    [',', 'a,b\n1,"x;y"'],
    [';', 'a;b\n1;"x;y"'],
    ['\t', 'a\tb\n1\t"x;y"'],
    ['|', 'a|b\n1|"x;y"'],
    ['sep=', 'sep=;\na;b\n1;"x;y"'],
    [', and a blank', 'a, b\n1, "x;y"'],
    ['; and a blank, with commas', 'a; b\n1; "x;y"\n2; 1,5'],
    ['sep= and a tab', 'sep=\t\na\tb\n1\t"x;y"'],
    ['sep= and a blank after it', 'sep=;\na; b\n1; "x;y"'],
    ['quoted header', '"a";"b,c,d,e"\n1;"x;y"'],
  ])('is split at the detected delimiter (%s)', async (_, text) => {
    const { records } = await rows(text);
    expect(Object.values(records[0]!.fields)).toEqual(['1', 'x;y']);
  });

  test('may end with any line end, in chunks of any size', async () => {
    for (const chunkSize of [1, 2, 3, 7, 1000]) {
      const { records } = await rows('a,b\r\n1,é\n2,"x\ny"\r3,z\r\n', { chunkSize });
      expect(records.map(({ at, fields }) => [at, fields.a, fields.b])).toEqual([
        ['line 2', '1', 'é'],
        ['line 3', '2', 'x\ny'],
        ['line 5', '3', 'z'],
      ]);
    }
  });

  test('may get its names from a configured list, and comments are skipped', async () => {
    const { records } = await rows('# export\n1,x\n#2,y\n3,z', { options: { header: ['id', 'title'], comment: '#' } });
    expect(records.map(({ fields }) => fields)).toEqual([
      { id: '1', title: 'x' },
      { id: '3', title: 'z' },
    ]);
  });

  test('is not affected by empty rows and empty columns at the end', async () => {
    const { records, rejections } = await rows('a,b,,\n1,2,,\n3,4\n,,,\n\n');
    expect(records.map(({ fields }) => fields)).toEqual([
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ]);
    expect(rejections).toEqual([]);
  });

  test('may be followed by as many empty fields as nearly all others', async () => {
    const { records, rejections, warnings } = await rows(`id,title,place\n${'1,a,x,\n'.repeat(18)}3,c,,\n4,d,z\n`);
    expect(records.map(({ fields }) => fields.place).slice(17)).toEqual(['x', '', 'z']);
    expect(rejections).toEqual([]);
    expect(warnings).toEqual([
      { at: 'memory', message: 'Ignored the empty fields at the end of rows: they have 4, the header has 3' },
    ]);
  });

  test('may have a column named __proto__', async () => {
    const { records } = await rows('__proto__,b\n1,2');
    expect(Object.getOwnPropertyDescriptor(records[0]!.fields, '__proto__')?.value).toBe('1');
  });
});

describe('A malformed row', () => {
  test.each([
    ['too few fields', 'a,b\n1,2\n3\n4,5', 'line 3'],
    ['too many fields', 'a,b\n1,2\n3,4,5\n4,5', 'line 3'],
    ['a stray quote', 'a,b\n1,2\n3,x" nail\n4,5', 'line 3'],
    ['a quote after a number at the end', 'a,b\n1,2\n3,TV 55"\n4,5', 'line 3'],
    ['a quote after a number, and a field too many', 'a,b\n1,2\n3,5" nail, long\n4,5', 'line 3'],
    ['text after a closing quote', 'a,b\n1,2\n3,"x"y\n4,5', 'line 3'],
    ['a blank before an opening quote', 'a,b\n1,2\n3, "x, y"\n4,5', 'line 3'],
    ['a blank before an opening quote, without delimiter', 'a,b\n1,2\n3, "x"\n4,5', 'line 3'],
    ['an unclosed quote before a quoted row', 'a,b\n1,2\n3,"x\n4,"5"', 'line 3'],
    ['an unclosed quote', 'a,b\n1,2\n3,"x\n4,5', 'line 3'],
  ])('with %s is rejected alone', async (_, text, at) => {
    const { records, rejections } = await rows(text);
    expect(records.map(({ fields }) => fields)).toEqual([
      { a: '1', b: '2' },
      { a: '4', b: '5' },
    ]);
    expect(rejections).toMatchObject([{ at, code: 'FF_RECORD_MALFORMED' }]);
  });

  test.each([
    [
      'has one more field',
      'id,title,place,note\n1,a,x,\n2,b,y,\n3,Jazz, live,z,\n4,c,z,n',
      'has 5 fields, but the header has 4; ',
    ],
    ['has one more, and there is no other row', 'id,title,note\n3,Jazz, live,', 'has 4 fields, but the header has 3; '],
    ['has one more than the header with its empty names', 'id,title,\n1,a,\n3,Jazz, live,,\n', 'has 5 fields'],
    [
      'has one more than all other rows',
      `id,title,note\n${'1,a,x,\n'.repeat(9)}3,Jazz, live,,\n`,
      'and rows usually 4; ',
    ],
    [
      'has the empty fields of the header, which no other row has',
      `id,title,note,\n${'1,a,x\n'.repeat(9)}3,Jazz, live,`,
      '',
    ],
    [
      'lacks a delimiter',
      'id,title,note,\n1,a,x,\n3Jazz,x,\n2,b,y,',
      'has 3 fields, but the header has 3, and rows usually 4',
    ],
  ])('that would shift its values is rejected: it %s', async (_, text, reason) => {
    const { records, rejections } = await rows(text);
    expect(records.map(({ fields }) => fields.id)).not.toContain('3');
    expect(records.map(({ fields }) => fields.id)).not.toContain('3Jazz');
    expect(rejections).toMatchObject([{ code: 'FF_RECORD_MALFORMED', reason: expect.stringContaining(reason) }]);
  });

  test('is shown with the remedy', async () => {
    const { rejections } = await rows('id;title;note\n1;Jazz; live;');
    expect(rejections).toMatchObject([
      {
        at: 'line 2',
        reason:
          'the row has 4 fields, but the header has 3; enclose values that contain the delimiter (;) or a line break in quotes: 1;Jazz; live;',
      },
    ]);
  });

  test('with an unclosed quote makes the read incomplete and uses bounded memory', async () => {
    const text = `a,b\n1,"open\n${'2,x\n'.repeat(50_000)}`;
    const { records, incomplete } = await rows(text, { options: { maxRecordBytes: 1000 } });
    expect(records).toHaveLength(50_000);
    expect(incomplete).toEqual(['the quote opened in line 2 is never closed']);
  });

  test('that is too long is rejected, and the next one is read', async () => {
    const { records, rejections } = await rows(`a,b\n1,${'x'.repeat(200_000)}\n2,y`, {
      options: { maxRecordBytes: 100_000 },
    });
    expect(records.map(({ at }) => at)).toEqual(['line 3']);
    expect(rejections).toMatchObject([
      { at: 'line 2', reason: 'the line has more than 100000 characters (source.maxRecordBytes)' },
    ]);
  });

  test('with a line inside quotes that is too long is rejected, in chunks of any size', async () => {
    for (const chunkSize of [50, 100_000]) {
      const text = `a,b\n1,"x\n${'y'.repeat(2000)}\nz"\n2,y`;
      const { records, rejections } = await rows(text, { options: { maxRecordBytes: 1000 }, chunkSize });
      expect(records.map(({ at }) => at)).toEqual(['line 5']);
      expect(rejections.map(({ at }) => at)).toEqual(['line 2', 'line 3', 'line 4']);
    }
  });

  test('at the place where the feed is cut off is not published', async () => {
    const { records, rejections, feed } = await rows('a,b\n1,whole\n2,hal', { broken: true });
    expect(records.map(({ fields }) => fields.b)).toEqual(['whole']);
    expect(rejections).toMatchObject([{ at: 'line 3', reason: 'the feed was cut off inside this row' }]);
    expect(feed.receipt()).toMatchObject({ complete: false });
  });
});

describe('A header row', () => {
  test.each([
    ['with a repeated name', 'id,title,title\n1,2,3', [], '"title" more than once'],
    ['with an empty name', 'id,,title\n1,2,3', [], 'no name for column 2'],
    ['without a mapped column', 'id,titel\n1,2', ['title'], '"title" (did you mean "titel"?)'],
    ['with a misplaced quote', 'id,ti"tle\n1,2', [], 'memory:1: the header row cannot be read: misplaced quote'],
    ['without any name', ',,\n1,2', [], 'the header row is empty'],
    ['with another delimiter', 'id;title\n1;2', ['title'], 'Its columns are "id;title"'],
  ])('%s refuses the feed', async (name, text, mappedFields, message) => {
    const options = name === 'with another delimiter' ? { delimiter: ',' } : {};
    const { error, records } = await rows(text, { mappedFields, options });
    expect(error?.code).toBe('FF_FEED_COLUMNS');
    expect(error?.message).toContain(message);
    expect(records).toEqual([]);
  });

  test('that is repeated is skipped with a warning', async () => {
    const text = 'id, title ,\n1,x,\n"id",title,\n2,y,\n id,title,\n';
    for (const chunkSize of [1, 1000]) {
      const { records, rejections, warnings } = await rows(text, { chunkSize });
      expect(records.map(({ fields }) => fields.id)).toEqual(['1', '2']);
      expect(rejections).toEqual([]);
      expect(warnings).toEqual([
        { at: 'line 3', message: 'Skipped a repeated header row' },
        { at: 'line 5', message: 'Skipped a repeated header row' },
      ]);
    }
  });

  test('that a configured list makes superfluous is skipped with a warning', async () => {
    const { records, warnings } = await rows('id,title\n1,x', { options: { header: ['id', 'title'] } });
    expect(records.map(({ fields }) => fields.id)).toEqual(['1']);
    expect(warnings).toMatchObject([{ at: 'line 1' }]);
  });

  test('with dotted names has the fields that the names begin with', async () => {
    const { error } = await rows('name.first,phones[0]\nAnn,1', { mappedFields: ['name', 'phones'] });
    expect(error).toBeUndefined();
  });
});

describe('The dialect', () => {
  test.each([
    ['is not reported if it is usual', 'id,title\n1,x', undefined],
    ['is reported with an unusual delimiter', 'id;title\n1;x', 'Detected delimiter: ;'],
    ['is reported with an unusual quote', "'id','title'\n'1','x'", "Detected quote: '"],
    [
      'is reported with lines above the header row',
      'Staff list 2026\n\n"as of May; final, really"\nid;title\n1;x',
      'Detected delimiter: ;, header row: line 4 (skipped 2 lines above it)',
    ],
  ])('%s', async (_, text, finding) => {
    const { records, warnings } = await rows(text, { mappedFields: ['id', 'title'] });
    expect(records.map(({ fields }) => fields)).toEqual([{ id: '1', title: 'x' }]);
    if (finding === undefined) expect(warnings).toEqual([]);
    else expect(warnings).toMatchObject([{ at: 'memory', message: expect.stringContaining(finding) }]);
  });

  test('is detected by the mapped columns, not by a field with many commas', async () => {
    const { records } = await rows('id;"a, b, c, d";title\n1;2;x', { mappedFields: ['id', 'title'] });
    expect(records[0]!.fields.title).toBe('x');
    const plain = await rows('id;a, b, c, d;title\n1;2;x', { mappedFields: ['id', 'title'] });
    expect(plain.records[0]!.fields.title).toBe('x');
  });

  test.each([
    ['a configured list', { header: ['id', 'title', 'note'] }, '1;x, y, z;\n2;v;w\n', ['x, y, z', 'v']],
    ['no header row with all mapped columns', {}, 'Staff, draft\nid;title\n1;x, y\n2;v\n', undefined],
  ])('is detected by the number of fields of all rows, with %s', async (_, options, text, titles) => {
    const { records, warnings, error } = await rows(text, { options, mappedFields: titles ? ['title'] : ['name'] });
    expect(warnings).toEqual([{ at: 'memory', message: 'Detected delimiter: ;' }]);
    if (titles) expect(records.map(({ fields }) => fields.title)).toEqual(titles);
    else expect(error?.code).toBe('FF_FEED_COLUMNS');
  });

  test('has the usual quote, even if more rows are well-formed with another one', async () => {
    const { records, rejections } = await rows(`id,title\n1,"x"y\n2,"z"y\n3,'v'\n`, { mappedFields: ['id', 'title'] });
    expect(records.map(({ fields }) => fields)).toEqual([{ id: '3', title: "'v'" }]);
    expect(rejections.map(({ at }) => at)).toEqual(['line 2', 'line 3']);
  });

  test('has a blank after the delimiter if the sample has one everywhere outside quotes', async () => {
    const text = `id, "title", note\n${'1, "Jazz, 1,5 hours", \n'.repeat(20)}2, x,y, z\n3, x,y\n`;
    const { records, rejections, warnings } = await rows(text, { mappedFields: ['title'] });
    expect(records.slice(19).map(({ fields }) => fields)).toEqual([
      { id: '1', title: 'Jazz, 1,5 hours', note: '' },
      { id: '2', title: 'x,y', note: 'z' },
    ]);
    expect(rejections).toMatchObject([{ at: 'line 23' }]);
    expect(warnings).toMatchObject([{ message: 'Detected delimiter: ", "' }]);
    const { records: named } = await rows('1, "x, y"\n2, z', { options: { header: ['id', 'title'] } });
    expect(named.map(({ fields }) => fields.title)).toEqual(['x, y', 'z']);
  });

  test('does not include NULs: they are removed with a warning', async () => {
    const { records, warnings } = await rows('a,b\n1,x\0y\n2,\0');
    expect(records[0]!.fields.b).toBe('xy');
    expect(warnings).toEqual([{ at: 'memory', message: 'Removed NUL characters' }]);
  });
});

describe('A configured option', () => {
  test('sets the line of the header', async () => {
    const { records, warnings } = await rows('title\nid,title\n1,x', { options: { header: 2 } });
    expect(records).toEqual([{ at: 'line 3', fields: { id: '1', title: 'x' } }]);
    expect(warnings).toEqual([]);
  });

  test('makes quotes ordinary characters', async () => {
    const { records } = await rows('a,b\n"1,5" nail"', { options: { quote: 'none' } });
    expect(records[0]!.fields).toEqual({ a: '"1', b: '5" nail"' });
  });

  test('sets a delimiter with a blank', async () => {
    const { records, rejections } = await rows('a, b\n1,5, "x, y"\n2,z', { options: { delimiter: ', ' } });
    expect(records[0]!.fields).toEqual({ a: '1,5', b: 'x, y' });
    expect(rejections).toMatchObject([{ at: 'line 3' }]);
  });

  test('sets another quote', async () => {
    const { records } = await rows("a,b\n'1,2','it''s'", { options: { quote: "'" } });
    expect(records[0]!.fields).toEqual({ a: '1,2', b: "it's" });
  });
});

test('A quote between a number and more text is text', async () => {
  const texts = [
    '12" vinyl night',
    'The "Big" 7" show',
    '7"-Single',
    '5\'10" tall',
    '3½" × 5" print',
    '12"/30 cm',
    '6"x4 photo',
  ];
  const { records, rejections } = await rows(`a|b\n${texts.map((text) => `${text}|x`).join('\n')}\n`);
  expect(records.map(({ fields }) => fields.a)).toEqual(texts);
  expect(rejections).toEqual([]);
  const { rejections: others } = await rows('a|b\nTV 55"|x\n');
  expect(others).toMatchObject([{ reason: expect.stringContaining('write quote: none under source') }]);
});

test('Names have no invisible characters, unless the sync names them', async () => {
  const text = '\u200Bid\u200E,ti\u00ADtle,\u00A0start\u00A0date\u202C,plain\u200C,x\u200By\n1,2,3,4,5\n';
  const { records } = await rows(text, { mappedFields: ['id', 'title', 'start date', 'x\u200By'] });
  expect(Object.keys(records[0]!.fields)).toEqual(['id', 'title', 'start date', 'plain', 'x\u200By']);
});

test('Pairs of quotes inside an unquoted field are text', async () => {
  const { records, rejections } = await rows(
    `a,b\n37°36'37.8"N 121°2'17.9"W,x\n"q","the ""big"" one"\nthe "big" one,y`,
  );
  expect(records.map(({ fields }) => fields.a)).toEqual([`37°36'37.8"N 121°2'17.9"W`, 'q', 'the "big" one']);
  expect(rejections).toEqual([]);
});
