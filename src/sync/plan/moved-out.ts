import type { Mapped } from '../../core/record.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Judged } from './duplicate-keys.ts';

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
    return cmsId !== null && delivered && ['date', 'endDate'].some((name) => delivered[name] !== payload[name]);
  });
  return new Map(await Promise.all(moved.map(async ({ key, map }) => [key, await map()] as const)));
}
