import { CodedError } from '../../core/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { SyncPause } from '../../ledger/runs/pauses.ts';
import type { Asked } from '../context/run-context.ts';
import { type FormerNames, formerSyncs } from '../items/former-syncs.ts';

/** Names of a sync: after it was renamed, a pause may still have a former one. */
interface Names extends FormerNames {
  name: string;
}

/** Returns the pause of a sync; undefined if it is not paused. */
export function pauseOf(sync: Names, pauses: ReadonlyMap<string, SyncPause>): SyncPause | undefined {
  return namesOf(sync).flatMap((name) => pauses.get(name) ?? [])[0];
}

/**
 * Makes sure that a sync is not paused. Only what reads the feed asks: what people decide about records that are known already, such
 * as an approval, a retry or an undo, is still possible.
 * @throws CodedError FF_SYNC_PAUSED
 */
export async function refusePaused({ ledger, sync }: { ledger: Ledger; sync: Names }): Promise<void> {
  const pause = pauseOf(sync, await ledger.pauses.pauses());
  if (pause) throw new CodedError('FF_SYNC_PAUSED', `${pause.by} paused "${sync.name}": ${pause.reason}`);
}

/** Resumes a sync, also if it was renamed since. Returns false if it was not paused. */
export async function resumeSync(sync: Names, asked: Pick<Asked, 'by' | 'via'>, { pauses }: Ledger): Promise<boolean> {
  const resumed = await Promise.all(namesOf(sync).map((name) => pauses.resume(name, asked)));
  return resumed.includes(true);
}

function namesOf(sync: Names): string[] {
  return [sync.name, ...formerSyncs(sync).map(({ name }) => name)];
}
