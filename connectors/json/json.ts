import { z } from 'zod';
import { defineConnector } from '../../src/core/connector.ts';
import { readDocument } from './document.ts';
import { readLines } from './lines.ts';
import { parsePath } from './path.ts';

const options = z.strictObject({
  /**
   * Where the list of records is: `$`, `people`, `data.items`, `$.groups[*].people[*]`, `$['odd name']`.
   * Default: the document itself where it is a list, else the only list among its members.
   */
  items: z
    .string()
    .refine((path) => parsePath(path) !== undefined, 'is not a path such as $.people[*] or data.items')
    .optional(),
  /** Newline-delimited JSON: one record a line. */
  lines: z.boolean().default(false),
});

/** Reads JSON (RFC 8259), streaming: the items of one list, or one object a line. */
export const json = defineConnector<z.infer<typeof options>>({
  kind: 'json',
  options,
  read: (feed, { items, lines }, context) =>
    lines ? readLines(feed, context) : readDocument(feed, items === undefined ? undefined : parsePath(items), context),
});
