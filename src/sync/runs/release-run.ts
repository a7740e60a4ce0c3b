import type { RunReport } from '../../core/run.ts';
import type { RunContext } from '../context/run-context.ts';

/**
 * Forgets all records of a sync, and which files its target has; the items stay in the CMS. Reported as a purge without
 * deletes.
 * @returns the report of the run, with the keys of the records
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
 */
export async function releaseRun({
  ledger: { runs, records, plans, files, history },
  sync: { name },
  targetId,
  asked,
  onBegin,
}: Pick<RunContext, 'ledger' | 'sync' | 'targetId' | 'asked' | 'onBegin'>): Promise<
  RunReport & { released: string[] }
> {
  // The run has no target: records may be released because the site has changed.
  const run = await runs.begin(name, 'purge', asked);
  onBegin?.(run);
  if (asked) await history.addDeed({ ...asked, sync: name, run });
  const released = await records.forgetSync(name);
  // A CMS that was restored from a backup may not have the files.
  await files.forgetUploads(targetId);
  await plans.dropHeld(name);
  await runs.finish(run);
  return { ...(await runs.report(run)), released };
}
