import { COMPACT, DIGIT, hasTrait, mainTrait, TRAITS, traitsOf } from './traits.ts';

/** So many rows decide what the values of a column look like. */
const LEARNED_ROWS = 100;
/** Share of the values of a column that have its traits. */
const LEAST_SHARE = 0.9;

interface ColumnValues {
  filled: number;
  empty: number;
  /** The number of values with each trait. */
  counts: number[];
}

/** How the fields of a row compare with those of the rows before it, in columns whose values are no words. */
export interface Fit {
  /** Columns in which it has such a value, too. */
  fits: number;
  /** Columns in which it has words instead, or nothing although all rows before it have a value. */
  misses: number;
  /** Whether the first column that has a value is one of these. */
  startsOtherwise: boolean;
  /** Whether an address is in the column after that of the addresses, which has words. */
  isShifted: boolean;
  /** Whether it has fewer values than each row before it. */
  isSparse: boolean;
  filled: number;
}

export type Profile = ReturnType<typeof createProfile>;

/** Learns from the first rows of a table what its values look like, by the names of their columns. */
export function createProfile() {
  const byName = new Map<string, ColumnValues>();
  let columns: ColumnValues[] = [];
  let rows = 0;
  let leastFilled = Number.POSITIVE_INFINITY;
  /** The last column that has a value in every row, whose trait is in no name of a column. Undefined: still learning, or none. */
  let anchor: { index: number; trait: number } | undefined;
  return { setColumns, learn, hasAnchor, fitOf };

  function setColumns(names: readonly string[]): void {
    columns = names.map((name) => {
      const values = byName.get(name) ?? { filled: 0, empty: 0, counts: TRAITS.map(() => 0) };
      byName.set(name, values);
      return values;
    });
    rows = 0;
    leastFilled = Number.POSITIVE_INFINITY;
    anchor = undefined;
  }

  function learn(fields: readonly string[]): void {
    if (rows >= LEARNED_ROWS) return;
    rows += 1;
    let filled = 0;
    for (const [index, column] of columns.entries()) {
      const field = fields[index]?.trim() ?? '';
      if (field === '') {
        column.empty += 1;
        continue;
      }
      filled += 1;
      column.filled += 1;
      const traits = traitsOf(field);
      for (const [each, trait] of TRAITS.entries())
        if (traits & trait) column.counts[each] = (column.counts[each] ?? 0) + 1;
    }
    leastFilled = Math.min(leastFilled, filled);
    if (rows === LEARNED_ROWS) anchor = findAnchor();
  }

  function findAnchor(): typeof anchor {
    const inNames = [...byName.keys()].reduce((all, name) => all | traitsOf(name), 0);
    const traits = columns.map((column) => (column.empty > 0 ? 0 : mainTrait(traitsIn(column)) & ~inNames));
    const index = traits.findLastIndex((trait) => trait !== 0);
    return index === -1 ? undefined : { index, trait: traits[index] ?? 0 };
  }

  /** Returns true if a row is certainly like the others. Quick, and false for all rows if no column decides this. */
  function hasAnchor(fields: readonly string[]): boolean {
    return anchor !== undefined && hasTrait(fields[anchor.index] ?? '', anchor.trait);
  }

  function fitOf(fields: readonly string[]): Fit {
    const fit: Fit = { fits: 0, misses: 0, startsOtherwise: false, isShifted: false, isSparse: false, filled: 0 };
    for (const [index, column] of columns.entries()) {
      const field = fields[index]?.trim() ?? '';
      const isFirst = field !== '' && fit.filled === 0;
      if (field !== '') fit.filled += 1;
      const traits = traitsIn(column);
      const trait = mainTrait(traits);
      if (trait === 0) continue;
      const isMissing = field === '' ? column.empty === 0 && column.filled > 1 : !hasTrait(field, trait);
      // The number in a sentence is not the value of a column of numbers.
      const fits = field !== '' && !isMissing && ((traits & COMPACT) === 0 || hasTrait(field, COMPACT));
      if (isMissing) fit.misses += 1;
      if (fits) fit.fits += 1;
      if (isFirst && !fits) fit.startsOtherwise = true;
      const next = columns[index + 1];
      if (field === '' || !isMissing || trait === DIGIT || next === undefined) continue;
      fit.isShifted ||= mainTrait(traitsIn(next)) !== trait && hasTrait(fields[index + 1] ?? '', trait);
    }
    fit.isSparse = rows > 0 && fit.filled < leastFilled;
    return fit;
  }
}

function traitsIn({ filled, counts }: ColumnValues): number {
  if (filled === 0) return 0;
  return TRAITS.reduce((all, trait, each) => ((counts[each] ?? 0) >= filled * LEAST_SHARE ? all | trait : all), 0);
}
