import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in the attributes of events. */
export const eventMutants: Mutant[] = [
  ...inFile('src/sandbox/events.ts', [
    {
      name: 'time-type-lost',
      rule: 'time.type: string',
      before: "const timeParts = ['start', 'end', 'type'] as const;",
      after: "const timeParts = ['start', 'end'] as const;",
    },
    {
      name: 'time-end-lost',
      rule: 'time.end: string, HH:MM:SS',
      before: "const timeParts = ['start', 'end', 'type'] as const;",
      after: "const timeParts = ['start', 'type'] as const;",
    },
    {
      name: 'repeats-lost',
      rule: 'repeats: boolean',
      before: "new Set(['id', ...derived",
      after: "new Set(['id', 'repeats', ...derived",
    },
    {
      name: 'spans-multiple-days-lost',
      rule: 'spansMultipleDays: boolean',
      before: "new Set(['id', ...derived",
      after: "new Set(['id', 'spansMultipleDays', ...derived",
    },
    {
      name: 'show-on-all-dates-lost',
      rule: 'showOnAllDates: boolean',
      before: "new Set(['id', ...derived",
      after: "new Set(['id', 'showOnAllDates', ...derived",
    },
    {
      name: 'custom-attributes-lost',
      rule: 'Custom attributes are sent like the default ones',
      before: '.filter(([key]) => !readOnly.has(key))',
      after: '.filter(([key]) => !readOnly.has(key) && key in eventSchema.shape)',
    },
    {
      name: 'file-attribute-as-text',
      rule: 'A file attribute is set with an object holding src',
      before: 'if (time) data.time = onlyTimeParts(time);',
      after:
        'if (time) data.time = onlyTimeParts(time);\n      for (const key of Object.keys(data)) data[key] = asObject(data[key])?.src ?? data[key] ?? null;',
    },
    {
      name: 'patch-ignores-false',
      rule: 'PATCH updates only the submitted attributes',
      before: '{ ...noFlags, ...current, ...changes }',
      after:
        '{ ...noFlags, ...current, ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== false)) }',
    },
    {
      name: 'title-not-required',
      rule: 'On create, title, date, endDate and the time values are the minimum',
      before: "required: ['title', 'date', 'endDate', 'time'],",
      after: "required: ['date', 'endDate', 'time'],",
    },
    {
      name: 'end-date-not-required',
      rule: 'On create, title, date, endDate and the time values are the minimum',
      before: "required: ['title', 'date', 'endDate', 'time'],",
      after: "required: ['title', 'date', 'time'],",
    },
    {
      name: 'time-not-required',
      rule: 'On create, title, date, endDate and the time values are the minimum',
      before: "required: ['title', 'date', 'endDate', 'time'],",
      after: "required: ['title', 'date', 'endDate'],",
    },
    {
      name: 'description-required',
      rule: 'On create, title, date, endDate and the time values are the minimum',
      before: "required: ['title', 'date', 'endDate', 'time'],",
      after: "required: ['title', 'date', 'endDate', 'time', 'description'],",
    },
    {
      name: 'date-in-any-form',
      rule: 'date: string, YYYY-MM-DD',
      before: "value === '' || isIsoDate(value)",
      after: 'value !== undefined',
    },
    {
      name: 'time-without-seconds',
      rule: 'time.start: string, HH:MM:SS',
      before: '[0-5]\\d:[0-5]\\d)?$/',
      after: '[0-5]\\d(:[0-5]\\d)?)?$/',
    },
    {
      name: 'flag-as-text',
      rule: 'isFeatured: boolean',
      before: 'z.boolean().nullish()',
      after: 'z.union([z.boolean(), z.string()]).nullish()',
    },
    {
      name: 'time-flags-missing',
      rule: 'time.isAllDay appears in responses',
      before: '...asObject(data.time), ...isKind }',
      after: '...asObject(data.time) }',
    },
    {
      name: 'is-past-event-missing',
      rule: 'isPastEvent appears in responses',
      before: '        ...when,\n',
      after: '        isToday: when.isToday,\n',
    },
    {
      name: 'is-today-missing',
      rule: 'isToday appears in responses',
      before: '        ...when,\n',
      after: '        isPastEvent: when.isPastEvent,\n',
    },
    {
      name: 'url-missing',
      rule: 'url appears in responses',
      before: '        url: `/events/${id}`,\n',
      after: '',
    },
    {
      name: 'ical-url-absolute',
      rule: 'icalUrl: relative path',
      before: 'icalUrl: `/events',
      after: 'icalUrl: `http://localhost/events',
    },
    {
      name: 'edit-url-missing',
      rule: 'editUrl appears in responses',
      before: '        editUrl: `/admin/events/${id}`,\n',
      after: '',
    },
    {
      name: 'id-as-text',
      rule: 'id: integer',
      before: '        id,\n        ...blank,',
      after: '        id: String(id),\n        ...blank,',
    },
  ]),
  ...inFile('src/sandbox/event-time.ts', [
    {
      name: 'time-flag-named-otherwise',
      rule: 'time.isTba appears in responses',
      before: "'isStartOnly', 'isTba', 'isNoTime'] as const",
      after: "'isStartOnly', 'isTBA', 'isNoTime'] as const",
    },
  ]),
];
