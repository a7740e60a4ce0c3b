import { type Choice, candidates, choose, type Role } from '../columns/choose.ts';
import { type Column, countDistinct } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { isId } from '../columns/ids.ts';
import { nameScore } from '../columns/names.ts';
import { liquidPath } from '../dates/date-ranges.ts';
import { textRule } from '../fields/rules.ts';
import { titleFit } from '../fields/values.ts';
import type { Guess, ProposedRule } from '../proposal.ts';

export const titleRole: Role = { names: eventNames.title, part: /tit(le|el|re|ulo|olo)\b/, fits: titleFit };

/** The title of events, and the field from which it is mapped. */
export interface EventTitle {
  column: Column;
  rule: Guess<ProposedRule>;
  /** How surely the name of the field means the title, 0 to 1. */
  score: number;
  /** Whether the title is the whole text of the field. */
  isWhole: boolean;
}

/** Score of a title that is not recognised by its name. */
const UNNAMED = 0.2;
const LONGEST = 100;

/**
 * Proposes the title of events, the first of: a field with such a name, the two sides of a match, a short description, the first
 * text that differs in most records, the location, the category, or the beginning of the description.
 * @param chosen the fields chosen for all text attributes
 */
export function titleOf(columns: readonly Column[], chosen: ReadonlyMap<string, Choice>): EventTitle | undefined {
  const named = chosen.get('title');
  if (named) return whole(named);
  const sides = matchOf(columns);
  if (sides) return sides;
  const [short] = candidates(columns, titleRole);
  if (short) return whole(short);
  const taken = new Set([...chosen.values()].map(({ column }) => column));
  const isOther = (column: Column) =>
    taken.has(column) || isId(column) || nameScore(column.names, eventNames.location) > 0;
  const varied = columns.find((column) => !isOther(column) && isVaried(column));
  const place = chosen.get('location')?.column;
  const column = varied ?? (place && isVaried(place) ? place : (chosen.get('category')?.column ?? place));
  return column ? whole({ column, score: UNNAMED }) : beginningOf(chosen.get('description')?.column);
}

function whole({ column, score }: Choice): EventTitle {
  return { column, score, rule: textRule(column, { showsPlaceholders: true }), isWhole: true };
}

function isVaried(column: Column): boolean {
  return titleFit(column) === 1 && countDistinct(column) > column.values.length / 2;
}

/** Returns a title with the names of the two sides of a match. */
function matchOf(columns: readonly Column[]): EventTitle | undefined {
  const sides = choose<'home' | 'away'>(columns, {
    home: { names: eventNames.home, fits: titleFit },
    away: { names: eventNames.away, fits: titleFit },
  });
  const [home, away] = [sides.get('home'), sides.get('away')];
  if (!home || !away) return undefined;
  const template = `{{ ${liquidPath(home.column)} }} – {{ ${liquidPath(away.column)} }}`;
  return { ...whole(home), rule: { value: { template }, evidence: 'the two sides of a match' } };
}

function beginningOf(description: Column | undefined): EventTitle | undefined {
  if (description === undefined) return undefined;
  const template = `{{ ${liquidPath(description)} | strip_html | truncate: ${LONGEST} }}`;
  const evidence = `no field is a title: the beginning of ${description.path}`;
  return { column: description, score: UNNAMED, rule: { value: { template }, evidence }, isWhole: false };
}
