import type { DesiredRecord } from '../../core/record.ts';
import { listColumns } from '../columns/columns.ts';
import type { Proposal } from '../proposal.ts';
import type { FeedSample } from '../sample.ts';
import { listLines, type ProposalLine, samplesOf } from './lines.ts';
import { type UnusedField, unusedFields } from './unused-fields.ts';

/** A field of a feed, with values in two records that have it. */
export interface FeedField {
  path: string;
  samples: readonly string[];
}

/** A proposal as people see it: its lines, the fields of the feed, and those of them that no line reads. */
export interface ProposalReview {
  lines: readonly ProposalLine[];
  fields: readonly FeedField[];
  unused: readonly UnusedField[];
}

/**
 * Lists the lines of a proposal and the fields of its sample.
 * @param defaultMap attribute → field, as the format defines
 * @param published records of the sample as the site will show them
 */
export function reviewProposal(
  { records }: FeedSample,
  proposal: Proposal,
  defaultMap?: Readonly<Record<string, string>>,
  published: readonly DesiredRecord[] = [],
): ProposalReview {
  const columns = listColumns(records);
  const examples = published.map((record) => ({ index: records.findIndex(({ at }) => at === record.at), record }));
  const lines = listLines(proposal, columns, defaultMap, examples);
  const fields = columns.map((column) => ({ path: column.path, samples: samplesOf([column]) }));
  return { lines, fields, unused: unusedFields(proposal, lines, columns) };
}

/** Returns the paths of the fields of a sample. */
export function fieldPaths({ records }: FeedSample): string[] {
  return listColumns(records).map(({ path }) => path);
}
