import { strToU8, zipSync } from 'fflate';

export interface WorkbookParts {
  /** Elements of `sheetData`, or all of `worksheet`, by the names of sheets. */
  sheets: Record<string, string>;
  hidden?: readonly string[];
  /** Elements `si`. */
  texts?: string;
  /** Codes of formats; a cell with `s="1"` has the first. */
  formats?: readonly string[];
  is1904?: boolean;
  /** More files, or others. */
  files?: Record<string, Uint8Array>;
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Writes an Excel workbook. */
export function workbook({
  sheets,
  hidden = [],
  texts = '',
  formats = [],
  is1904,
  files = {},
}: WorkbookParts): Uint8Array {
  const names = Object.keys(sheets);
  const relations = [
    ...names.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`]),
    ['sharedStrings', '/xl/sharedStrings.xml'],
    ['styles', 'styles.xml'],
  ];
  const listed = names.map((name, index) => {
    const state = hidden.includes(name) ? ' state="hidden"' : '';
    return `<sheet name="${name}" sheetId="${index + 7}"${state} r:id="rId${index + 1}"/>`;
  });
  const codes = formats.map(
    (code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const styles = formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`);
  const content: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relation}">${is1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(relations),
    'xl/sharedStrings.xml': `<sst ${main}>${texts}</sst>`,
    'xl/styles.xml': `<styleSheet ${main}><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
  };
  for (const [index, name] of names.entries()) {
    const rows = sheets[name] ?? '';
    const whole = rows.includes('<sheetData') ? rows : `<sheetData>${rows}</sheetData>`;
    content[`xl/worksheets/sheet${index + 1}.xml`] = `<worksheet ${main}>${whole}</worksheet>`;
  }
  const encoded = Object.entries(content).map(([path, xml]) => [path, strToU8(head + xml)]);
  return zipSync({ ...Object.fromEntries(encoded), ...files });
}

/** Writes rows of texts and numbers, from a row on. */
export function rowsOf(rows: ReadonlyArray<ReadonlyArray<string | number>>, first = 1): string {
  return rows.map((cells, index) => `<row r="${first + index}">${cells.map(cellOf).join('')}</row>`).join('');
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return `<c><v>${value}</v></c>`;
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return value === '' ? '<c/>' : `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

function relationships(list: ReadonlyArray<readonly string[]>): string {
  const each = list.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${relation}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`;
}
