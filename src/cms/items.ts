import { z } from 'zod';
import { type StandardAttributes, standardAttributes } from '../core/attributes.ts';

// Items contain all that the CMS sent, including attributes that its API does not name. Only the id must be valid: a create
// that succeeded must not become an error because another value has an unexpected type. Such a value is left out.

const integer = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number)
    .pipe(z.int()),
]);
const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(undefined);
const flag = z
  .union([z.boolean(), z.enum(['true', '1']).transform(() => true), z.enum(['false', '0', '']).transform(() => false)])
  .or(z.literal([0, 1]).transform(Boolean))
  .nullish()
  .catch(undefined);
const count = integer.nullish().catch(undefined);

/** An item: its id, and attributes by layout key. */
export interface CmsItem {
  id: number;
  [attribute: string]: unknown;
}

/** An event as the CMS sends it (API: "Event"). Dates are YYYY-MM-DD, times HH:MM:SS, both wall time of the site. */
export const eventSchema = z.looseObject({
  id: integer,
  title: text,
  isFeatured: flag,
  description: text,
  date: text,
  endDate: text,
  isMultiDay: flag,
  spansMultipleDays: flag,
  showOnAllDates: flag,
  time: z
    .looseObject({
      start: text,
      end: text,
      type: text,
      isAllDay: flag,
      isStartEnd: flag,
      isStartOnly: flag,
      isTba: flag,
      isNoTime: flag,
    })
    .nullish()
    .catch(undefined),
  isPastEvent: flag,
  isToday: flag,
  repeats: flag,
  url: text,
  icalUrl: text,
  editUrl: text,
});
export type CmsEvent = z.infer<typeof eventSchema>;

const accountTexts = Object.fromEntries(Object.keys(standardAttributes.accounts).map((name) => [name, text])) as Record<
  keyof StandardAttributes<'accounts'>,
  typeof text
>;

/** An account as the CMS sends it (API: "Account"). The password is never among its attributes. */
export const accountSchema = z.looseObject({
  id: integer,
  ...accountTexts,
  links: z
    .array(z.looseObject({ rel: text, url: text }))
    .nullish()
    .catch(undefined),
});
export type CmsAccount = z.infer<typeof accountSchema>;

/** A stored file (API: "Upload result"). The event attribute is set to `{ src }`. */
export const uploadSchema = z.looseObject({
  src: z.string().min(1),
  fileName: text,
  fileExtension: text,
  type: text,
  typeName: text,
  alt: text,
  height: text,
  width: text,
});
export type UploadResult = z.infer<typeof uploadSchema>;

const paginationSchema = z.object({
  currentPage: count,
  perPage: count,
  count,
  totalPages: count,
  total: count,
  links: z.object({ next: text, previous: text }).nullish().catch(undefined),
});

/** One page of a list (API: "List envelope"). The CMS may leave out all but the items. */
export interface Page<Item> {
  data: Item[];
  pagination?: z.infer<typeof paginationSchema> | null;
  totalItems?: number | null;
}

/** Returns the schema of a page of items. */
export function pageSchema<Item>(item: z.ZodType<Item>): z.ZodType<Page<Item>> {
  return z.object({
    data: z.array(item),
    pagination: paginationSchema.nullish().catch(undefined),
    totalItems: count,
  });
}
