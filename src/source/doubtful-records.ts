import type { Mapped, RecordProblem, SourceRecord } from '../core/record.ts';
import { firstSegment } from '../mapping/path.ts';

interface DoubtfulRecord {
  source: SourceRecord;
  /** Those that concern the sync. */
  problems: readonly RecordProblem[];
  /** Paths of the fields that are the key. */
  keyFields: readonly string[];
  keyOf: (record: SourceRecord) => string | undefined;
}

/** Rejects a record that its connector doubts. A record that is skipped anyway stays skipped. */
export function rejectDoubtful(mapped: Mapped, { source, problems, keyFields, keyOf }: DoubtfulRecord): Mapped {
  if (problems.length === 0 || mapped.is === 'skipped') return mapped;
  const { at, fields } = source;
  const reason = problems.map((problem) => problem.reason).join('; ');
  const named = problems.flatMap(({ field }) => field ?? []);
  const code = named.length > 0 ? 'FF_RECORD_VALUE' : 'FF_RECORD_MALFORMED';
  // A key with an error in it is that of no record.
  const hasKey = !keyFields.some((name) => named.includes(firstSegment(name)));
  return { is: 'rejected', rejection: { at, code, reason, key: hasKey ? keyOf(source) : undefined, fields } };
}
