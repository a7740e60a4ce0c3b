import { z } from 'zod';
import { type Correction, readValue } from '../../inference/correct/correct.ts';

/** A form that corrects a line of a draft. */
export const correctionForm = z.object({
  line: z.string().trim().min(1).max(200),
  how: z.enum(['fields', 'format', 'rule', 'none', 'answer']),
  /** Paths of fields; empty ones are left out. */
  fields: z.union([z.string(), z.array(z.string())]).optional(),
  value: z.string().max(2000).optional(),
});

export type CorrectionForm = z.output<typeof correctionForm>;

/** Returns the correction that a form asks for. */
export function correctionOf({ line, how, fields = [], value = '' }: CorrectionForm): Correction {
  switch (how) {
    case 'fields': {
      const paths = [fields].flat().filter((path) => path.trim() !== '');
      return { line, value: paths.length === 1 ? paths[0] : paths };
    }
    case 'format':
      return { line: `${line}.format`, value: value.trim() === '' ? null : value.trim() };
    case 'rule':
      return { line, value: readValue(value) };
    case 'none':
      return { line, value: null };
    case 'answer':
      return { question: line, value };
  }
}
