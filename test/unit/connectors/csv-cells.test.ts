import { describe, expect, test } from 'vitest';
import { mayBeSpecial, readCell } from '../../../connectors/csv/cells.ts';
import { csv } from '../../../connectors/csv/csv.ts';
import { readFeed } from './read-feed.ts';

/** Reads a cell as the connector does. */
const read = (text: string) => (mayBeSpecial(text) ? readCell(text) : { value: text });

describe('A cell of a spreadsheet', () => {
  test.each(
    [
      '#REF! #N/A #NAME? #VALUE! #DIV/0! #NULL! #NUM! #SPILL! #CALC! #GETTING_DATA #FIELD! #ERROR! Err:502 Err:520 Loading...',
      '#NV #BEZUG! #WERT! #ZAHL! #NOM? #VALEUR! #¡REF! #¿NOMBRE? #RIF! #VERW! #Н/Д #YOK ######## ### #ref!',
    ]
      .join(' ')
      .split(' '),
  )('has the error %s', (text) => {
    expect(read(text).problem).toContain('is an error of a spreadsheet');
    expect(read(` ${text} `).problem).toBeDefined();
  });

  test.each([
    '=A1',
    '=A1&B1',
    '=$A$1+2',
    '=SUM(A1:A3)',
    '=CONCATENATE(A1," ",B1)',
    '=concat(a1;b1)',
    "='Sheet 1'!A1",
    '=Sheet1!B2',
    '=Table1[Total]',
    '="A"&B1',
    '=-A1',
    '=2*3',
    '=IMAGE("https://x.org/a.png")',
    '=HYPERLINK(A1,"Text")',
    '=IFERROR(VLOOKUP(A2,Rooms!A:B,2,0),"")',
    '+A1',
    '+SUM(A1:A2)',
    '@SUM(A1:A2)',
    '=_xlfn.TEXTJOIN(", ",TRUE,A1:A3)',
  ])('has a formula: %s', (text) => {
    expect(read(text).problem).toContain('is a formula');
  });

  test.each([
    ...['1.23457E+12', '1,23457E+12', '9E+15', '4.00638E+11', '-1.23457E+12', '+1,2E+12', '−1.23457E+12'],
    ...['1,23E+05', '-1.23E+05', '1E+10', '1٫23E+07'],
  ])('has lost digits: %s', (text) => {
    expect(read(text).problem).toContain('has lost its last digits');
  });

  test.each([
    ['="0012"', '0012'],
    ['="B, b"', 'B, b'],
    ['="say ""hi"""', 'say "hi"'],
    ['=""', ''],
    ["'0012", '0012'],
    ["'+49 30 1234", '+49 30 1234'],
    ["'=SUM(A1)", '=SUM(A1)'],
    ["'-5 degrees", '-5 degrees'],
    ["'@museum", '@museum'],
    ['=HYPERLINK("https://x.org/a","Tickets")', 'Tickets'],
    ['=HYPERLINK("https://x.org/a";"Say ""hi""")', 'Say "hi"'],
    ['=hyperlink("https://x.org/a")', 'https://x.org/a'],
  ])('has a marked text: %s', (text, value) => {
    expect(read(text)).toMatchObject({ value });
    expect(read(text).problem).toBeUndefined();
  });

  test.each([
    ...[
      '=)',
      '= equals',
      '=',
      '==>',
      '=B2B meetup',
      '= 12 EUR',
      '#1 of 3',
      '#hashtag',
      '#MeToo',
      '#',
      '##',
      'N/A',
      'n/a',
    ],
    ...[
      'Ref!',
      'no #REF! here',
      '+49 30 1234',
      '+1',
      '+ more',
      '@museum',
      "'90s party",
      "'68",
      "'tis",
      "'quoted'",
      '-5',
      '12E+3',
    ],
    ...[
      'Error: 5',
      'Err: 502 talks',
      'Loading... Please Wait',
      'Loading dock',
      '1.2E+5',
      '-1.234E+03',
      'E+12',
      '1e12',
      '2+2=4',
      '',
      ' ',
      '0012',
      '٣',
    ],
  ])('has text: %s', (text) => {
    expect(read(text)).toEqual({ value: text });
  });
});

describe('The marker of a text', () => {
  test.each([
    ['a comma', 'id,title,date\n="0012",="A, b","2026"\n'],
    ['a semicolon', 'id;title;date\n="0012";="A, b";"2026"\n'],
    ['a tab', 'id\ttitle\tdate\n="0012"\t="A, b"\t="2026"\n'],
    ['quotes around it', 'id,title,date\n"=""0012""","=""A, b""","2026"\n'],
    ['a marked header row', '="id",="title",="date"\n="0012",="A, b",="2026"\n'],
  ])('is read with %s', async (_, text) => {
    for (const chunkSize of [1, 1000]) {
      const { records, rejections, warnings } = await readFeed(csv, text, {
        mappedFields: ['id', 'title', 'date'],
        chunkSize,
      });
      expect(records.map(({ fields }) => fields)).toEqual([{ id: '0012', title: 'A, b', date: '2026' }]);
      expect(rejections).toEqual([]);
      expect(warnings.filter(({ message }) => !message.startsWith('Detected'))).toEqual([]);
    }
  });

  test('is text inside a quoted field or a tag', async () => {
    const { records } = await readFeed(csv, 'a,b\n"x,=""1"",y",2\n<a href="u">,=)\n"two\n,=""q"",",3\n');
    expect(records.map(({ fields }) => fields)).toEqual([
      { a: 'x,="1",y', b: '2' },
      { a: '<a href="u">', b: '=)' },
      { a: 'two\n,="q",', b: '3' },
    ]);
  });
});

test('Errors are problems of their fields, and readings that are guesses are reported once for a column', async () => {
  const text = `id,title,link\n1,#REF!,#N/A\n'02,"=A1&B1","=HYPERLINK(""https://x.org/a"",""Tickets"")"\n'03,x,"=HYPERLINK(""https://x.org/b"",""Tickets"")"\n`;
  const { records, warnings } = await readFeed(csv, text);
  expect(records.map(({ fields }) => fields)).toEqual([
    { id: '1', title: '#REF!', link: '#N/A' },
    { id: '02', title: '=A1&B1', link: 'https://x.org/a' },
    { id: '03', title: 'x', link: 'https://x.org/b' },
  ]);
  expect(records.map(({ problems = [] }) => problems)).toEqual([
    [
      { field: 'title', reason: '"#REF!" in column "title" is an error of a spreadsheet; correct its formula there' },
      { field: 'link', reason: '"#N/A" in column "link" is an error of a spreadsheet; correct its formula there' },
    ],
    [{ field: 'title', reason: '"=A1&B1" in column "title" is a formula, not its result; export the values' }],
    [],
  ]);
  expect(warnings).toEqual([
    { at: 'line 3', message: 'Left out the apostrophe before the text in column "id", as in similar cells' },
    { at: 'line 3', message: 'Read the formula of a link as its address in column "link", as in similar cells' },
  ]);
});
