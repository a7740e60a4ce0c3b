import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { FeedOptions } from '../../../../src/feed/content/feed-options.ts';
import { numberFormat, numberText } from '../../../../src/feed/content/spreadsheet/cell-text.ts';
import { local, openFeed, textOf } from '../../../support/feeds.ts';
import { folderOf } from '../../../support/folder.ts';
import { rowsOf, type WorkbookParts, workbook } from '../../../support/workbook.ts';
import { serve } from '../server.ts';

const open = (file: Uint8Array, options: FeedOptions = {}) =>
  openFeed(join(folderOf({ 'export.csv': file }), 'export.csv'), options);
const read = async (parts: WorkbookParts, options?: FeedOptions) => textOf(await open(workbook(parts), options));
const sheet = (rows: string, more: Partial<WorkbookParts> = {}) => read({ sheets: { Events: rows }, ...more });

describe('A number', () => {
  test.each([
    ['12345', 'General', '12345'],
    ['12345.0', 'General', '12345'],
    ['0.30000000000000004', 'General', '0.3'],
    ['1234567890123', 'General', '1234567890123'],
    ['1.23E+5', 'General', '123000'],
    ['-7', 'General', '-7'],
    ['42', '00000', '00042'],
    ['12.5', '0.00', '12.50'],
    ['12.5', '#,##0.00 "kr"', '12.50'],
    ['12.5', '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)', '12.50'],
    ['12.5', '[$€-407]#,##0.00', '12.50'],
    ['12.5', '0.##', '12.5'],
    ['12.5', '0.00E+00', '12.5'],
    ['0.5', '# ?/?', '0.5'],
    ['12.7', '0', '13'],
    ['0.5', '0%', '50%'],
    ['0.125', '0.0%', '12.5%'],
    ['5', '@', '5'],
    ['46447', 'yyyy-mm-dd', '2027-03-01'],
    ['46447', 'm/d/yy', '2027-03-01'],
    ['46447', '[$-409]mmmm d, yyyy;@', '2027-03-01'],
    ['46447', 'mmm', '2027-03-01'],
    ['46447.75', 'dd.mm.yyyy', '2027-03-01'],
    ['46447.75', 'm/d/yy h:mm AM/PM', '2027-03-01 18:00'],
    ['46447.7499999999', 'dd/mm/yyyy hh:mm', '2027-03-01 18:00'],
    ['46447.750011574', 'dd/mm/yyyy hh:mm:ss', '2027-03-01 18:00:01'],
    ['46447', 'dd/mm/yyyy hh:mm', '2027-03-01 00:00'],
    ['0.75', 'hh:mm', '18:00'],
    ['0', 'h:mm AM/PM', '00:00'],
    ['46447.75', 'hh:mm', '18:00'],
    ['0.75', 'm/d/yy', '18:00'],
    ['1.25', '[h]:mm', '30:00'],
    ['0.25', '[h]:mm', '06:00'],
    ['60', 'yyyy-mm-dd', '1900-02-28'],
    ['61', 'yyyy-mm-dd', '1900-03-01'],
    ['1', 'yyyy-mm-dd', '1900-01-01'],
    ['-1', 'yyyy-mm-dd', '-1'],
    ['99999999', 'yyyy-mm-dd', '99999999'],
  ])('%s with the format %s is shown as %s', (value, code, text) => {
    expect(numberText(value, numberFormat(164, code), false)).toBe(text);
  });

  test.each([
    [0, '46447.5', '46447.5'],
    [2, '3', '3.00'],
    [14, '46447', '2027-03-01'],
    [20, '0.5', '12:00'],
    [22, '46447.5', '2027-03-01 12:00'],
    [31, '46447', '2027-03-01'],
    [46, '1.5', '36:00'],
    [49, '46447', '46447'],
  ])('with the built-in format %i: %s is shown as %s', (id, value, text) => {
    expect(numberText(value, numberFormat(id), false)).toBe(text);
  });

  test('is a day since 1904 if the workbook says so', async () => {
    const rows = '<row r="1"><c s="1"><v>44985</v></c><c s="1"><v>0.5</v></c></row>';
    expect(await sheet(rows, { formats: ['yyyy-mm-dd'], is1904: true })).toBe('2027-03-01,1904-01-01\n');
  });
});

describe('A cell', () => {
  const texts =
    '<si><t>One, "two"</t></si><si><r><t>Rich </t></r><r><rPr/><t xml:space="preserve">text </t></r><rPh><t>ri</t></rPh></si><si><t>a_x000D_&#10;b &amp; &lt;c&gt;</t></si>';
  test.each([
    ['<c t="s"><v>0</v></c>', '"One, ""two"""'],
    ['<c t="s"><v>1</v></c>', '"Rich text "'],
    ['<c t="s"><v>2</v></c>', 'a\u2028b & <c>'],
    ['<c t="s"><v>99</v></c><c><v>1</v></c>', ',1'],
    ['<c t="inlineStr"><is><t>0012</t></is></c>', '0012'],
    ['<c t="b"><v>1</v></c><c t="b"><v>0</v></c>', 'TRUE,FALSE'],
    ['<c t="e"><v>#REF!</v></c>', '#REF!'],
    ['<c t="str"><f>A1&amp;B1</f><v>Talk 1</v></c>', 'Talk 1'],
    ['<c><f>SUM(1,2)</f><v>3</v></c>', '3'],
    [
      '<c t="str"><f>HYPERLINK("https://x.example","Tickets")</f><v>Tickets</v></c>',
      '"=HYPERLINK(""https://x.example"",""Tickets"")"',
    ],
    ['<c t="str"><f>HYPERLINK(A1,"Tickets")</f><v>Tickets</v></c>', 'Tickets'],
    [
      '<c t="d"><v>2027-03-01T00:00:00</v></c><c t="d"><v>2027-03-01T18:00:00</v></c>',
      '2027-03-01,2027-03-01 18:00:00',
    ],
    ['<c r="C1"><v>3</v></c><c><v>4</v></c><c r="ZZZZ1"><v>5</v></c>', ',,3,4,5'],
    ['<x:c xmlns:x="y"><x:v>7</x:v></x:c>', '7'],
  ])('%s is %s', async (cells, text) => {
    expect(await sheet(`<row r="1">${cells}</row>`, { texts })).toBe(`${text}\n`);
  });

  test('of a merged area has its value, in rows that have others', async () => {
    const rows = rowsOf([
      ['Programme', '', '', ''],
      ['day', 'title', 'from', 'to'],
      ['Monday', 'Maps', '10:00', ''],
      ['', 'Ships', '11:00', '12:00'],
      ['', '', '', ''],
    ]);
    const areas = ['A1:D1', 'A3:A5', 'C3:D3'].map((ref) => `<mergeCell ref="${ref}"/>`).join('');
    expect(await sheet(`<sheetData>${rows}</sheetData><mergeCells count="3">${areas}</mergeCells>`)).toBe(
      'Programme,,,\nday,title,from,to\nMonday,Maps,10:00,10:00\nMonday,Ships,11:00,12:00\n\n',
    );
  });
});

test('A text with a link has its address, too', async () => {
  const cells = ['Tickets', 'https://x.example/2', 'Ann'].map(
    (text, index) => `<c r="${'ABC'[index]}1" t="inlineStr"><is><t>${text}</t></is></c>`,
  );
  const links = ['A1', 'B1', 'C1'].map((ref, index) => `<hyperlink ref="${ref}" r:id="r${index}"/>`).join('');
  const targets = ['https://x.example/1?a=1&amp;b=2', 'https://x.example/2', 'mailto:ann@x.example'];
  const relations = targets.map(
    (target, index) => `<Relationship Id="r${index}" Type="x/hyperlink" Target="${target}" TargetMode="External"/>`,
  );
  const files = {
    'xl/worksheets/_rels/sheet1.xml.rels': strToU8(`<Relationships>${relations.join('')}</Relationships>`),
  };
  const rows = `<sheetData><row r="1">${cells.join('')}</row></sheetData><hyperlinks>${links}<hyperlink ref="A1" location="B!A1"/></hyperlinks>`;
  expect(
    await sheet(
      '<sheetData><row><c><v>1</v></c></row></sheetData><hyperlinks><hyperlink ref="A1" location="B!A1"/></hyperlinks>',
    ),
  ).toBe('1\n');
  expect(await sheet(rows, { files })).toBe(
    '"=HYPERLINK(""https://x.example/1?a=1&b=2"",""Tickets"")",https://x.example/2,Ann\n',
  );
});

test('Each row is the line of its number, also hidden ones', async () => {
  const rows = `${rowsOf([['id', 'title']], 3)}<row r="5" hidden="1"><c><v>1</v></c></row><row><c><v>2</v></c></row>`;
  expect(await sheet(rows)).toBe('\n\nid,title\n\n1,\n2,\n');
});

describe('A sheet', () => {
  const sheets = { Notes: rowsOf([['note']]), Events: rowsOf([['id']]), 'Year 2027': rowsOf([['year']]) };
  const hidden = ['Notes'];

  test.each([
    [undefined, 'id'],
    ['Notes', 'note'],
    ['events ', 'id'],
    [1, 'note'],
    [3, 'year'],
    ['year 2027', 'year'],
  ])('is found: %s', async (wanted, text) => {
    expect(await read({ sheets, hidden }, { sheet: wanted })).toBe(`${text}\n`);
  });

  test('that is missing is refused, with the names of the others', async () => {
    await expect(read({ sheets }, { sheet: 'Event' })).rejects.toMatchObject({
      code: 'FF_FEED_FORMAT',
      message: expect.stringContaining('has no sheet "Event". Its sheets are "Notes", "Events", "Year 2027".'),
    });
  });

  test('is recognised by its content, over HTTP, too', async () => {
    const { url } = await serve((_, response) => {
      response.setHeader('content-type', 'application/octet-stream; charset=iso-8859-1');
      response.end(workbook({ sheets: { A: rowsOf([['Café']]) } }));
    });
    const feed = await openFeed(`${url}/export?format=1`, local);
    expect(await textOf(feed)).toBe('Café\n');
    expect(feed.sheet?.()).toEqual({ name: 'A', isChosen: false, others: 0 });
  });
});

describe('A file is refused', () => {
  const ofText = (count: number) => `<row>${'<c t="s"><v>0</v></c>'.repeat(count)}</row>`;
  const document = zipSync({ '[Content_Types].xml': strToU8('<Types/>'), 'word/document.xml': strToU8('<x/>') });
  const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);

  test.each([
    ['a document', document, 'FF_FEED_FORMAT', '_rels/.rels'],
    [
      'an old or encrypted one',
      old,
      'FF_FEED_FORMAT',
      'is an old document of Office (.xls), or protected by a password',
    ],
    ['a binary workbook', renamed('xl/workbook.xml', 'xl/workbook.bin'), 'FF_FEED_FORMAT', 'not an .xlsx spreadsheet'],
    ['a text document', renamed('xl/workbook.xml', 'word/document.xml'), 'FF_FEED_FORMAT', 'not an .xlsx spreadsheet'],
    ['no sheets', workbook({ sheets: {} }), 'FF_FEED_FORMAT', 'has no sheets'],
    ['a bomb of XML', workbook({ sheets: { A: ' '.repeat(30_000_000) } }), 'FF_FEED_TOO_LARGE', 'maxRatio'],
    [
      'a bomb of texts',
      workbook({ sheets: { A: ofText(3000) }, texts: `<si><t>${'x'.repeat(1_000_000)}</t></si>` }),
      'FF_FEED_TOO_LARGE',
      'unpacks to more than',
    ],
    ['cut off', workbook({ sheets: { A: rowsOf([['id']]) } }).subarray(0, -300), 'FF_FEED_UNREADABLE', 'cut off'],
  ])('if it is %s', async (_, file, code, message) => {
    const failure = await open(file)
      .then(textOf)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    expect(`${String(failure)} ${(failure as { remedy?: string }).remedy}`).toContain(message);
  });

  test('if its XML is larger than allowed, whatever the archive declares', async () => {
    await expect(
      read({ sheets: { A: rowsOf([['x'.repeat(2000)]]) } }, { maxBytes: 5000, maxRatio: 1e6 }),
    ).rejects.toMatchObject({
      code: 'FF_FEED_TOO_LARGE',
    });
  });

  function renamed(from: string, to: string): Uint8Array {
    const relations = `<Relationships><Relationship Id="r" Type="x/officeDocument" Target="${to}"/></Relationships>`;
    return workbook({ sheets: { A: '' }, files: { '_rels/.rels': strToU8(relations), [to]: strToU8(from) } });
  }
});

test('Entities are not declared: a text that names one stays as it is', async () => {
  const bomb =
    '<!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b SYSTEM "file:///etc/passwd">]><sst><si><t>&a;&b;</t></si></sst>';
  const file = workbook({
    sheets: { A: '<row><c t="s"><v>0</v></c></row>' },
    files: { 'xl/sharedStrings.xml': strToU8(bomb) },
  });
  expect(await textOf(await open(file))).toBe('&a;&b;\n');
});
