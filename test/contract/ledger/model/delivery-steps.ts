import { expect } from 'vitest';
import { LEASE_MS } from './ledger-site.ts';
import { type Hand, holds, type Model, recordOf, settle } from './model.ts';
import { type Fate, lookUp, send, versionOf } from './protocol.ts';
import { holding, pick, type Step, someHand, step } from './step.ts';

export function claim(workers: number[], wanted: readonly string[]): Step {
  return step(`workers ${workers} claim ${wanted} at once`, async (model, site) => {
    const due = model.records.filter(
      ({ key, status, due, lease }) => wanted.includes(key) && status === 'pending' && due && !lease,
    );
    const claimed = await Promise.all(
      workers.map(async (worker) => {
        const records = await site.ledgerOf(worker).records.claim(site.sync, wanted, LEASE_MS);
        return records.map((record): Hand => ({ worker, record }));
      }),
    );
    const hands = claimed.flat();
    expect(hands.map(({ record }) => record.key).toSorted()).toEqual(due.map(({ key }) => key));
    for (const hand of hands) take(model, hand);
  });
}

function take(model: Model, hand: Hand): void {
  const { record } = hand;
  const known = recordOf(model, record.key);
  expect({ wanted: versionOf(record), cmsId: record.cmsId, delivered: record.delivered?.version ?? null }).toEqual({
    wanted: known.wanted,
    cmsId: known.cmsId,
    delivered: known.delivered,
  });
  expect(record.createUnconfirmed).toBe(known.createUnconfirmed);
  known.createUnconfirmed = known.cmsId === null;
  known.lease = { hand };
  model.hands.push(hand);
}

/** A worker sends nothing after its lease has lapsed (src/sync/deliver/lease.ts). */
export function request(choice: number, fate: Fate): Step {
  const idle = (model: Model) => holding(model).filter(({ result }) => !result);
  return step(
    `request ${choice} is ${fate}`,
    async (model, site) => {
      const hand = pick(idle(model), choice);
      hand.result = send(hand.record, lookUp(hand.record, site), site, fate);
      if (site.cms.find(hand.record.key) !== undefined) model.deleted.delete(hand.record.key);
    },
    (model) => idle(model).length > 0,
  );
}

/** Of several workers, those whose lease has lapsed among them. */
export function settleAtOnce(choices: number[]): Step {
  return step(
    `hands ${choices} settle at once`,
    async (model, site) => {
      const hands = [...new Set(choices.map((choice) => pick(model.hands, choice)))];
      const expected = hands.map((hand) => holds(model, hand));
      const settled = await Promise.all(
        hands.map((hand) => site.ledgerOf(hand.worker).records.settle(hand.record, hand.result ?? untouched(hand))),
      );
      expect(settled).toEqual(expected);
      for (const hand of hands) {
        if (holds(model, hand)) settle(recordOf(model, hand.record.key), hand, hand.result ?? untouched(hand));
      }
      model.hands = model.hands.filter((hand) => !hands.includes(hand));
    },
    someHand,
  );
}

/** It failed before anything was sent: its file could not be uploaded, say. */
function untouched({ record: { createUnconfirmed } }: Hand) {
  return {
    is: 'retry',
    code: 'FF_CMS_SERVER',
    reason: '500',
    afterMs: 0,
    createUnconfirmed,
    uploads: 0,
  } as const;
}
