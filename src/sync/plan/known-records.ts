import type { DesiredRecord } from '../../core/record.ts';
import type { KnownRecord } from '../../ledger/records/known-record.ts';
import { stillBlocks } from '../compare/unique-values.ts';
import type { RunContext } from '../context/run-context.ts';

/**
 * Returns what the ledger knows of records, by their keys. A refusal that was due to another record is forgotten if that record
 * has changed since, or may change: then the record is sent again.
 */
export async function knownRecords(
  records: ReadonlyArray<Pick<DesiredRecord, 'key' | 'payload'>>,
  { ledger, sync }: Pick<RunContext, 'ledger' | 'sync'>,
): Promise<Map<string, KnownRecord>> {
  const known = await ledger.plans.known(
    sync.name,
    records.map(({ key }) => key),
  );
  const refused = records.flatMap(({ key, payload }) => {
    const record = known.get(key);
    const by = record?.refusal?.by;
    return record && by !== undefined ? [{ key, payload, record, by }] : [];
  });
  const blockers = await ledger.plans.known(
    sync.name,
    refused.map(({ by }) => by),
  );
  for (const { key, payload, record, by } of refused) {
    const { refusal: _, ...free } = record;
    if (!stillBlocks(blockers.get(by), payload)) known.set(key, free);
  }
  return known;
}
