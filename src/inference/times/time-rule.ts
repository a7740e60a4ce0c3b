import type { Column } from '../columns/columns.ts';
import type { DateColumn } from '../dates/date-column.ts';
import type { Guess, ProposedRule, Question } from '../proposal.ts';

/** The rule of an attribute, and the fields that it reads. */
export interface TimeRule {
  attribute: string;
  rule: Guess<ProposedRule>;
  reads: readonly Column[];
  /** How it reads them; absent: as another rule does. */
  dates?: DateColumn;
  question?: Question;
}
