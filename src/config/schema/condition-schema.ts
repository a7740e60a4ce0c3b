import { z } from 'zod';
import { compiled, plainValue, text, words } from './scalars.ts';

/** A checked condition. Every key that it has must hold. */
export interface CheckedCondition {
  field?: string | undefined;
  is?: string[] | undefined;
  not?: string[] | CheckedCondition | undefined;
  equals?: string | number | boolean | undefined;
  matches?: string | undefined;
  bit?: number | undefined;
  present?: boolean | undefined;
  all?: CheckedCondition[] | undefined;
  any?: CheckedCondition[] | undefined;
}

const nested = z.lazy((): z.ZodType<CheckedCondition, { [Key in keyof CheckedCondition]?: unknown }> => condition);

/** A condition on a record, as in `when`. */
export const condition = z
  .strictObject({
    field: text.optional().describe('path into the record'),
    is: words.optional().describe('its value is one of these texts, ignoring case; of a list, any item is'),
    not: z
      .union([nested, words])
      .optional()
      .describe('its value is none of these texts; or a condition, which must not hold'),
    equals: plainValue.optional().describe('its value is exactly this, also in case and blanks'),
    matches: compiled('regular expression', (source) => new RegExp(source, 'iu'))
      .optional()
      .describe('a part of its value matches this regular expression of JavaScript, ignoring case: `^room \\d+$`'),
    bit: z
      .int()
      .positive()
      .optional()
      .describe(
        'its value is a number in which this flag is set: `2` of `userAccountControl` marks a disabled account',
      ),
    present: z.boolean().optional().describe('whether it has a value'),
    all: z.array(nested).min(1).optional().describe('conditions that must all hold'),
    any: z.array(nested).min(1).optional().describe('conditions of which at least one must hold'),
  })
  .superRefine((value, context) => {
    const { field, all, any, not, ...rest } = value;
    const hasTest = Array.isArray(not) || Object.values(rest).some((test) => test !== undefined);
    if (hasTest && field === undefined) context.addIssue('needs the field that it is about');
    if (field !== undefined && !hasTest)
      context.addIssue(`needs a test of ${field}: is, not, equals, matches, bit or present`);
    if (Object.keys(value).length === 0) context.addIssue('needs a field with a test, all, any or not');
  })
  .meta({ id: 'condition' });
