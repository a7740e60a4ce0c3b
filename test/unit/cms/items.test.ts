import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { accountSchema, eventSchema, pageSchema, uploadSchema } from '../../../src/cms/items.ts';

// Every attribute that the API names, in its type, and what it becomes in another type.
const eventTexts = ['title', 'description', 'date', 'endDate', 'url', 'icalUrl', 'editUrl'];
const eventFlags = [
  'isFeatured',
  'isMultiDay',
  'spansMultipleDays',
  'showOnAllDates',
  'isPastEvent',
  'isToday',
  'repeats',
];
const timeTexts = ['start', 'end', 'type'];
const timeFlags = ['isAllDay', 'isStartEnd', 'isStartOnly', 'isTba', 'isNoTime'];
const accountTexts = [
  ...['email', 'username', 'firstName', 'middleName', 'lastName', 'displayName', 'company', 'title', 'department'],
  ...['website', 'phoneHome', 'phoneOffice', 'phoneMobile', 'phoneTollFree', 'phoneOther', 'pager', 'fax', 'gender'],
];
const uploadTexts = ['fileName', 'fileExtension', 'type', 'typeName', 'alt', 'height', 'width'];
const counts = ['currentPage', 'perPage', 'count', 'totalPages', 'total'];

type Values = Record<string, unknown>;
const parse = (schema: z.ZodType, value: unknown) => schema.parse(value) as Values;
const event = (attributes: Values) => parse(eventSchema, { id: 1, ...attributes });
const inTime = (attributes: Values) => event({ time: attributes }).time as Values;
const account = (attributes: Values) => parse(accountSchema, { id: 1, ...attributes });
const upload = (attributes: Values) => parse(uploadSchema, { src: '/x', ...attributes });
const pagination = (attributes: Values) =>
  parse(pageSchema(eventSchema), { data: [], pagination: attributes }).pagination as Values;

function each(names: string[], read: (attributes: Values) => Values) {
  return names.map((name) => [name, (value: unknown) => read({ [name]: value })[name]] as const);
}

describe('Text', () => {
  test.each([
    ...each(eventTexts, event),
    ...each(timeTexts, inTime),
    ...each(accountTexts, account),
    ...each(uploadTexts, upload),
  ])('The attribute %s is text, or omitted if it is ill-typed', (_name, read) => {
    expect([read('x'), read(''), read(7), read(null), read([]), read(undefined)]).toEqual([
      'x',
      '',
      '7',
      null,
      undefined,
      undefined,
    ]);
  });
});

describe('Truth values', () => {
  test.each([...each(eventFlags, event), ...each(timeFlags, inTime)])(
    'The attribute %s is true or false, or omitted if it is ill-typed',
    (_name, read) => {
      expect([true, 'true', 1, '1'].map(read)).toEqual([true, true, true, true]);
      expect([false, 'false', 0, '0', ''].map(read)).toEqual([false, false, false, false, false]);
      expect([null, 'perhaps', 7, {}].map(read)).toEqual([null, undefined, undefined, undefined]);
    },
  );
});

describe('Counts', () => {
  test.each(each(counts, pagination))(
    'The count %s is a whole number, or omitted if it is ill-typed',
    (_name, read) => {
      expect([3, '3', null, 'many', 1.5].map(read)).toEqual([3, 3, null, undefined, undefined]);
    },
  );

  test('The count totalItems is a whole number, or omitted if it is ill-typed', () => {
    const totals = [45, '45', 'many'].map(
      (totalItems) => parse(pageSchema(eventSchema), { data: [], totalItems }).totalItems,
    );
    expect(totals).toEqual([45, 45, undefined]);
  });
});

test('Ids are whole numbers, also as text, and every item has one', () => {
  for (const schema of [eventSchema, accountSchema]) {
    expect([12, '12'].map((id) => parse(schema, { id }).id)).toEqual([12, 12]);
    for (const id of [undefined, null, 1.5, 'x', '']) expect(schema.safeParse({ id }).success).toBe(false);
  }
  expect(uploadSchema.safeParse({ fileName: 'x' }).success).toBe(false);
});

test('Links of pages and accounts are kept, and ill-typed ones are omitted', () => {
  const links = { next: '?page=3&limit=20', previous: '?page=1&limit=20' };
  expect(pagination({ links }).links).toEqual(links);
  expect(pagination({ links: 'none' }).links).toBeUndefined();
  expect(account({ links: [{ rel: 'self', url: '/x' }] }).links).toEqual([{ rel: 'self', url: '/x' }]);
  expect(account({ links: 'none' }).links).toBeUndefined();
});

test('Custom attributes are as the CMS sent them', () => {
  const custom = { source_key: 'a:1', image: { src: '/x' }, tags: [1, { deep: null }] };
  expect(event(custom)).toMatchObject(custom);
  expect(account(custom)).toMatchObject(custom);
});
