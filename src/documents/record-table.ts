import { isUnfilled } from '../core/attributes.ts';
import type { Json } from '../core/record.ts';
import { attributeLabel } from '../core/text/attribute-label.ts';
import { figureOf } from '../core/text/figures.ts';
import { readableText } from '../core/text/readable-value.ts';
import type { RecordLiveView } from '../queries/records/record.ts';
import type { RecordDetailView, RecordSourceView, SetBy } from '../queries/views/record.ts';
import { paragraph, tableOf } from './blocks.ts';
import type { Block, Inline } from './document.ts';
import { mark, styled } from './inline.ts';

type Value = Json | undefined;

/** What one side has: the feed, the ledger or the CMS. */
interface RecordSide {
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
export function ledgerSides({ desired, delivered: values, pictures, files, setBy }: RecordDetailView): RecordSide[] {
  const wanted = withFiles('Wanted', desired, files);
  if (values === null) return [wanted];
  const isDelivered = new Map(files.map((file) => [file.attribute, file.isDelivered]));
  const delivered = { values, pictures, isSame: (attribute: string) => isDelivered.get(attribute) };
  const isSame = Object.keys({ ...wanted.values, ...values }).every((name) => {
    const isWanted = Object.hasOwn(wanted.values, name);
    const same = isDelivered.get(name) ?? (!isWanted || readSame(wanted.values[name], values[name]));
    return (isWanted || setBy[name] !== undefined) && same;
  });
  return isSame ? [{ ...delivered, head: 'Delivered, as wanted' }] : [wanted, { ...delivered, head: 'Delivered' }];
}

/** What the CMS has now; undefined if it has no such item, or did not say. */
export function cmsSide({ is, attributes, pictures = {}, differences }: RecordLiveView): RecordSide | undefined {
  const differing = new Set(differences.map(({ attribute }) => attribute));
  if (is !== 'there') return undefined;
  return { head: 'In the CMS now', values: attributes, pictures, isSame: (attribute) => !differing.has(attribute) };
}

/** A file of the feed has the address of its source, or its name. */
function withFiles(
  head: string,
  payload: RecordSide['values'],
  files: RecordSourceView['found'][number]['files'],
): RecordSide {
  const sources = files.map(({ attribute, address, name }) => [attribute, address ?? name]);
  const pictures = files.flatMap(({ attribute, picture }) => (picture === undefined ? [] : [[attribute, picture]]));
  const values = { ...payload, ...Object.fromEntries(sources) };
  return { head, values, pictures: Object.fromEntries(pictures), isSource: true };
}

/** Returns whether two values read the same. Values that are not set are the same as "no". */
function readSame(one: Value, other: Value): boolean {
  return (isUnfilled(one) && isUnfilled(other)) || readableText(one) === readableText(other);
}

interface Cell {
  side: RecordSide;
  /** Value of the side before, if this one differs from it. */
  other?: { value: Value };
  /** `missing`: the side lacks what it was to have. */
  is: 'first' | 'same' | 'different' | 'missing' | 'absent';
}

type Row = { attribute: string; cells: Cell[] };

const origins: Record<SetBy, string> = {
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
): Block[] {
  const attributes = [...new Set(sides.flatMap(({ values }) => Object.keys(values)))];
  const rows = attributes.map((attribute) => ({ attribute, cells: cellsOf(attribute, sides) }));
  const [differing, others] = [rows.filter(isDifferent), rows.filter((row) => !isDifferent(row))];
  const isPart = rows.some(({ attribute, cells }) => !setBy[attribute] && cells.some(({ is }) => is === 'absent'));
  const columns = names.format(sides.map(({ head }) => `“${head}”`));
  const same = `${isPart ? 'In what the source asks for, no' : 'No'} difference between ${columns}.`;
  const some = `${figureOf(differing.length, 'attribute')} ${differing.length === 1 ? 'differs' : 'differ'}.`;
  const origin = (attribute: string) => [
    setBy[attribute] && styled('why', origins[setBy[attribute]]),
    givenBy[attribute] && styled('why', `from ${givenBy[attribute]}`),
  ];
  return [
    sides.length > 1 && paragraph(differing.length === 0 ? same : some),
    tableOf<Row>({
      caption: 'Attributes',
      columns: [
        { head: 'Attribute', isHeading: true, cell: ({ attribute }) => [attributeLabel(attribute), origin(attribute)] },
        ...sides.map(({ head }, place) => ({
          head,
          cell: ({ attribute, cells }: Row) => cells[place] && valueCell(attribute, cells[place], setBy[attribute]),
        })),
      ],
      rows: [...differing, ...others],
    }),
  ];
}

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

function valueCell(attribute: string, { side, is, other }: Cell, setBy: SetBy | undefined): Inline {
  if (is === 'absent') return styled('muted', side.isSource && setBy === undefined ? 'not from the source' : '–');
  if (is === 'missing') return mark(['warning', 'Missing']);
  if (is === 'same') return styled('muted', 'same');
  const address = side.pictures[attribute];
  if (address === undefined) return { is: 'value', value: side.values[attribute], other };
  return [{ is: 'picture', address, alt: `${attribute}: ${side.head}` }, other && mark(['warning', 'Different'])];
}
