/** Cells that are shown as one; the value is that of the first. Columns count from 0, rows from 1. */
interface Area {
  top: number;
  bottom: number;
  left: number;
  right: number;
  value: string;
}

const MAX_COLUMNS = 16_384;
const areaPattern = /<(?:\w+:)?mergeCell\s([^<>]*)>/g;
const linkPattern = /<(?:\w+:)?hyperlink\s([^<>]*)>/g;
/** The rows of a sheet end with this. */
const rowsEnd = /<\/(?:\w+:)?sheetData\s*>/;
const LONGEST_END = 100;

/** Returns the index of a column from its letters. */
export function columnIndex(letters: string): number {
  let index = 0;
  for (let at = 0; at < letters.length; at += 1) index = index * 26 + letters.charCodeAt(at) - 64;
  return index - 1;
}

/** Reads what a sheet says after its rows: the areas of merged cells, and the links, by the names of their cells. */
export async function readEnd(chunks: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder();
  let rest = '';
  let isAfterRows = false;
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    if (isAfterRows) continue;
    isAfterRows = rowsEnd.test(rest);
    if (!isAfterRows) rest = rest.slice(-LONGEST_END);
  }
  const areas = [...rest.matchAll(areaPattern)].flatMap(([, written = '']) => areaIn(written));
  // Links to other cells have no id.
  const links = [...rest.matchAll(linkPattern)].flatMap(([, written = '']) => {
    const [, cell = ''] = /(?:^|\s)ref="([A-Z]+\d+)/.exec(written) ?? [];
    const [, id = ''] = /\w:id="([^"]*)"/.exec(written) ?? [];
    return id === '' ? [] : [[cell, id] as const];
  });
  return { areas: areas.toSorted((one, other) => one.top - other.top), links: new Map(links) };
}

function areaIn(attributes: string): Area[] {
  const [found, left = '', top, right = '', bottom] = /\bref="([A-Z]+)(\d+):([A-Z]+)(\d+)"/.exec(attributes) ?? [];
  if (found === undefined) return [];
  const [first, last] = [columnIndex(left), Math.min(columnIndex(right), MAX_COLUMNS - 1)];
  return [{ top: Number(top), bottom: Number(bottom), left: first, right: last, value: '' }];
}

/**
 * Returns a function that gives each cell of a merged area the value of the area, row after row. Rows and columns without values
 * of their own stay empty: a title above the table is one value.
 */
export function createFiller(areas: readonly Area[]) {
  let next = 0;
  let active: Area[] = [];
  return (number: number, cells: string[]): void => {
    active = active.filter(({ bottom }) => bottom >= number);
    for (let area = areas[next]; area !== undefined && area.top <= number; area = areas[++next]) {
      if (area.bottom >= number && active.length < MAX_COLUMNS) active.push(area);
    }
    if (active.length === 0) return;
    for (const area of active) if (area.top === number) area.value = cells[area.left] ?? '';
    const own = new Set(cells.flatMap((value, index) => (value === '' ? [] : [index])));
    for (const { left, right, value, top } of active) {
      const others = top === number && own.has(left) ? own.size - 1 : own.size;
      if (value === '' || others === 0) continue;
      while (cells.length <= right) cells.push('');
      cells.fill(value, left, right + 1);
    }
  };
}
