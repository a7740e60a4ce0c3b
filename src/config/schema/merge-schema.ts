import { z } from 'zod';
import { text } from './scalars.ts';
import { oneOrMore } from './written.ts';

/** The keys of `merge`. */
export const mergeKeys = z.strictObject({
  match: z.array(text).min(1).optional().meta({
    description: 'attributes that are equal if two records are the same event: `[title, date, time.start, place]`',
    absent: 'title, day, start and place',
  }),
  fill: z.record(z.string(), oneOrMore(text)).default({}).meta({
    description:
      'attribute → sources that it is taken from, best first: `{ description: [music] }`; all other attributes are those of the best source that has the event',
    absent: 'none',
  }),
});
