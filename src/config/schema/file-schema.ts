import { accessSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { readingMistake } from '../files/config-file.ts';
import { fieldRule, lookupTable } from './rule-schema.ts';
import { text } from './scalars.ts';
import { rewritten } from './written.ts';

/** The picture of records that have none: one for all, or one for each value of a field. */
const defaultPicture = (folder: string) => {
  const keys = z.strictObject({
    field: text.optional().describe('path into the record; of a list, the first item in the table decides'),
    lookup: lookupTable(folder).optional().describe('`{ value: picture }`, or a CSV file of these'),
    default: text.optional().describe('the picture for other values'),
  });
  const picture = keys.transform(({ field, lookup = {}, ...rest }, context) => {
    if ((field === undefined) !== (Object.keys(lookup).length === 0)) context.addIssue('needs both field and lookup');
    const located = Object.entries(lookup).map(([value, own]) => [value, locate(String(own), ['lookup', value])]);
    return {
      ...{ field, lookup: Object.fromEntries(located) as Record<string, string> },
      ...(rest.default !== undefined && { default: locate(rest.default, field === undefined ? [] : ['default']) }),
    };

    function locate(written: string, path: string[]): string {
      if (/^https?:/i.test(written)) return written;
      const file = resolve(folder, written);
      try {
        accessSync(file);
      } catch (error) {
        const message = `is not a file that can be read (${file}: ${readingMistake(error)})`;
        context.addIssue({ code: 'custom', path, message, input: written });
      }
      return file;
    }
  });
  return rewritten((value) => (typeof value === 'string' ? { default: value } : value), picture, z.union([text, keys]));
};

/** The file of one attribute. @param folder base of relative paths */
export const fileRule = (folder: string) => {
  const keys = z.strictObject(
    {
      field: text.optional().describe('path into the record: a URL, a path or inline data'),
      default: defaultPicture(folder).optional().describe('the picture of records without one'),
      alt: fieldRule(folder).optional().describe('alternative text: a field, or the keys of a rule'),
    },
    {
      error: ({ code }) =>
        code === 'invalid_type' ? 'must be the name of a field, or a mapping with field, default or alt' : undefined,
    },
  );
  const rule = keys.refine(
    (file) => file.field !== undefined || file.default !== undefined,
    'needs a field, a default, or both',
  );
  return rewritten((value) => (typeof value === 'string' ? { field: value } : value), rule, z.union([text, keys]));
};
