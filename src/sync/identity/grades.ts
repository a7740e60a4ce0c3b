import { type FactCondition, meets } from './condition.ts';

/**
 * How much speaks for an item being the one of a record, the most first. A look-up among all items takes one with `id`, or else
 * with `same`. It leaves `similar` to a person, and looks for `rewritten` again. A first run that finds items with `same` or
 * `similar` would duplicate them.
 */
export const grades = ['id', 'same', 'similar', 'rewritten', 'alike', 'partly', 'other'] as const;
export type IdentityGrade = (typeof grades)[number];

/**
 * The lowest grade at which the item that the CMS names by its id is the record's: one in the answer to its create, or a later one, or
 * one of which the CMS has cut the external id, so that others may show the same.
 */
const lowest = { created: 'partly', own: 'alike', ownCut: 'similar' } as const satisfies Record<string, IdentityGrade>;

/** Whether a grade is high enough. */
export function suffices(grade: IdentityGrade, question: keyof typeof lowest): boolean {
  return grades.indexOf(grade) <= grades.indexOf(lowest[question]);
}

/** What is compared of an item and a record: the names of accounts; title, day and start of events. Absent: not compared. */
export interface Facts {
  /** `cut`: the item shows the beginning, as long as the CMS may cut it; `none`: the item shows none. */
  externalId: 'exact' | 'otherCase' | 'cut' | 'another' | 'none';
  /** Letters and digits. `cut`: the item has only the beginning, but a long one; `begins`: one begins the other. */
  title?: 'equal' | 'cut' | 'begins' | 'other';
  day?: 'equal' | 'next' | 'unknown' | 'other';
  start?: 'equal' | 'unknown' | 'other';
  /** `unwanted`: the record has none. */
  email?: 'equal' | 'unwanted' | 'other';
  username?: 'equal' | 'unwanted' | 'other';
  /** How many of the other attributes are equal, if at least half of them are. */
  rest?: 'several' | 'one' | 'few';
}

const [anyTitle, anyDay] = [['equal', 'cut', 'begins'] as const, ['equal', 'next', 'unknown'] as const];

/** The first line whose facts all hold gives the grade. A fact that a line lacks does not matter. */
const rules: ReadonlyArray<readonly [IdentityGrade, FactCondition<Facts>]> = [
  // An external id decides alone: an item with that of another record is never this one's, however similar the two are.
  ['id', { externalId: ['exact'] }],
  ['rewritten', { externalId: ['otherCase'] }],
  ['other', { externalId: ['another'] }],
  // The id of another record may begin this one: "u1" and "u10". What was cut has the content of the record, too.
  ['rewritten', { externalId: ['cut'], title: anyTitle }],
  ['rewritten', { externalId: ['cut'], day: anyDay }],
  ['rewritten', { externalId: ['cut'], email: ['equal'] }],
  ['rewritten', { externalId: ['cut'], username: ['equal'] }],
  ['rewritten', { externalId: ['cut'], email: ['unwanted'], username: ['unwanted'] }],
  ['other', { externalId: ['cut'] }],

  ['same', { title: ['equal'], day: ['equal'], start: ['equal', 'unknown'] }],
  ['rewritten', { title: ['equal', 'cut'], day: anyDay, start: ['equal', 'unknown'] }],
  // In a list, an event at another time is another one. Under the id of the record, it was moved.
  ['alike', { title: anyTitle, day: anyDay }],
  ['alike', { title: anyTitle, rest: ['several', 'one'] }],
  ['alike', { day: anyDay, rest: ['several', 'one'] }],
  ['partly', { title: anyTitle }],
  ['partly', { day: anyDay }],

  ['same', { email: ['equal'], username: ['equal', 'unwanted'] }],
  ['same', { email: ['unwanted'], username: ['equal'] }],
  ['similar', { email: ['equal'] }],
  ['similar', { username: ['equal'] }],
  // Nothing identifies a record without names, so nothing contradicts it either.
  ['alike', { email: ['unwanted'], username: ['unwanted'] }],

  // Editors may have changed everything that identifies the item.
  ['alike', { rest: ['several'] }],
];

/** The grade of an item of which these facts are known. */
export function gradeOf(facts: Facts): IdentityGrade {
  return rules.find(([, condition]) => meets(facts, condition))?.[0] ?? 'other';
}
