import { z } from 'zod';
import { type Correction, readValue } from '../../inference/correct/correct.ts';

const path = z.string().max(500);

/** A form that changes a draft: a line, the answer to a question, or the name of a field. */
export const correctionForm = z.object({
  line: z.string().trim().min(1).max(200),
  how: z.enum([
    'fields',
    'text',
    'format',
    'setting',
    'when',
    'every',
    'policy',
    'none',
    'answer',
    'take-back',
    'rename',
  ]),
  /** Paths of fields; empty ones are left out. */
  fields: z.union([path, z.array(path)]).optional(),
  value: z.string().max(1000).default(''),
});

export type CorrectionForm = z.output<typeof correctionForm>;

/** Returns the correction that a form asks for. All that a person types is a text or a plain value. */
export function correctionOf({ line, how, fields = [], value }: CorrectionForm): Correction {
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
      return { line, value: { field: paths[0] ?? '', is: text.split(/\s*,\s*/) } };
    case 'every':
      return { line, value: { every: text } };
    case 'policy':
      return { line, value: { policy: text } };
    case 'answer':
      return { question: line, value };
    default:
      return { line, value: null };
  }
}

/** Reads a number, yes or no, or a text. */
function plainValue(text: string): unknown {
  const value = readValue(text);
  return typeof value === 'object' ? text : value;
}
