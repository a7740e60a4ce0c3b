import fc from 'fast-check';
import { claim, request, settleAtOnce } from './delivery-steps.ts';
import { age, crash, lapse, release, releaseGone, renew } from './lease-steps.ts';
import { fates } from './protocol.ts';
import { knowledgeOf } from './row.ts';
import { type Step, step } from './step.ts';

export const keys = ['a', 'b', 'c'] as const;
const WORKERS = 3;

const anyWorker = fc.nat(WORKERS - 1);
const someWorkers = fc.uniqueArray(anyWorker, { minLength: 1, maxLength: 2 });
const someKeys = fc.subarray([...keys], { minLength: 1 });
/** Chooses among the hands that there are. */
const anyHand = fc.nat(11);

const claims = fc.tuple(someWorkers, someKeys).map(([workers, wanted]) => claim(workers, wanted));
const requests = fc.tuple(anyHand, fc.constantFrom(...fates)).map(([hand, fate]) => request(hand, fate));
const settles = fc.uniqueArray(anyHand, { minLength: 1, maxLength: 4 }).map(settleAtOnce);

/** What may happen, in about the measure in which it should. */
export const steps: fc.Arbitrary<Step>[] = [
  ...[claims, claims, claims, requests, requests, requests, requests, settles, settles],
  ...[anyHand.map(lapse), anyHand.map(lapse)],
  someKeys.map(planNewer),
  anyHand.map(age),
  anyHand.map(renew),
  anyHand.map(release),
  anyWorker.map(crash),
  fc.constantFrom(...keys).map(deleteItem),
  fc.constant(wait()),
  fc.constant(releaseGone()),
];

function planNewer(some: readonly string[]): Step {
  return step(`a newer plan of ${some}`, async (model, site) => {
    // What was deleted in the CMS and left so is not planned.
    const planned = model.records.filter(({ key, status }) => some.includes(key) && status !== 'deleted');
    for (const record of planned) {
      record.wanted += 1;
      record.status = 'pending';
      // What is in doubt is looked for when it would have been.
      if (!['maybe', 'refused'].includes(knowledgeOf(record))) record.due = true;
    }
    await site.plan(new Map(planned.map(({ key, wanted }) => [key, wanted])));
  });
}

function wait(): Step {
  return step('all pauses end', async (model, site) => {
    await site.wait();
    for (const record of model.records) record.due = true;
  });
}

function deleteItem(key: string): Step {
  return step(
    `an editor deletes ${key}`,
    async ({ deleted }, { cms }) => {
      cms.remove(key);
      deleted.add(key);
    },
    ({ records }) => records.some((record) => record.key === key && record.cmsId !== null),
  );
}
