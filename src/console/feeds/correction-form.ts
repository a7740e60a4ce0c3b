import { z } from 'zod';
import type { DraftChange } from '../../app/drafts/feed-drafts.ts';
import { readValue } from '../../inference/correct/correct.ts';

const path = z.string().max(500);

/** A form that changes a draft: a line, the answer to a question, or the name of a field. */
export const correctionForm = z.object({
  line: z.string().trim().min(1).max(200),
  how: z.enum([
    ...(['fields', 'text', 'format', 'setting', 'when', 'every', 'policy', 'none'] as const),
    ...(['answer', 'take-back', 'rename'] as const),
  ]),
  /** Paths of fields; empty ones are left out. */
  fields: z.union([path, z.array(path)]).optional(),
  value: z.string().max(1000).default(''),
  /** Of a condition: whether the field has one of the values, or none of them. */
  test: z.enum(['is', 'not']).default('is'),
});

/** Returns the change that a form asks for. All that a person types is a text or a plain value. */
export function draftChangeOf({ line, how, fields = [], value, test }: z.output<typeof correctionForm>): DraftChange {
  const paths = [fields].flat().filter((one) => one.trim() !== '');
  const text = value.trim();
  switch (how) {
    case 'fields':
      return { line, value: paths.length === 1 ? paths[0] : paths };
    case 'text':
      return { line, value: { value: text } };
    case 'format':
      return { line: `${line}.format`, value: text === '' ? null : text };
    case 'setting':
      return { line, value: plainValue(text) };
    case 'when':
      return { line, value: { field: paths[0] ?? '', [test]: text.split(',').map((value) => value.trim()) } };
    case 'every':
      return { line, value: { every: text } };
    case 'policy':
      return { line, value: { policy: text } };
    case 'none':
      return { line, value: null };
    case 'answer':
      return { question: line, value };
    case 'take-back':
      return { takeBack: line };
    case 'rename':
      return { renamed: line, to: value };
  }
}

/** Reads a number, yes or no, or a text. */
function plainValue(text: string): unknown {
  const value = readValue(text);
  return typeof value === 'object' ? text : value;
}
