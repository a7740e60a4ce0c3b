import { addDays } from '../../core/dates/iso-date.ts';
import { type Json, type Payload, type Resource, UNKNOWN } from '../../core/record.ts';
import { filterAttributes, hasValue, isEmpty } from '../items/values.ts';
import { type Facts, gradeOf, grades, type IdentityGrade } from './grades.ts';
import { itemTraits, SHORTEST_CUT, type Sighting, sightingOf, traitsOfRewritten } from './sighting.ts';
import { createTraitIndex } from './trait-index.ts';

/** What the item of a record may show. */
export interface Expected {
  externalIds: readonly string[];
  /** By each payload that may have been sent. `payload`: its other attributes are compared, too. */
  looks: ReadonlyArray<Sighting & { payload?: Payload }>;
  /** The item may have been made without an external id: one that it shows may be something else. */
  mayBeUnmarked?: boolean;
}

/**
 * Grades an item as the one of a record.
 * @param cutAt length at which the CMS may cut external ids: in a list, that of the longest; absent: it does not cut them
 * @param item.all the whole item
 */
export function compare(
  item: Sighting & { all?: Readonly<Record<string, unknown>> },
  { externalIds, looks, mayBeUnmarked = false }: Expected,
  cutAt?: number,
): IdentityGrade {
  const shown = externalIdFact(item.externalId, externalIds, cutAt);
  const externalId = shown === 'another' && mayBeUnmarked ? 'none' : shown;
  const facts = looks.map(({ payload, ...look }) => {
    const isAccount = look.title === undefined;
    const rest = item.all && payload && restFact(item.all, payload, isAccount ? 'accounts' : 'events');
    return { ...(isAccount ? nameFacts(item, look) : eventFacts(item, look)), rest };
  });
  const found = new Set([{}, ...facts].map((each) => gradeOf({ externalId, ...each })));
  return grades.find((grade) => found.has(grade)) ?? 'other';
}

/**
 * Whether the content of an item, apart from its external id, fits what a record may have sent: the title or the day, a name, or
 * most other attributes. An editor may have copied an item with its external id, and rewritten the copy.
 */
export function fitsContent(
  item: Readonly<Record<string, unknown>>,
  payloads: readonly Payload[],
  resource: Resource,
): boolean {
  const looks = payloads.map((payload) => ({ ...sightingOf(payload, resource), payload }));
  return compare({ ...sightingOf(item, resource), all: item }, { externalIds: [], looks }) !== 'other';
}

/** The grades by which items are looked for. */
export type FoundGrade = Exclude<IdentityGrade, 'alike' | 'partly' | 'other'>;

/** Finds items of a list by their grades without comparing all of them. */
export function createItemIndex() {
  const index = createTraitIndex<number>();
  const sightings = new Map<number, Sighting>();
  let longest = 0;
  return { sightings, add, idsOf };

  function add(id: number, sighting: Sighting): void {
    sightings.set(id, sighting);
    longest = Math.max(longest, sighting.externalId?.length ?? 0);
    index.add(itemTraits(sighting), id);
  }

  /** The items that have exactly this grade as the one of a record. */
  function idsOf(grade: FoundGrade, expected: Expected): number[] {
    const traits = traitsOfRewritten(expected.externalIds, expected.looks, longest);
    return index.sharing(traits).filter((id) => compare(sightings.get(id) ?? {}, expected, longest) === grade);
  }
}

/** A CMS may change the case of an external id, or cut it at a length of its own. */
function externalIdFact(
  shown: string | undefined,
  externalIds: readonly string[],
  cutAt: number | undefined,
): Facts['externalId'] {
  if (shown === undefined) return 'none';
  if (externalIds.includes(shown)) return 'exact';
  const begun = externalIds.filter((id) => id.toLowerCase().startsWith(shown.toLowerCase()));
  if (begun.some(({ length }) => length === shown.length)) return 'otherCase';
  return begun.length > 0 && shown.length === cutAt ? 'cut' : 'another';
}

function nameFacts(item: Sighting, look: Sighting) {
  const factOf = (name: 'email' | 'username') => (look[name] ? equal(item[name], look[name]) : 'unwanted');
  return { email: factOf('email'), username: factOf('username') } as const;
}

function eventFacts({ title = '', day, start }: Sighting, look: Sighting) {
  return {
    title: titleFact(title, look.title ?? ''),
    day: day && look.day ? dayFact(day, look.day) : 'unknown',
    start: start && look.start ? equal(start, look.start) : 'unknown',
  } as const;
}

function titleFact(title: string, wanted: string) {
  if (title === wanted && title !== '') return 'equal';
  if (wanted.startsWith(title)) return title.length >= SHORTEST_CUT ? 'cut' : 'begins';
  return title.startsWith(wanted) ? 'begins' : 'other';
}

function dayFact(day: string, wanted: string) {
  return day !== wanted && [-1, 1].some((by) => addDays(wanted, by) === day) ? 'next' : equal(day, wanted);
}

function equal(one: string | undefined, other: string) {
  return one === other ? 'equal' : 'other';
}

/** Flags say little: most items share them. */
function restFact(item: Readonly<Record<string, unknown>>, payload: Payload, resource: Resource): Facts['rest'] {
  const others = { events: ['title', 'date', 'endDate', 'time'], accounts: ['email', 'username', 'password'] }[
    resource
  ];
  const says = (value: Json) => !isEmpty(value) && typeof value !== 'boolean' && value !== UNKNOWN;
  const rest = filterAttributes(payload, (attribute, value) => !others.includes(attribute) && says(value));
  const kept = filterAttributes(rest, (attribute, value) => hasValue(item, attribute, value));
  const [total, same] = [Object.keys(rest).length, Object.keys(kept).length];
  if (same * 2 < total || same === 0) return 'few';
  return same === 1 ? 'one' : 'several';
}
