import { z } from 'zod';
import { compiled, text, words } from './scalars.ts';
import { oneOrMore } from './written.ts';

const count = z.int().positive();
const yes = z.literal(true, { error: 'must be true, or left out' });

/** The types of pictures by their usual names, which media types also have. */
const pictureTypes = ['jpeg', 'png', 'gif', 'webp', 'avif'] as const;

/** The tests of a picture. */
const pictureKeys = z
  .strictObject({
    alt: yes.optional(),
    minWidth: count.optional(),
    maxBytes: count.optional(),
    type: oneOrMore(z.enum(pictureTypes)).optional(),
  })
  .refine((tests) => Object.keys(tests).length > 0, 'needs a test: alt, minWidth, maxBytes or type');

/** The keys of one of the `rules` of a sync. */
export const syncRuleKeys = z.strictObject({
  required: yes.optional().describe('`true`: there is a value, or a file'),
  minLength: count.optional().describe('at least so many characters, without HTML'),
  maxLength: count.optional().describe('at most so many characters, without HTML'),
  matches: compiled('regular expression', (source) => new RegExp(source, 'iu'))
    .optional()
    .describe('a part of it matches this regular expression of JavaScript, ignoring case'),
  oneOf: words.optional().describe('it is one of these, ignoring case'),
  noneOf: words.optional().describe('it is none of these, ignoring case'),
  before: text
    .optional()
    .describe('it is not later than `today`, a day such as `2027-12-31`, or another attribute such as `end`'),
  after: text.optional().describe('it is not earlier than that'),
  https: yes.optional().describe('`true`: the address, or each link in the HTML, begins with `https://`'),
  image: pictureKeys
    .optional()
    .describe('of a picture: `{ alt: true, minWidth: 800, maxBytes: 2000000, type: [jpeg, png, gif, webp, avif] }`'),
  // biome-ignore lint/suspicious/noThenProperty: a key of the file, next to conditions that read as "if … then"
  then: z
    .enum(['warn', 'reject', 'hold'])
    .default('warn')
    .describe('`warn`, `reject` the record, or `hold` it until a person publishes it or the source corrects it'),
  message: text.optional().describe('what to do, as a sentence for the people who keep the feed'),
});

/** Attribute → the rules that its value must keep. */
export const syncRules = z.record(z.string(), oneOrMore(syncRuleKeys));

export type SyncRules = z.output<typeof syncRules>;
export type SyncRule = SyncRules[string][number];
