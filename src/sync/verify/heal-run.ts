import { CodedError } from '../../core/errors.ts';
import { unknown } from '../../core/record.ts';
import type { RunReport } from '../../core/run.ts';
import type { KnownContent } from '../../ledger/plans/retries.ts';
import type { VerifiedRecord } from '../../ledger/verifications/verified-records.ts';
import { createsAgain } from '../compare/decide.ts';
import { filterAttributes } from '../items/values.ts';
import { type Hold, judgeHealing } from '../plan/guards.ts';
import { applyConsulted, holdRun } from '../runs/consult-cms.ts';
import { leadRun } from '../runs/lead-run.ts';
import { type Drift, isFile } from './compare-item.ts';
import type { Verified } from './verification.ts';

/** Attributes by which the list of the CMS is searched for an item. */
const SEARCHED_BY = ['date', 'endDate'];

/**
 * Repairs the differences that a verification has found, in a run like a retry: delivers again the edited attributes, the missing
 * files, the undelivered changes, and the attributes that the CMS has ignored so far. A deleted item is left or created again, as
 * configured. Items with the external id of a lost record are remembered for the next run. Doubles are left to a person.
 * @param options.isReviewed whether a person reviews the repair: then it is held until it is approved
 * @returns the report of the run; undefined if there is nothing to deliver
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
 */
export async function healRun(
  verified: Verified,
  { isReviewed = false }: { isReviewed?: boolean } = {},
): Promise<RunReport | undefined> {
  const { orphans, result } = verified;
  const { ledger, sync } = verified.context;
  const { plans, runs } = ledger;
  // A person is shown only what a repair changes: not a deleted item that is left, nor what somebody has acknowledged.
  const known = isReviewed ? await ledger.acknowledgements.acknowledged(sync.name) : [];
  const kept = new Set(known.flatMap(({ kind, key }) => (kind === 'differs' ? [key] : [])));
  const isLeft = ({ cause, key }: Drift) =>
    isReviewed && (kept.has(key) || (cause === 'deleted' && !createsAgain(sync)));
  const repaired = result.drift.filter((each) => !isLeft(each));
  const drift = Map.groupBy(repaired, ({ key }) => key);
  const causes = new Set(repaired.map(({ cause }) => cause));
  // A repair whose process has exited leaves records that seem to be under way.
  const isUnfinished = result.certificate.counts.moving > 0;
  if (verified.ignored.size === 0 && !isUnfinished && !REPAIRED.some((cause) => causes.has(cause))) {
    await plans.relink(sync.name, orphans);
    return undefined;
  }
  return leadRun('retry', verified.context, async (run, context) => {
    await plans.relink(sync.name, orphans);
    await plans.stageRetries(run, sync.name);
    for await (const records of ledger.verifications.recordsOf(sync.name)) {
      const again = records.flatMap((record) => toDeliverAgain(record, drift.get(record.key) ?? [], verified));
      await plans.stageAgain(run, sync.name, again);
    }
    const plan = await plans.summarise(run);
    await runs.record(run, plan);
    const published = await plans.countDelivered(sync.name);
    const isHeld = isReviewed && plan.creates + plan.updates + plan.removals > 0;
    const hold =
      (isHeld ? toReview(sync.name) : undefined) ??
      judgeHealing({ published, healed: plan.updates + plan.removals }, sync);
    if (hold) return holdRun(run, hold, context);
    await applyConsulted(run, plan, context, { looksUpHeld: true });
  });
}

/** Holds a repair that a person reviews first. */
function toReview(sync: string): Hold {
  const error = new CodedError('FF_REPAIR_HELD', `The repair of "${sync}" waits for a decision. Nothing was changed.`);
  return { error, heldFor: ['create', 'update', 'delete'] };
}

const REPAIRED = ['edited', 'deleted', 'fileMissing', 'undelivered'] as const satisfies Array<Drift['cause']>;

/**
 * A delivered record whose item differs, with the differing values as unknown. A record that is held, marked as missing, or that
 * an undo has restored, is left: its desired state is not the last state of its source.
 */
function toDeliverAgain(record: VerifiedRecord, drift: readonly Drift[], verified: Verified): KnownContent[] {
  const { key, action, desired, known, isUndelivered, isHeld, settledAt } = record;
  const isSettled = !isUndelivered && !isHeld && action === null && settledAt < verified.beganAt;
  const differing = drift.flatMap((each) => (each.cmsId === known.cmsId ? unknownAttributes(each, record) : []));
  // The CMS may have the attributes by now.
  const ignored = (verified.ignored.get(key) ?? []).map((path) => path.replace(/\..*/s, ''));
  const changed = [...new Set([...differing, ...ignored])];
  if (!isSettled || known.cmsId === null || changed.length === 0) return [];
  const delivered = known.payload ?? {};
  const files = changed.filter((attribute) => isFile(attribute, record, verified.context));
  return [
    {
      key,
      // A value that the source withdrew before its delivery is not delivered now.
      desired: { ...desired, ...filterAttributes(delivered, (attribute) => Object.hasOwn(desired, attribute)) },
      delivered: { ...delivered, ...unknown(changed) },
      deliveredAttachments: { ...known.fingerprints, ...unknown(files) },
      changed,
    },
  ];
}

function unknownAttributes({ cause, attributes }: Drift, { desired }: VerifiedRecord): string[] {
  if (cause === 'edited' || cause === 'fileMissing') return attributes;
  return cause === 'deleted' ? Object.keys(desired).filter((attribute) => !SEARCHED_BY.includes(attribute)) : [];
}
