import { z } from 'zod';
import { pathSchema } from './path.ts';

const common = {
  /** Maximum number of pages. If the feed has more, the read is incomplete. */
  max: z.int().positive().default(1000),
};

const sent = {
  /** The name of the query parameter, or the dotted path in the JSON body of the request: `variables.after`. */
  parameter: z.string().min(1),
  /** Where the parameter is sent. */
  in: z.enum(['query', 'body']).default('query'),
  ...common,
};

const counted = {
  /** Number of items on a full page: a page with fewer is the last. Default: the last page is empty. */
  size: z.int().positive().optional(),
  ...sent,
};

/** How a feed is divided into pages. */
const pagesSchema = z.discriminatedUnion('by', [
  /** By the URL of the next page: at `path` in the document, otherwise in the Link header (RFC 8288). */
  z.strictObject({ by: z.literal('link'), path: pathSchema.optional(), ...common }),
  /** By a token at `path` in the document, or in a response header, which is sent as a parameter. */
  z
    .strictObject({
      by: z.literal('cursor'),
      path: pathSchema.optional(),
      header: z.string().min(1).optional(),
      ...sent,
    })
    .refine(({ path, header }) => (path === undefined) !== (header === undefined), {
      message: 'needs either path or header: where the token is',
      path: ['path'],
    }),
  /** By the number of the page. The first page is read from `source.url` unchanged. */
  z.strictObject({ by: z.literal('number'), first: z.int().nonnegative().default(1), ...counted }),
  /** By the number of items before the page. */
  z.strictObject({ by: z.literal('offset'), ...counted }),
]);

export type PageOptions = z.infer<typeof pagesSchema>;

export const jsonOptions = z
  .strictObject({
    /**
     * Where the records are: `$`, `people`, `data.items`, `$.groups[*].people[*]`, `$['odd name']`, `$..events[*]`.
     * Default: the document itself if it is a list, otherwise the only list among its members, or at any depth.
     */
    items: pathSchema.optional(),
    /** Newline-delimited JSON: one record a line. */
    lines: z.boolean().default(false),
    /** Default: the feed has one page. */
    pages: pagesSchema.optional(),
  })
  .refine(({ items, lines, pages }) => !lines || (items === undefined && pages === undefined), {
    message: 'cannot be combined with items or pages: every line is a record',
    path: ['lines'],
  });
