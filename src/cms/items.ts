import { z } from 'zod';
import { byKind, type CmsKind } from '../core/attributes.ts';

// Items contain everything that the CMS sent, including attributes that its API does not name. Only the id must be valid: a
// create that succeeded must not become an error because another value has an unexpected type. Such a value is left out.

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined);

const digits = z.string().regex(/^-?\d+$/);
const integer = z.int().or(digits.transform(Number).pipe(z.int()));
const text = lenient(z.string().or(z.number().transform(String)));
const truth = z.literal([true, 1, 'true', '1']).transform(() => true);
const flag = lenient(truth.or(z.literal([false, 0, 'false', '0', '']).transform(() => false)));
const count = lenient(integer);

/** How the values of each kind are read. */
const shown = { string: text, html: text, boolean: flag, date: text, time: text, json: z.unknown() } satisfies Record<
  CmsKind,
  z.ZodType
>;

/** An item: its id, and attributes by layout key. */
export interface CmsItem {
  id: number;
  [attribute: string]: unknown;
}

/** An event as the CMS sends it (API: "Event"). Dates are YYYY-MM-DD, times HH:MM:SS, both wall time of the site. */
export const eventSchema = z.looseObject({
  id: integer,
  ...byKind('events', shown),
  time: lenient(
    z.looseObject({
      start: text,
      end: text,
      type: text,
      isAllDay: flag,
      isStartEnd: flag,
      isStartOnly: flag,
      isTba: flag,
      isNoTime: flag,
    }),
  ),
  isPastEvent: flag,
  isToday: flag,
  url: text,
  icalUrl: text,
  editUrl: text,
});
export type CmsEvent = z.infer<typeof eventSchema>;

/** An account as the CMS sends it (API: "Account"). The password is never among its attributes. */
export const accountSchema = z.looseObject({
  id: integer,
  ...byKind('accounts', shown),
  links: lenient(z.array(z.looseObject({ rel: text, url: text }))),
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
  links: lenient(z.object({ next: text, previous: text })),
});

/** How a list is divided into pages (API: "List envelope"). */
export type Pagination = z.infer<typeof paginationSchema>;

/** One page of a list (API: "List envelope"). The CMS may leave out all but the items. */
export interface Page<Item> {
  data: Item[];
  pagination?: Pagination | null;
  totalItems?: number | null;
}

/** Returns the schema of a page of items. */
export function pageSchema<Item>(item: z.ZodType<Item>): z.ZodType<Page<Item>> {
  return z.object({
    data: z.custom<unknown[]>(Array.isArray, 'must be a list').transform((rows, context) => {
      const items: Item[] = [];
      // The first row that is not an item is enough: a report of millions would block the process.
      for (const [index, row] of rows.entries()) {
        const parsed = item.safeParse(row);
        if (!parsed.success) {
          for (const { path, message } of parsed.error.issues)
            context.addIssue({ code: 'custom', path: [index, ...path], message });
          return z.NEVER;
        }
        items.push(parsed.data);
      }
      return items;
    }),
    pagination: lenient(paginationSchema),
    totalItems: count,
  });
}
