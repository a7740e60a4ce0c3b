import { z } from 'zod';
import { parsePath, type Step } from './path.ts';

/** A path in a sync file. */
export const pathSchema = z
  .string()
  .min(1)
  .superRefine((path, context) => {
    const parsed = parsePath(path);
    if ('steps' in parsed) return;
    const known = "names, ['quoted names'], indexes, [*], .* and ..";
    context.addIssue(
      `has "${parsed.unknown}", which cannot be followed while the document streams by; it may have ${known}`,
    );
  });

/** The steps of a path that the schema has checked. */
export function stepsOf(path: string): readonly Step[] {
  const parsed = parsePath(path);
  if ('steps' in parsed) return parsed.steps;
  throw new Error(`the path "${path}" was not checked`);
}
