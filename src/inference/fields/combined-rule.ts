import type { Column } from '../columns/columns.ts';
import { liquidPath } from '../dates/date-ranges.ts';
import type { Guess, ProposedRule } from '../proposal.ts';
import { coverage, textRule } from './rules.ts';

/**
 * Proposes the rule of a text that a person reads from these fields. Several fields are joined; one without a value leaves no
 * separator behind.
 */
export function chosenTextRule(
  columns: readonly Column[],
  options: Parameters<typeof textRule>[1] & { separator?: string; why?: string } = {},
): Guess<ProposedRule> | undefined {
  const { separator = ', ', why = 'as you said' } = options;
  const [first, ...others] = columns;
  if (first === undefined) return undefined;
  if (others.length === 0) return textRule(first, options);
  const evidence = `${why}; ${columns.map((column) => `${column.path}: ${coverage(column)}`).join(', ')}`;
  return { value: { template: templateOf(columns, separator) }, evidence };
}

function templateOf(columns: readonly Column[], separator: string): string {
  const parts = columns.map((column, index) => {
    const path = liquidPath(column);
    if (index === 0) return `{{ ${path} }}`;
    const earlier = columns.slice(0, index).map((one) => `${liquidPath(one)} != blank`);
    return `{% if ${path} != blank %}{% if ${earlier.join(' or ')} %}${separator}{% endif %}{{ ${path} }}{% endif %}`;
  });
  return parts.join('');
}
