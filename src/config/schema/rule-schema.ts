import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { compileDateFormat } from '../../core/dates/date-format.ts';
import { messageOf } from '../../core/errors.ts';
import { createLiquid } from '../../core/liquid.ts';
import { readingMistake } from '../files/config-file.ts';
import { compiled, language, plainValue, text, timezone, words } from './scalars.ts';
import { oneOrMore, rewritten } from './written.ts';

/** HTML elements that run code, embed other content or change the page around them. */
const unsafeTags = new Set(
  'script style iframe frame object embed applet base meta link svg math form template noscript'.split(' '),
);
const unsafeAttribute = /^(on.*|style|srcdoc|formaction)$/i;

const allowList = z.strictObject({
  tags: z
    .array(text.refine((tag) => !unsafeTags.has(tag.toLowerCase()), 'is an element that is never allowed'))
    .min(1)
    .describe('elements that stay'),
  attributes: z
    .record(
      z.string(),
      z.array(text.refine((name) => !unsafeAttribute.test(name), 'is an attribute that is never allowed')),
    )
    .default({})
    .describe('element → its attributes that stay'),
});

let liquid: ReturnType<typeof createLiquid> | undefined;
const template = compiled('Liquid template', (value) => {
  liquid ??= createLiquid();
  liquid.parse(value);
});
const dateFormat = compiled('date format', (format) => compileDateFormat(format, 'en', ANY_YEAR));
/** For the check of a format alone; the check of the rule needs its `year`. */
const ANY_YEAR = '2000';
const firstMonth = z.string().regex(/^\d{4}(-(0[1-9]|1[0-2]))?$/, 'must be a year or a month, such as 2027 or 2026-09');

/** The keys of a rule, in the order in which they take effect. @param folder base of relative paths */
export const ruleKeys = (folder: string) =>
  z.strictObject(
    {
      field: text
        .optional()
        .describe(
          'path into the record: `name.first`, `categories[0]`, `["a name. with dots"].first`; a field with exactly this name comes first; `[0]` of a single value is that value',
        ),
      template: template
        .optional()
        .describe(
          "a [Liquid](https://liquidjs.com) template over the record's fields; `date` writes times in the site's zone, `add_days: -1` gives the day before, `decimals: 2` writes 18 as 18.00",
        ),
      value: z.union([plainValue, z.null()]).optional().describe('a constant'),
      generate: z
        .literal(true)
        .optional()
        .describe('`password` of accounts only: a random password for each new account'),
      trim: z.boolean().optional().describe('`true` removes blanks at both ends'),
      empty: words.optional().describe('words that stand for no value, in any case: `[TBA, n/a]`'),
      split: text
        .optional()
        .describe('separator that splits a text into a list; items are trimmed, empty ones left out'),
      lookup: lookupOrSheet(folder)
        .optional()
        .describe(
          'a table `{ code: value }`, or a CSV file, spreadsheet or address of one with a header, whose first two columns are code and value ([sheets](#lookup-tables-as-sheets)); other codes are rejected unless there is a `default`',
        ),
      range: z
        .enum(['first', 'last'])
        .optional()
        .describe(
          'of a text with two dates or times, such as `7 – 9 pm`, the `first` or the `last`; a text with only one is taken as it is',
        ),
      true: words.optional().describe('words that mean true, besides the usual ones: `[oui, vrai]`'),
      false: words.optional().describe('words that mean false, besides the usual ones: `[non, faux]`'),
      format: oneOrMore(dateFormat)
        .optional()
        .describe('how dates or times are written: `dd/MM/yyyy HH:mm`, or a list of such formats'),
      zone: timezone.optional().describe("zone of dates in that format; by default the source's"),
      language: language
        .optional()
        .describe('language of the names of months and weekdays, and of `a`, in that format; by default English'),
      year: rewritten(asText, firstMonth, z.union([z.number(), z.string()]))
        .optional()
        .describe(
          'of dates in a format without a year: `2027`, or the first of the twelve months that they are in, such as `2026-09`',
        ),
      case: z.enum(['lower', 'upper', 'title']).optional().describe('`lower`, `upper` or `title`'),
      join: z.string().optional().describe('separator that joins a list into a text'),
      default: plainValue.optional().describe('used if the value is absent or empty'),
      html: z
        .union([z.enum(['auto', 'sanitize', 'text', 'keep']), allowList])
        .optional()
        .describe(
          'what happens to [HTML](#html): `auto` (the default for `description` of events), `sanitize`, `text` (the default for other standard attributes), `keep` (the default for custom attributes), or your own allow-list: `{ tags: [p, a], attributes: { a: [href] } }`',
        ),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? constantHint(issue.input) : undefined) },
  );

type Rule = z.output<ReturnType<typeof ruleKeys>>;

/** The rule of one attribute. @param folder base of relative paths */
export const fieldRule = (folder: string) => {
  const keys = ruleKeys(folder);
  const rule = keys.superRefine((value, context) => {
    const mistake = combinationMistake(value);
    if (mistake) context.addIssue(mistake);
  });
  return rewritten((value) => (typeof value === 'string' ? { field: value } : value), rule, z.union([text, keys]));
};

const origins = ['field', 'template', 'value', 'generate'] as const;

/** Returns why the keys of a rule do not go together. */
function combinationMistake(rule: Rule): string | undefined {
  const [origin, ...others] = origins.filter((key) => rule[key] !== undefined);
  if (origin === undefined || others.length > 0) return 'needs exactly one of field, template and value';
  if (rule.field && /\{\{.*\}\}/.test(rule.field)) return `is a template; write { template: "${rule.field}" }`;
  const steps = Object.keys(rule).filter((key) => rule[key as keyof Rule] !== undefined && key !== origin);
  if ((origin === 'value' || origin === 'generate') && steps.length > 0) {
    return `is ${origin === 'value' ? 'a constant' : 'generated'}, so ${steps.join(', ')} cannot change it`;
  }
  const needsFormat = (['zone', 'language', 'year'] as const).find((key) => rule[key] !== undefined);
  if (needsFormat && !rule.format) return `has a ${needsFormat}, which is only allowed with format`;
  for (const format of rule.format ?? []) {
    const mistake = mistakeInFormat(format, rule);
    if (mistake) return mistake;
  }
  if (rule.format && (rule.true || rule.false))
    return 'has both a date format and words for true or false; use one of them';
  return undefined;
}

function mistakeInFormat(format: string, { language, year }: Rule): string | undefined {
  try {
    compileDateFormat(format, language, year);
    return undefined;
  } catch (error) {
    return `has the format ${format}: ${messageOf(error)}`;
  }
}

function asText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

/** A table of codes and values, or the CSV file that has it. */
export const lookupTable = (folder: string) =>
  rewritten(lookupFrom(folder), z.record(z.string(), plainValue), z.union([text, z.record(z.string(), plainValue)]));

/** A lookup table, or the location of a sheet, which each run reads. */
const lookupOrSheet = (folder: string) =>
  rewritten(
    (value, context) => {
      if (typeof value !== 'string' || !/^https?:\/\/|\.(?:xlsx|ods)$/i.test(value))
        return lookupFrom(folder)(value, context);
      return /^https?:/i.test(value) ? value : resolve(folder, value);
    },
    z.union([text, z.record(z.string(), plainValue)]),
    z.union([text, z.record(z.string(), plainValue)]),
  );

function lookupFrom(folder: string) {
  return (path: unknown, context: z.RefinementCtx): unknown => {
    if (typeof path !== 'string') return path;
    try {
      return readLookupFile(resolve(folder, path));
    } catch (error) {
      context.addIssue(`must be a table or a CSV file (${messageOf(error)})`);
      return z.NEVER;
    }
  };
}

function constantHint(input: unknown): string {
  return input === null || typeof input === 'object'
    ? 'must be the name of a field, or a mapping with field, template or value'
    : `must be the name of a field; for a constant write { value: ${String(input)} }`;
}

/**
 * Reads a lookup table: a CSV file (RFC 4180, UTF-8) with a header row, whose first two columns are key and value.
 * @throws Error with a readable message when the file cannot be read, has rows of one column, or repeats a key
 */
function readLookupFile(file: string): Record<string, string> {
  const [, ...rows] = parse(readText(file), {
    bom: true,
    info: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  }) as unknown as Array<{ record: string[]; info: { lines: number } }>;

  const table = new Map<string, string>();
  for (const { record, info } of rows) {
    const [key = '', value] = record;
    if (value === undefined) throw new Error(`${file}, line ${info.lines}: needs two columns, key and value`);
    if (table.has(key)) throw new Error(`${file}, line ${info.lines}: the key "${key}" appears twice`);
    table.set(key, value);
  }
  return Object.fromEntries(table);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: ${readingMistake(error)}`);
  }
}
