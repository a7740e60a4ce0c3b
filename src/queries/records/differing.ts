import type { Ledger } from '../../ledger/ledger.ts';
import type { RecordPageView, RecordRowView } from '../views/sync.ts';
import { differenceCause } from '../views/verification.ts';
import { leftOutIn } from './left-out.ts';

/** The causes, what is the worst first: a record may have several. */
const CAUSES = ['deleted', 'edited', 'fileMissing', 'doubled', 'undelivered', 'orphan'];

/** Adds to records what the last verification has found about their items, if they were not delivered since, and who has left them out. */
export async function withFindings(page: RecordPageView, ledger: Pick<Ledger, 'verifications' | 'questions'>) {
  const records = await Promise.all(
    [...Map.groupBy(page.records, ({ sync }) => sync)].map(async ([sync, rows]) => {
      const found = await differingIn(
        sync,
        rows.map(({ key }) => key),
        ledger,
      );
      const left = await leftOutIn(sync, rows, ledger);
      return rows.map((row): RecordRowView => ({ ...row, ...found.get(row.key), ...left.get(row.key) }));
    }),
  );
  const byName = new Map(records.flat().map((row) => [JSON.stringify([row.sync, row.key]), row]));
  return { ...page, records: page.records.map((row) => byName.get(JSON.stringify([row.sync, row.key])) ?? row) };
}

/** Returns the worst difference of each of these records, by key; records without one are absent. */
export async function differingIn(
  sync: string,
  keys: readonly string[],
  { verifications }: Pick<Ledger, 'verifications'>,
): Promise<Map<string, Pick<RecordRowView, 'differs'>>> {
  const found = (await verifications.differencesOf(sync, keys)).toSorted(
    (one, other) => CAUSES.indexOf(other.cause) - CAUSES.indexOf(one.cause),
  );
  return new Map(
    found.map(({ key, cause, attributes, foundAt }) => {
      return [key, { differs: { cause: differenceCause.parse(cause), attributes, foundAt } }];
    }),
  );
}
