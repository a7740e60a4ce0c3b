import type { Corrections } from '../../../src/inference/correct/corrections.ts';
import type { Answers, Proposal } from '../../../src/inference/proposal.ts';
import { propose } from '../../../src/inference/propose/propose.ts';
import type { FeedSample } from '../../../src/inference/sample.ts';

type Row = Record<string, unknown>;

/** The proposal for a JSON feed with these records. */
export function proposalFor(rows: readonly Row[], answers: Answers = {}, lines: Corrections['lines'] = {}): Proposal {
  return propose(sampleOf(rows), { answers, lines });
}

/** A sample of a JSON feed with these records. */
export function sampleOf(rows: readonly Row[]): FeedSample {
  const records = rows.map((fields, index) => ({ at: `$[${index}]`, fields }));
  return { url: 'feed.json', connector: 'json', options: {}, records, isWhole: true, head: '' };
}

/** Attribute → rule, without the evidence. */
export function rulesOf({ map }: Proposal): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([attribute, { value }]) => [attribute, value]));
}

/** Records of the named columns from rows of values. */
export function table(columns: readonly string[], ...rows: unknown[][]): Row[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
}
