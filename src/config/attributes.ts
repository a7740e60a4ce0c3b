import type { Resource } from '../core/record.ts';

interface AttributeNames {
  /** What a map may set, parts of an attribute dotted; `start`, `end` and `allDay` are shorthands of feedferry. */
  writable: readonly string[];
  /** What the CMS makes itself. */
  readOnly: readonly string[];
}

/** The standard attribute layout keys of each resource (API: "Resources and their fields"). */
export const attributesOf: Record<Resource, AttributeNames> = {
  events: {
    writable: [
      'title',
      'isFeatured',
      'description',
      'date',
      'endDate',
      'isMultiDay',
      'spansMultipleDays',
      'showOnAllDates',
      'time.start',
      'time.end',
      'time.type',
      'repeats',
      'start',
      'end',
      'allDay',
    ],
    readOnly: [
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
  },
  accounts: {
    writable: [
      'email',
      'username',
      'firstName',
      'middleName',
      'lastName',
      'displayName',
      'company',
      'title',
      'department',
      'website',
      'phoneHome',
      'phoneOffice',
      'phoneMobile',
      'phoneTollFree',
      'phoneOther',
      'pager',
      'fax',
      'gender',
    ],
    readOnly: ['id', 'links'],
  },
};
