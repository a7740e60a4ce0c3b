import { z } from 'zod';

const text = z.string().min(1);
const pattern = text.transform((source) => new RegExp(source, 'im'));

/** One item or a list of alternatives; the first alternative whose fields the feed has is used. */
const firstOf = <Item extends z.ZodType>(item: Item) => z.union([z.array(item).min(1), item.transform((one) => [one])]);

/** `needs`: fields that a template needs, else it is left out. `needs` is not written to the sync file. */
const keysOfRule = z.looseObject({ needs: z.array(text).optional() });
const rule = z.union([text, keysOfRule]);

/** Signs that together identify the system that wrote a feed. Patterns ignore case; `^` is the start of any line. */
const sign = z.strictObject({
  url: pattern.optional(),
  head: pattern.optional(),
  /** Paths that at least one record has. Of a list of paths, one is enough. */
  fields: z.array(firstOf(text)).optional(),
});

const sync = z.strictObject({
  resource: z.enum(['events', 'accounts']),
  /** Keys of `source` besides connector and url. */
  source: z.record(z.string(), z.unknown()).default({}),
  /** Keys of `source` that only a feed from the network needs: query, pages. */
  request: z.record(z.string(), z.unknown()).default({}),
  deleted: firstOf(keysOfRule).optional(),
  /** Alternative keys. Inner arrays are fields that are used together. */
  key: firstOf(z.union([text, z.array(text).min(2)])),
  map: z.record(z.string(), firstOf(rule)).default({}),
  attachments: z.record(z.string(), firstOf(text)).default({}),
  /** Rules of custom attributes that the site may have. */
  suggested: z.record(z.string(), firstOf(rule)).default({}),
});

const feed = z.strictObject({
  connector: text,
  /** Form of the addresses of such feeds. */
  address: text,
  /** Sets of signs. A feed with one of the sets is recognised. */
  recognise: z.array(sign).min(1),
  sync,
  /** Whether all times include their zone, so that `timezone` is not needed. */
  zoned: z.boolean().default(false),
  /** Key, such as `key`, `map.start` or `source.pages` → the reason for its value. */
  notes: z.record(z.string(), text).default({}),
  /** Warnings about the sync. A warning with a `field` needs a record with a value there that is neither false nor 0. */
  warnings: z.array(z.strictObject({ field: text.optional(), text })).default([]),
});

const pagePattern = text.transform((source) => new RegExp(source, 'gi'));

/** Signs of a web page of the system, and where the system then has feeds. Named groups of the patterns are for the templates. */
const page = z.strictObject({
  /** Pages and links that people paste, for the docs; with the first sign of a system. */
  such: text.optional(),
  /** Of the page, or of what it links, embeds or loads. */
  url: pagePattern.optional(),
  /** In the source of the page. */
  text: pagePattern.optional(),
  /** Templates of addresses on the host of the page, or on a domain that the template names. */
  feeds: z.array(text).default([]),
  /** Why there are none. */
  refused: text.optional(),
  /** What to ask the owner of the page for, if no feed answers. */
  ask: text.optional(),
});

const recipe = z.strictObject({
  title: text,
  page: z.array(page).default([]),
  /** Absent if only the pages of the system are known. */
  feeds: z.array(feed).default([]),
});

/** Knowledge about the feeds of a system: how to recognise the feeds and how to sync them. */
export type Recipe = z.output<typeof recipe> & { name: string };

/** A kind of feed that a system offers. */
export type RecipeFeed = z.output<typeof feed>;

/** How web pages of a system lead to its feeds. */
export type RecipePage = z.output<typeof page>;

/** A rule of a recipe before it is applied to a feed: a field, or the keys of a rule. */
export type RecipeRule = z.output<typeof rule>;

/** Checks the content of a recipe file. @throws ZodError */
export function parseRecipe(name: string, content: unknown): Recipe {
  return { name, ...recipe.parse(content) };
}
