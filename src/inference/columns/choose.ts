import type { Column } from './columns.ts';
import { match, type Phrases, wordsOf } from './names.ts';

/** What a field may be: how it is called, and how well its values fit, 0 (not at all) to 1. */
export interface Role {
  names: Phrases;
  /** What a name may contain that is no known phrase, if the values fit. */
  part?: RegExp;
  fits(column: Column): number;
}

export interface Choice {
  column: Column;
  /** 0 to 1. */
  score: number;
}

/** A field whose name says this much is chosen. */
const LEAST = 0.4;
/** How surely a part of a name says what the whole is. */
const PART = 0.55;

/** Lists the columns that may have a role, the best first. */
export function candidates(columns: readonly Column[], { names, part, fits }: Role): Choice[] {
  return columns
    .map((column) => {
      const isPart = part?.test(column.names.flatMap(wordsOf).join(' ')) ?? false;
      return { column, name: Math.max(match(column.names, names), isPart ? PART : 0) };
    })
    .filter(({ name }) => name > 0)
    .map(({ column, name }) => ({ column, score: name * fits(column) * fillOf(column) }))
    .filter(({ score }) => score >= LEAST)
    .toSorted((a, b) => b.score - a.score);
}

/** Gives each role the column that fits best; a column has one role. */
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

/** An empty column has nothing to say; what few records have needs a surer name. */
function fillOf({ filled, values }: Column): number {
  return filled === 0 ? 0 : 0.75 + (0.25 * filled) / values.length;
}
