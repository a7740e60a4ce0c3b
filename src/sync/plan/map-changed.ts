import type { ReadRecord } from '../../core/source-reading.ts';
import type { RunContext } from '../context/run-context.ts';
import { type Judged, readHashOf } from './duplicate-keys.ts';

/** Maps records, except those that the CMS certainly has as their sources want them: their payloads are already delivered. */
export async function mapChanged(
  records: readonly ReadRecord[],
  { ledger, sync }: Pick<RunContext, 'ledger' | 'sync'>,
): Promise<Judged[]> {
  const sources = records.flatMap(({ key, sourceHash }) =>
    key === undefined || sourceHash === undefined ? [] : [{ key, source_hash: sourceHash }],
  );
  const unchanged = await ledger.plans.unchanged(sync.name, sources);
  const judged: Judged[] = [];
  for (const record of records) {
    const { key = '', at, fields, sourceHash } = record;
    const known = unchanged.get(key);
    // Records of a batch may share a key.
    const isSame = known !== undefined && known.source_hash === sourceHash;
    const isUnchanged = isSame && record.isInWindow({ date: known.starts_on, endDate: known.ends_on });
    const result: Judged = isUnchanged ? { is: 'unchanged', at, key, fields } : await record.map();
    judged.push({ ...result, readHash: readHashOf(record) });
  }
  return judged;
}
