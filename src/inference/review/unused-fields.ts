import { type Column, shareThat } from '../columns/columns.ts';
import { isId, isNamedDate } from '../columns/ids.ts';
import { datesOf } from '../dates/read-column.ts';
import type { Proposal } from '../proposal.ts';
import { type ProposalLine, samplesOf } from './lines.ts';

/** A field that no line of a proposal reads. */
export interface UnusedField {
  path: string;
  /** Number of records that have a value. */
  filled: number;
  samples: readonly string[];
  /** Why the field is not used. */
  reason: string;
}

/** Lists the fields that no line reads, those with the most values first. */
export function unusedFields(
  { suggested }: Proposal,
  lines: readonly ProposalLine[],
  columns: readonly Column[],
): UnusedField[] {
  const used = new Set(lines.flatMap(({ fields }) => fields));
  const suggestions = new Map(
    Object.entries(suggested).map(([attribute, { value }]) => [
      typeof value === 'string' ? value : value.field,
      attribute,
    ]),
  );
  return columns
    .filter(({ path }) => !used.has(path) && !isPartOfUsed(path, used))
    .map((column) => ({
      path: column.path,
      filled: column.filled,
      samples: samplesOf([column]),
      reason: reasonOf(column, suggestions.get(column.path)),
    }))
    .toSorted((a, b) => b.filled - a.filled);
}

/** Returns whether a path is inside a used field, or around one: `images` around `images[0].url`. */
function isPartOfUsed(path: string, used: ReadonlySet<string>): boolean {
  return [...used].some(
    (field) => path.startsWith(`${field}[`) || field.startsWith(`${path}[`) || path.startsWith(`${field}.`),
  );
}

function isLikeTime(text: string): boolean {
  return /(?<![\d.,-])\d{1,2}[:.h]\d{2}(?!\d)/.test(text) && !/^\d+\.\d+$/.test(text);
}

/** Says how a person can have a field read whose form is not known. */
function remedyFor({ texts }: Column): string {
  const shown = JSON.stringify(texts.find((text) => /\p{Nd}/u.test(text))?.slice(0, 40));
  return `in a form that is not read, such as ${shown}: choose it as the start, and give its format`;
}

function reasonOf(column: Column, suggestion: string | undefined): string {
  if (column.filled === 0) return 'it has no value';
  if (suggestion !== undefined) return `a custom attribute such as ${suggestion}, if the site has one`;
  const dates = datesOf(column);
  if (dates !== undefined)
    return dates.is === 'time' ? 'times that no attribute takes' : 'dates that no attribute takes';
  if (isId(column)) return 'an id beside the key';
  if (shareThat(column, isLikeTime) > 0.5) return `perhaps times, ${remedyFor(column)}`;
  if (isNamedDate(column) && shareThat(column, (text) => /\p{Nd}/u.test(text)) > 0.5)
    return `perhaps dates, ${remedyFor(column)}`;
  return 'no attribute has such a name';
}
