import { z } from 'zod';

const oneCharacter = z.string().length(1);
const line = z.int().positive();
const columnNames = z.array(z.string().min(1)).min(1);

/** The options of the CSV connector: keys of `source`. docs/configuration.md describes them. */
export const csvOptions = z.strictObject({
  /** Default: detected, one of , ; tab |, with or without a blank after it. */
  delimiter: z.string().min(1).max(2).optional(),
  /** Default: detected, " or '. `none`: quotes are ordinary characters. */
  quote: z.union([oneCharacter, z.literal('none')]).optional(),
  /**
   * A list: the names of the columns, if no row has them. A number: the line of the header row. Both: names that replace those
   * of a header row. Default, or true: the first row that has all the columns the sync maps.
   */
  header: z.union([z.literal(true), line, columnNames, z.strictObject({ line, names: columnNames })]).default(true),
  /** A row with fewer fields than the header may lack a delimiter anywhere, or only its last fields, which are then empty. */
  shortRows: z.enum(['reject', 'fill']).default('reject'),
  /** Lines that start with this character are skipped. */
  comment: oneCharacter.optional(),
  /** Longest record, in characters of decoded text. Longer records are rejected. */
  maxRecordBytes: z.int().positive().default(5_000_000),
});

export type CsvOptions = z.infer<typeof csvOptions>;
