import type { Resource } from './record.ts';

/** What kind of value an attribute takes; `html` is text that the site shows as HTML, `json` what custom attributes take. */
export type AttributeKind = 'string' | 'html' | 'boolean' | 'date' | 'time' | 'moment' | 'json';

/**
 * The standard attributes that a map may set (API: "Resources and their fields"), parts of an attribute dotted.
 * start, end and allDay are feedferry's own shorthands for date, endDate and time.
 */
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
    start: 'moment',
    end: 'moment',
    allDay: 'boolean',
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

export const standardAttributes: Record<Resource, Readonly<Record<string, AttributeKind>>> = attributes;

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
