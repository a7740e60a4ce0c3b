import type { Column } from '../columns/columns.ts';
import type { DateColumn } from '../dates/date-column.ts';
import type { Guess, ProposedRule, Question } from '../proposal.ts';

/** The rule of an attribute, and the fields that it reads. */
export interface TimeRule {
  attribute: string;
  rule: Guess<ProposedRule>;
  reads: readonly Column[];
  /** How the rule reads the dates; absent if another rule already has this. */
  dates?: DateColumn;
  question?: Question;
  warning?: string;
}
