import type { CmsItem } from '../../cms/client.ts';
import { CodedError } from '../../core/errors.ts';
import type { RunReport } from '../../core/run.ts';
import type { RunContext } from '../context/run-context.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { toAdoption } from '../match/adopted-state.ts';
import { createsNothing } from '../match/verdict.ts';
import { applyPlan } from './apply-plan.ts';
import { leadRun } from './lead-run.ts';

/**
 * Makes a record the owner of a CMS item that the operator names. Values of the record that the item already has
 * count as delivered; the differences are delivered in a run that does not read the feed. An item that the CMS no longer has under
 * its id is replaced by the named one.
 * @throws CmsError; CodedError FF_RECORD_UNKNOWN, FF_ADOPT_SETTLED if the CMS has the item of the record, FF_ADOPT_TAKEN if the
 * named item has a record, FF_ADOPT_ITEM if the CMS has no such item, FF_RUN_BUSY while another run is under way
 */
export async function adoptRun(key: string, cmsId: number, request: RunContext): Promise<RunReport> {
  const { plans, runs, records: owners } = request.ledger;
  const { name } = request.sync;
  const lost = await refuseSettled(key, cmsId, request);
  const item = await getItem(cmsId, request);
  return leadRun('adopt', request, async (run, context) => {
    const isFree = lost === undefined || (await owners.replaceItem(name, key, { lost, named: cmsId }));
    if (!isFree || !(await plans.stageItemless(run, name, key, cmsId))) {
      throw new CodedError('FF_RUN_BUSY', `"${key}" of "${name}" is being delivered now.`);
    }
    await runs.record(run, await plans.summarise(run));
    for await (const records of plans.newcomers(run, name)) {
      const adoptions = records.map((record) => toAdoption(record, item, context));
      await plans.adopt(run, adoptions);
    }
    // The record becomes an update of the item that a person has named.
    await applyPlan(run, createsNothing, context);
  });
}

/** @returns the item of the record, if the CMS no longer has it */
async function refuseSettled(key: string, cmsId: number, request: RunContext): Promise<number | undefined> {
  const { ledger, sync } = request;
  const record = await ledger.records.state(sync.name, key);
  if (!record) {
    const remedy = `Find the key with \`feedferry status ${sync.name}\`. The ledger knows a record of the feed after its first sync.`;
    throw new CodedError('FF_RECORD_UNKNOWN', `The ledger has no record "${key}" of "${sync.name}".`, { remedy });
  }
  if (record.cmsId !== undefined && (await findItem(record.cmsId, request))) {
    throw new CodedError('FF_ADOPT_SETTLED', `"${key}" of "${sync.name}" is already CMS item ${record.cmsId}.`);
  }
  const owner = (await ledger.records.ownersOf(sync.resource, [cmsId])).get(cmsId);
  if (owner) {
    const message = `CMS item ${cmsId} belongs to the record "${owner.key}" of "${owner.sync}".`;
    throw new CodedError('FF_ADOPT_TAKEN', message);
  }
  return record.cmsId;
}

async function getItem(cmsId: number, request: RunContext): Promise<CmsItem> {
  const item = await findItem(cmsId, request);
  if (item) return item;
  throw new CodedError('FF_ADOPT_ITEM', `The CMS has no item ${cmsId} among its ${request.sync.resource}.`);
}

function findItem(cmsId: number, { sync, checks, signal }: RunContext): Promise<CmsItem | undefined> {
  return unlessDeleted(itemsOf(sync.resource, { cms: checks, sync, call: { signal } }).get(cmsId));
}
