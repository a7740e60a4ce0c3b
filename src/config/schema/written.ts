import { z } from 'zod';

/** Schemas of what users write. If `describe` copies a schema, zod also copies its entry. The values are too large to type. */
const writtenForms = z.registry<{ written: unknown }>();

/** Returns the schema of the text that users write, for a schema that first rewrites its input. */
export function writtenForm(schema: z.core.$ZodType): z.ZodType | undefined {
  return writtenForms.get(schema)?.written as z.ZodType | undefined;
}

/**
 * Creates a schema that rewrites its input, such as a shorthand, before checking it. JSON Schema and the reference of
 * the keys show `written`, the schema of the input.
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

/** A list; users may write a single item without the list. */
export function oneOrMore<Item extends z.ZodType>(item: Item) {
  return rewritten(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).min(1),
    z.union([item, z.array(item).min(1)]),
  );
}
