import { type Choice, candidates, choose, type Role } from '../columns/choose.ts';
import { type Column, countDistinct } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { match } from '../columns/names.ts';
import { liquidPath } from '../dates/date-ranges.ts';
import { textRule } from '../fields/rules.ts';
import { titleFit } from '../fields/values.ts';
import type { Guess, ProposedRule } from '../proposal.ts';
import { isId } from './key.ts';

export const titleRole: Role = { names: eventNames.title, part: /tit(le|el|re|ulo|olo)\b/, fits: titleFit };

/** The title of events, and the field that it is made of. */
export interface EventTitle {
  column: Column;
  rule: Guess<ProposedRule>;
  /** How surely a name says that it is the title, 0 to 1. */
  score: number;
  /** Whether it has all of the field. */
  isWhole: boolean;
}

/** A title that no name tells. */
const UNNAMED = 0.2;
const LONGEST = 100;

/**
 * Proposes the title of events: the field that is called so, the two sides of a match, a short description, the first text that
 * differs in most records, where it is, what kind of event it is, or the beginning of the description.
 * @param chosen the fields of all text attributes
 */
export function titleOf(columns: readonly Column[], chosen: ReadonlyMap<string, Choice>): EventTitle | undefined {
  const named = chosen.get('title');
  if (named) return whole(named);
  const sides = matchOf(columns);
  if (sides) return sides;
  const [short] = candidates(columns, titleRole);
  if (short) return whole(short);
  const taken = new Set([...chosen.values()].map(({ column }) => column));
  const isOther = (column: Column) => taken.has(column) || isId(column) || match(column.names, eventNames.location) > 0;
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

/** The two sides of a match, whose names are its title. */
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
