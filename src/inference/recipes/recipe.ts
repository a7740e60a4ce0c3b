import { z } from 'zod';

const text = z.string().min(1);
const pattern = text.transform((source) => new RegExp(source, 'im'));

/** One, or several of which the first counts that the feed has the fields of. */
const firstOf = <Item extends z.ZodType>(item: Item) => z.union([z.array(item).min(1), item.transform((one) => [one])]);

/** `needs` has the fields without which a template or expression is left out; it is no part of the sync file. */
const keysOfRule = z.looseObject({ needs: z.array(text).optional() });
const rule = z.union([text, keysOfRule]);

/** All of these together identify the system that wrote a feed. Patterns ignore case; `^` is the start of any line. */
const sign = z.strictObject({
  url: pattern.optional(),
  head: pattern.optional(),
  /** Paths that some record has; of a list, one of them. */
  fields: z.array(firstOf(text)).optional(),
});

const sync = z.strictObject({
  resource: z.enum(['events', 'accounts']),
  /** Keys of `source` besides connector and url. */
  source: z.record(z.string(), z.unknown()).default({}),
  /** Keys of `source` that only a feed from the network needs: query, pages. */
  request: z.record(z.string(), z.unknown()).default({}),
  deleted: firstOf(keysOfRule).optional(),
  /** Several fields together are a list in the list. */
  key: firstOf(z.union([text, z.array(text).min(2)])),
  map: z.record(z.string(), firstOf(rule)).default({}),
  attachments: z.record(z.string(), firstOf(text)).default({}),
  /** Custom attributes that the site may have. */
  suggested: z.record(z.string(), firstOf(rule)).default({}),
});

const feed = z.strictObject({
  connector: text,
  /** How addresses of such feeds look. */
  address: text,
  /** One of these is enough. */
  recognise: z.array(sign).min(1),
  sync,
  /** Whether all times say their zone, so that no question about it is open. */
  zoned: z.boolean().default(false),
  /** Why a key has its value: `key`, `map.start`, `source.pages`. */
  notes: z.record(z.string(), text).default({}),
  /** What to know about the sync; with a `field`, only if a record has a value there that is neither false nor 0. */
  warnings: z.array(z.strictObject({ field: text.optional(), text })).default([]),
});

const recipe = z.strictObject({ title: text, feeds: z.array(feed).min(1) });

/** What is known about the feeds of a system: how to recognise and how to sync them. */
export type Recipe = z.output<typeof recipe> & { name: string };

/** A kind of feed that a system offers. */
export type RecipeFeed = z.output<typeof feed>;

/** A key of a recipe before it meets a feed: a field, or the keys of a rule. */
export type RecipeRule = z.output<typeof rule>;

/** Checks the content of the file of a recipe. @throws ZodError */
export function parseRecipe(name: string, content: unknown): Recipe {
  return { name, ...recipe.parse(content) };
}
