import { z } from 'zod';
import { defineConnector } from '../../src/core/connector.ts';
import { pathSchema, stepsOf } from './path.ts';
import { readDocument } from './read-document.ts';
import { readLines } from './read-lines.ts';
import { pagesSchema, readPages } from './read-pages.ts';

const options = z
  .strictObject({
    /**
     * Where the records are: `$`, `people`, `data.items`, `$.groups[*].people[*]`, `$['odd name']`, `$..events[*]`.
     * Default: the document itself if it is a list, otherwise the only list among its members, or at any depth.
     */
    items: pathSchema.optional(),
    /** Newline-delimited JSON: one record a line. */
    lines: z.boolean().default(false),
    /** Default: there is one page. */
    pages: pagesSchema.optional(),
  })
  .refine(({ items, lines, pages }) => !lines || (items === undefined && pages === undefined), {
    message: 'cannot be combined with items or pages: every line is a record',
    path: ['lines'],
  });

/** Reads JSON (RFC 8259), streaming: the items of one list, on one page or several, or one object a line. */
export const json = defineConnector({
  kind: 'json',
  options,
  read(feed, { items, lines, pages }, context) {
    if (lines) return readLines(feed, context);
    const shape = items === undefined ? {} : { items: stepsOf(items) };
    return pages === undefined ? readDocument(feed, shape, context) : readPages(feed, shape, pages, context);
  },
});
