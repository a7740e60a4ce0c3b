import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const time = z.string().regex(/^\d{2}:\d{2}$/);

/** What a visitor of the site must see of a record of the feed. Times are wall times of the site. */
const recordSchema = z.strictObject({
  index: z.int().min(0),
  title: z.string().optional(),
  date: day.optional(),
  endDate: day.optional(),
  start: time.optional(),
  end: time.optional(),
  allDay: z.boolean().optional(),
});

const labelSchema = z.strictObject({
  feed: z.string(),
  url: z.url(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  set: z.enum(['seen', 'unseen']),
  about: z.string(),
  connector: z.union([z.string(), z.array(z.string())]),
  resource: z.enum(['events', 'accounts']),
  source: z.record(z.string(), z.unknown()).optional(),
  /** Zone of the site. It matters for times with an offset. */
  timezone: z.string().default('UTC'),
  key: z.array(z.string()),
  keyless: z.string().optional(),
  attributes: z.record(z.string(), z.array(z.string())),
  optional: z.array(z.string()).default([]),
  order: z.enum(['decided', 'open', 'none']),
  records: z.array(recordSchema),
});

/** What is right for a feed, found by reading it. */
export type Label = z.infer<typeof labelSchema> & { name: string };
export type LabelledRecord = z.infer<typeof recordSchema>;

/** Returns the labels of a folder by name. */
export function readLabels(dir: string): Label[] {
  return readdirSync(dir)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => {
      const read = labelSchema.safeParse(parse(readFileSync(join(dir, file), 'utf8')));
      if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
      return { name: file.slice(0, -'.yaml'.length), ...read.data };
    });
}
