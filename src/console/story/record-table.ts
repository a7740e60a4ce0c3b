import { type Html, html } from '../../core/html/html.ts';
import { attributeLabel } from '../../core/text/attribute-label.ts';
import { figureOf } from '../../core/text/figures.ts';
import type { RecordLiveView } from '../../queries/records/record.ts';
import type { RecordDetailView, RecordSourceView, SetBy } from '../../queries/views/record.ts';
import { badge } from '../parts/badge.ts';
import { markedText } from '../parts/difference.ts';
import { table } from '../parts/table.ts';
import { readSame, thumbnail, type Value, valueText } from '../parts/value.ts';

/** What one side has: the feed, the ledger or the CMS. */
export interface RecordSide {
  head: string;
  values: Readonly<Record<string, Value>>;
  pictures: Readonly<Record<string, string>>;
  /** Whether it is what the source asks for. */
  isSource?: boolean;
  /** Returns whether an attribute is as on the side before; undefined: it is if it reads the same. */
  isSame?(attribute: string): boolean | undefined;
}

/** What the feed has for a record now, as it would be sent; undefined if there is nothing to send. */
export function feedSide({ found }: RecordSourceView): RecordSide | undefined {
  const [first] = found;
  return found.length === 1 && first?.payload ? withFiles('In the feed now', first.payload, first.files) : undefined;
}

/** What the source last asked for, and what the CMS last confirmed; one side if they are the same. */
export function ledgerSides(
  view: Pick<RecordDetailView, 'desired' | 'delivered' | 'pictures' | 'files' | 'setBy'>,
): RecordSide[] {
  const [wanted, delivered] = [wantedSide(view), deliveredSide(view)];
  if (!delivered) return [wanted];
  const isSame = Object.keys({ ...wanted.values, ...delivered.values }).every(
    (name) =>
      (Object.hasOwn(wanted.values, name) || view.setBy[name] !== undefined) &&
      (delivered.isSame?.(name) ??
        (!Object.hasOwn(wanted.values, name) || readSame(wanted.values[name], delivered.values[name]))),
  );
  return isSame ? [{ ...delivered, head: 'Delivered, as wanted' }] : [wanted, delivered];
}

/** What the source last asked for. */
function wantedSide({ desired, files }: Pick<RecordDetailView, 'desired' | 'files'>): RecordSide {
  return withFiles('Wanted', desired, files);
}

/** What the CMS last confirmed; undefined if it has confirmed nothing. */
function deliveredSide({
  delivered,
  pictures,
  files,
}: Pick<RecordDetailView, 'delivered' | 'pictures' | 'files'>): RecordSide | undefined {
  const isDelivered = new Map(files.map((file) => [file.attribute, file.isDelivered]));
  if (delivered === null) return undefined;
  return { head: 'Delivered', values: delivered, pictures, isSame: (attribute) => isDelivered.get(attribute) };
}

/** What the CMS has now; undefined if it has no such item, or did not say. */
export function cmsSide({ is, attributes, pictures = {}, differences }: RecordLiveView): RecordSide | undefined {
  const differing = new Set(differences.map(({ attribute }) => attribute));
  if (is !== 'there') return undefined;
  return { head: 'In the CMS now', values: attributes, pictures, isSame: (attribute) => !differing.has(attribute) };
}

/** A file of the feed has the address of its source, or its name. */
function withFiles(head: string, payload: RecordSide['values'], files: RecordDetailView['files'] | Files): RecordSide {
  const sources = files.map(({ attribute, address, name }) => [attribute, address ?? name]);
  const pictures = files.flatMap(({ attribute, picture }) => (picture === undefined ? [] : [[attribute, picture]]));
  const values = { ...payload, ...Object.fromEntries(sources) };
  return { head, values, pictures: Object.fromEntries(pictures), isSource: true };
}

type Files = RecordSourceView['found'][number]['files'];

interface Cell {
  side: RecordSide;
  /** Value of the side before, if this one differs from it. */
  other?: { value: Value };
  /** `missing`: the side lacks what it was to have. */
  is: 'first' | 'same' | 'different' | 'missing' | 'absent';
}

const sources: Record<SetBy, string> = {
  feedferry: 'set by feedferry',
  constant: 'constant of the sync file',
  default: 'default of the sync file',
  derived: 'from start and end',
};

const names = new Intl.ListFormat('en');

/** One table of what each side has. Attributes that differ come first; a value that is the same as before is not repeated. */
export function recordTable(
  sides: readonly RecordSide[],
  setBy: Readonly<Record<string, SetBy>>,
  givenBy: Readonly<Record<string, string>> = {},
): Html {
  const attributes = [...new Set(sides.flatMap(({ values }) => Object.keys(values)))];
  const rows = attributes.map((attribute) => ({ attribute, cells: cellsOf(attribute, sides) }));
  const [differing, others] = [rows.filter(isDifferent), rows.filter((row) => !isDifferent(row))];
  const isPart = rows.some(({ attribute, cells }) => !setBy[attribute] && cells.some(({ is }) => is === 'absent'));
  const columns = names.format(sides.map(({ head }) => `“${head}”`));
  const same = `${isPart ? 'In what the source asks for, no' : 'No'} difference between ${columns}.`;
  return html`${sides.length > 1 && html`<p>${differing.length === 0 ? same : `${figureOf(differing.length, 'attribute')} ${differing.length === 1 ? 'differs' : 'differ'}.`}</p>`}
${table<Row>({
  caption: 'Attributes',
  columns: [
    {
      head: 'Attribute',
      isHeading: true,
      cell: ({ attribute }) =>
        html`${attributeLabel(attribute)}${setBy[attribute] && html`<span class="why">${sources[setBy[attribute]]}</span>`}${givenBy[attribute] && html`<span class="why">from ${givenBy[attribute]}</span>`}`,
    },
    ...sides.map(({ head }, place) => ({
      head,
      cell: ({ attribute, cells }: Row) => cells[place] && valueCell(attribute, cells[place], setBy[attribute]),
    })),
  ],
  rows: [...differing, ...others],
})}`;
}

type Row = { attribute: string; cells: Cell[] };

function isDifferent({ cells }: Row): boolean {
  return cells.some(({ is }) => is === 'different' || is === 'missing');
}

/** Compares each side with the last one before it that has the attribute: a source does not ask for everything. */
function cellsOf(attribute: string, sides: readonly RecordSide[]): Cell[] {
  let before: RecordSide | undefined;
  return sides.map((side) => {
    if (!Object.hasOwn(side.values, attribute)) {
      return { side, is: before && side.isSame?.(attribute) === false ? 'missing' : 'absent' };
    }
    const [value, other] = [side.values[attribute], before?.values[attribute]];
    const isFirst = before === undefined;
    before = side;
    if (isFirst) return { side, is: 'first' };
    return (side.isSame?.(attribute) ?? readSame(value, other))
      ? { side, is: 'same' }
      : { side, is: 'different', other: { value: other } };
  });
}

function valueCell(attribute: string, { side, is, other }: Cell, setBy: SetBy | undefined): Html {
  if (is === 'absent') {
    return html`<span class="muted">${side.isSource && setBy === undefined ? 'not from the source' : '–'}</span>`;
  }
  if (is === 'missing') return badge('warning', 'Missing');
  if (is === 'same') return html`<span class="muted">same</span>`;
  const picture = side.pictures[attribute];
  const value = side.values[attribute];
  if (picture === undefined) return other ? markedText(value, other.value, 'ins') : valueText(value);
  return html`${thumbnail(picture, `${attribute}: ${side.head}`)}${other && badge('warning', 'Different')}`;
}
