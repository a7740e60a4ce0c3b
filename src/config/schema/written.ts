import { z } from 'zod';

/** A registry follows a schema when zod copies it for a description. Its values are schemas, too large to be typed here. */
const writtenForms = z.registry<{ written: unknown }>();

/** For schemas that first rewrite what they are given: the schema of what people write. */
export function writtenForm(schema: z.core.$ZodType): z.ZodType | undefined {
  return writtenForms.get(schema)?.written as z.ZodType | undefined;
}

/**
 * A schema whose input is rewritten before it is checked, such as a shorthand. JSON Schema and the reference of the keys
 * show `written`: the input.
 */
export function rewritten<Schema extends z.ZodType>(
  rewrite: (value: unknown, context: z.RefinementCtx) => unknown,
  schema: Schema,
  written: z.ZodType,
) {
  const whole = z.preprocess(rewrite, schema);
  writtenForms.add(whole, { written });
  return whole;
}

/** A list that may be written as its only item. */
export function oneOrMore<Item extends z.ZodType>(item: Item) {
  return rewritten(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).min(1),
    z.union([item, z.array(item).min(1)]),
  );
}
