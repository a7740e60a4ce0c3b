import { posix } from 'node:path';
import { type NumberFormat, numberFormat } from './cell-text.ts';
import { attribute, parseWhole } from './xml.ts';

/** Opens a file of the archive. */
export type OpenPart = (path: string) => AsyncIterable<Uint8Array>;

/** A sheet with rows. */
export interface Sheet {
  name: string;
  isHidden: boolean;
  path: string;
}

/** What the cells of all sheets refer to. */
export interface Workbook {
  sheets: readonly Sheet[];
  /** Whether days are counted from 1904, as on early Macs. */
  is1904: boolean;
  texts: readonly string[];
  formats: readonly NumberFormat[];
}

interface Relation {
  type: string;
  path: string;
}

/** Finds the main part of the archive; undefined: it is no document of Office. */
export async function mainPart(open: OpenPart): Promise<string | undefined> {
  return [...(await readRelations(open, '')).values()].find(({ type }) => type === 'officeDocument')?.path;
}

/** Reads what the sheets of a workbook share (ISO/IEC 29500-1, 18). */
export async function readWorkbook(open: OpenPart, path: string): Promise<Workbook> {
  const relations = await readRelations(open, path);
  const sheets: Sheet[] = [];
  let is1904 = false;
  await parseWhole(open(path), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true|on)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const relation = relations.get(attribute(attributes, 'id') ?? '');
      // Others are charts and dialogs.
      if (relation?.type !== 'worksheet') return;
      const isHidden = /hidden/i.test(attributes.state ?? '');
      sheets.push({ name: attributes.name ?? '', isHidden, path: relation.path });
    },
  });
  const pathOf = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.path;
  const [texts, styles] = [pathOf('sharedStrings'), pathOf('styles')];
  return {
    sheets,
    is1904,
    texts: texts === undefined ? [] : await readTexts(open(texts)),
    formats: styles === undefined ? [] : await readFormats(open(styles)),
  };
}

/** Reads what a part refers to, by ids. The path of the whole archive is empty. */
export async function readRelations(open: OpenPart, path: string): Promise<Map<string, Relation>> {
  const folder = posix.dirname(path);
  const relations = new Map<string, Relation>();
  await parseWhole(open(posix.join(folder, '_rels', `${posix.basename(path)}.rels`)), {
    open(name, { Id = '', Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship') return;
      if (TargetMode === 'External') return void relations.set(Id, { type: 'external', path: Target });
      const target = posix.join('/', folder, Target.startsWith('/') ? posix.relative(`/${folder}`, Target) : Target);
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), path: target.slice(1) });
    },
  });
  return relations;
}

async function readTexts(chunks: AsyncIterable<Uint8Array>): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  const reader = textReader((part) => {
    text += part;
  });
  await parseWhole(chunks, {
    ...reader,
    close(name) {
      reader.close(name);
      if (name !== 'si') return;
      texts.push(unescaped(text));
      text = '';
    },
  });
  return texts;
}

/** Reads the texts of `t`, also those of formatted parts, but not the pronunciation (`rPh`). */
export function textReader(add: (text: string) => void) {
  let isText = false;
  let isPronunciation = false;
  return {
    open(name: string): void {
      if (name === 'rPh') isPronunciation = true;
      isText = name === 't' && !isPronunciation;
    },
    close(name: string): void {
      if (name === 'rPh') isPronunciation = false;
      if (name === 't') isText = false;
    },
    text(text: string): void {
      if (isText) add(text);
    },
  };
}

/** Decodes characters that XML cannot have: `_x000D_` (ISO/IEC 29500-1, 22.9.2.19). */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Returns the formats of numbers by the styles of cells. */
async function readFormats(chunks: AsyncIterable<Uint8Array>): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isCellStyles = false;
  await parseWhole(chunks, {
    open(name, { numFmtId, formatCode }) {
      const id = Number(numFmtId ?? 0);
      if (name === 'cellXfs') isCellStyles = true;
      else if (name === 'numFmt' && formatCode !== undefined) codes.set(id, formatCode);
      else if (name === 'xf' && isCellStyles) ids.push(id);
    },
    close(name) {
      if (name === 'cellXfs') isCellStyles = false;
    },
  });
  return ids.map((id) => numberFormat(id, codes.get(id)));
}
