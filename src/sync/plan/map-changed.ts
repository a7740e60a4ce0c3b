import type { Mapped, Payload } from '../../core/record.ts';
import type { ReadRecord } from '../../core/source-reading.ts';
import type { Source } from '../../ledger/plans/staged-plan.ts';
import type { RunContext } from '../context/run-context.ts';
import { type Judged, readHashOf } from './duplicate-keys.ts';

/** Finds the records that the ledger has exactly as these sources want them, by their keys. */
type FindUnchanged = (
  sources: readonly Source[],
) => Promise<ReadonlyMap<string, { source_hash: string | null; starts_on: string | null; ends_on: string | null }>>;

/** Maps records, except those that certainly have not changed. */
export async function mapChanged(records: readonly ReadRecord[], findUnchanged: FindUnchanged): Promise<Judged[]> {
  const sources = records.flatMap(({ key, sourceHash }) =>
    key === undefined || sourceHash === undefined ? [] : [{ key, source_hash: sourceHash }],
  );
  const unchanged = await findUnchanged(sources);
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

/**
 * Returns what to deliver of events that are skipped because they are outside the window, by their keys: an event on the site whose
 * source gives it another day there moves. Only events that are not on the site yet are left out.
 */
export async function movedOut(
  batch: readonly Judged[],
  { ledger, sync }: Pick<RunContext, 'ledger' | 'sync'>,
): Promise<Map<string, Mapped>> {
  const beyond = batch.flatMap((judged) =>
    judged.is === 'skipped' && judged.beyond ? [{ ...judged.beyond, key: judged.key }] : [],
  );
  if (beyond.length === 0) return new Map();
  const known = await ledger.plans.known(
    sync.name,
    beyond.map(({ key }) => key),
  );
  const moved = beyond.filter(({ key, payload }) => {
    const { cmsId = null, payload: delivered } = known.get(key) ?? {};
    return cmsId !== null && delivered && hasOtherDays(delivered, payload);
  });
  return new Map(await Promise.all(moved.map(async ({ key, map }) => [key, await map()] as const)));
}

/** Whether two payloads of an event have it on other days. */
export function hasOtherDays(one: Payload, other: Payload): boolean {
  return one.date !== other.date || one.endDate !== other.endDate;
}
