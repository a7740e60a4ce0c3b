import type { Json, Resource } from './record.ts';

/** The kinds of values that attributes take: what clears an attribute, and how HTML is treated by default. */
export const attributeKinds = {
  string: { cleared: '', html: 'text' },
  html: { cleared: '', html: 'auto' },
  boolean: { cleared: null, html: 'keep' },
  date: { cleared: null, html: 'keep' },
  time: { cleared: null, html: 'keep' },
  moment: { cleared: null, html: 'keep' },
  /** What custom attributes take. */
  json: { cleared: null, html: 'keep' },
} as const;

export type AttributeKind = keyof typeof attributeKinds;

/** The kinds of what the CMS has: a moment becomes a date and a time. */
export type CmsKind = Exclude<AttributeKind, 'moment'>;

/** feedferry's own shorthands for date, endDate and time. */
export const shorthands = { start: 'moment', end: 'moment', allDay: 'boolean' } as const;

/** Attributes of events that feedferry derives from their start and end, so that a map need not name them. */
export const derivedAttributes: readonly string[] = ['date', 'endDate', 'time', 'isMultiDay', 'spansMultipleDays'];

/** The standard attributes that a map may set (API: "Resources and their fields"), parts of an attribute dotted. */
const attributes = {
  events: {
    title: 'string',
    isFeatured: 'boolean',
    description: 'html',
    date: 'date',
    endDate: 'date',
    isMultiDay: 'boolean',
    spansMultipleDays: 'boolean',
    showOnAllDates: 'boolean',
    'time.start': 'time',
    'time.end': 'time',
    'time.type': 'string',
    repeats: 'boolean',
    ...shorthands,
  },
  accounts: {
    email: 'string',
    username: 'string',
    firstName: 'string',
    middleName: 'string',
    lastName: 'string',
    displayName: 'string',
    company: 'string',
    title: 'string',
    department: 'string',
    website: 'string',
    phoneHome: 'string',
    phoneOffice: 'string',
    phoneMobile: 'string',
    phoneTollFree: 'string',
    phoneOther: 'string',
    pager: 'string',
    fax: 'string',
    gender: 'string',
  },
} as const satisfies Record<Resource, Record<string, AttributeKind>>;

/** The names and kinds of the standard attributes of a resource. */
export type StandardAttributes<R extends Resource> = (typeof attributes)[R];

/** The kind of a standard attribute. */
export type KindOf<R extends Resource, Name extends keyof StandardAttributes<R>> = StandardAttributes<R>[Name] &
  AttributeKind;

/** The standard attributes that the CMS has under these names: neither shorthands nor parts of an attribute. */
export type CmsAttribute<R extends Resource> = Exclude<
  keyof StandardAttributes<R>,
  keyof typeof shorthands | `${string}.${string}`
>;

export const standardAttributes: Record<Resource, Readonly<Record<string, AttributeKind>>> = attributes;

/** Returns for each attribute of the CMS what belongs to its kind. */
export function byKind<R extends Resource, Kinds extends Record<CmsKind, unknown>>(resource: R, kinds: Kinds) {
  const entries = Object.entries<AttributeKind>(attributes[resource]);
  const made = entries.map(([name, kind]) => [name, kind === 'moment' ? undefined : kinds[kind]] as const);
  const ofCms = made.filter(([name]) => !Object.hasOwn(shorthands, name) && !name.includes('.'));
  return Object.fromEntries(ofCms) as { [Name in CmsAttribute<R>]: Kinds[KindOf<R, Name> & CmsKind] };
}

/** The attributes that the CMS sets itself. */
export const readOnlyAttributes: Record<Resource, readonly string[]> = {
  events: [
    'id',
    'time.isAllDay',
    'time.isStartEnd',
    'time.isStartOnly',
    'time.isTba',
    'time.isNoTime',
    'isPastEvent',
    'isToday',
    'url',
    'icalUrl',
    'editUrl',
  ],
  accounts: ['id', 'links'],
};

/** Returns the kind of an attribute: custom ones take any JSON, the password of an account is text. */
export function kindOf(resource: Resource, attribute: string): AttributeKind {
  if (resource === 'accounts' && attribute === 'password') return 'string';
  const standard = standardAttributes[resource];
  return Object.hasOwn(standard, attribute) ? (standard[attribute] ?? 'json') : 'json';
}

/** Whether an attribute has no value. CMSes show flags that are not set as false. */
export function isUnfilled(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.values(value).every(isUnfilled);
}

/** An event of whole days begins and ends with them: a CMS may show it without times. */
export function isBoundOfDay(path: string, value: Json): boolean {
  return (path === 'time.start' && value === '00:00:00') || (path === 'time.end' && value === '23:59:59');
}
