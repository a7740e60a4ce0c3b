import type { Column } from './columns.ts';
import { nameScore, type Phrases, wordsOf } from './names.ts';

/** A role that a field may have: the names for it, and how well the values of a field fit, 0 (not at all) to 1. */
export interface Role {
  names: Phrases;
  /** Pattern for parts of other names. A field with such a name has the role if its values fit. */
  part?: RegExp;
  fits(column: Column): number;
}

export interface Choice {
  column: Column;
  /** How well the column fits the role, 0 to 1. */
  score: number;
}

/** Lowest score with which a field is chosen. */
const LEAST = 0.4;
/** Score of a name of which only a part is known. */
const PART = 0.55;

/** Lists the columns that may have a role, best first. */
export function candidates(columns: readonly Column[], { names, part, fits }: Role): Choice[] {
  return columns
    .map((column) => {
      const isPart = part?.test(column.names.flatMap(wordsOf).join(' ')) ?? false;
      return { column, name: Math.max(nameScore(column.names, names), isPart ? PART : 0) };
    })
    .filter(({ name }) => name > 0)
    .map(({ column, name }) => ({ column, score: name * fits(column) * fillOf(column) }))
    .filter(({ score }) => score >= LEAST)
    .toSorted((a, b) => b.score - a.score);
}

/** Assigns to each role the column that fits best. A column has only one role. */
export function choose<Name extends string>(
  columns: readonly Column[],
  roles: Readonly<Partial<Record<Name, Role>>>,
): Map<Name, Choice> {
  const all = (Object.entries(roles) as Array<[Name, Role]>).flatMap(([role, rule]) =>
    candidates(columns, rule).map((choice) => ({ role, ...choice })),
  );
  const chosen = new Map<Name, Choice>();
  const taken = new Set<Column>();
  for (const { role, column, score } of all.toSorted((a, b) => b.score - a.score)) {
    if (chosen.has(role) || taken.has(column)) continue;
    chosen.set(role, { column, score });
    taken.add(column);
  }
  return chosen;
}

/** Returns 0 for an empty column. The fewer records have a value, the better the name has to be. */
function fillOf({ filled, values }: Column): number {
  return filled === 0 ? 0 : 0.75 + (0.25 * filled) / values.length;
}
