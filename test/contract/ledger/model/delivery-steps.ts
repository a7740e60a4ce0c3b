import { expect } from 'vitest';
import { itemOf, openOf } from '../../../../src/ledger/records/claimed-record.ts';
import { LEASE_MS } from './ledger-site.ts';
import { type Hand, holds, type Model, type ModelRecord, recordOf, settle } from './model.ts';
import { type Fate, keep, lookUp, send, versionOf } from './protocol.ts';
import { knowledgeOf } from './row.ts';
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
  const item = itemOf(record);
  const wanted = versionOf(record);
  const { knows, claim: token } = record;
  const open = openOf(record).map(({ method, doubt, body }) => ({ method, doubt, version: body?.version ?? wanted }));
  expect({ wanted, cmsId: item?.cmsId ?? null, delivered: item?.delivered?.version ?? null, knows, open }).toEqual({
    ...{ wanted: known.wanted, cmsId: known.cmsId, delivered: known.delivered, knows: knowledgeOf(known) },
    open: known.open.map(({ claim: _, ...attempt }) => attempt),
  });
  // The ledger has the create that may follow as sent.
  if (known.cmsId === null) known.open.push({ claim: token, method: 'POST', doubt: 'sent', version: wanted });
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
      const { record } = hand;
      const found = lookUp(record, site);
      expect(await keep(record, found, site.ledgerOf(hand.worker))).toBe(true);
      if (found !== undefined) kept(recordOf(model, record.key), hand, found);
      hand.result = send(record, found, site, fate);
      if (site.cms.find(hand.record.key) !== undefined) model.deleted.delete(hand.record.key);
    },
    (model) => idle(model).length > 0,
  );
}

/** An item that was found is the record's from now on, in place of the create, and the ledger has its PATCH as sent. */
function kept(known: ModelRecord, { record }: Hand, found: number): void {
  known.cmsId = found;
  known.open = known.open.filter(({ claim: token }) => token !== record.claim);
  known.open.push({ claim: record.claim, method: 'PATCH', doubt: 'sent', version: versionOf(record) });
}

/** Of several workers, those whose lease has lapsed among them. */
export function settleAtOnce(choices: number[]): Step {
  return step(
    `hands ${choices} settle at once`,
    async (model, site) => {
      const hands = [...new Set(choices.map((choice) => pick(model.hands, choice)))];
      const expected = hands.map((hand) => holds(model, hand));
      const settled = await Promise.all(
        hands.map((hand) => site.ledgerOf(hand.worker).records.settle(hand.record, hand.result ?? untouched)),
      );
      expect(settled).toEqual(expected);
      for (const hand of hands) {
        if (holds(model, hand)) settle(recordOf(model, hand.record.key), hand, hand.result ?? untouched);
      }
      model.hands = model.hands.filter((hand) => !hands.includes(hand));
    },
    someHand,
  );
}

/** It failed before anything was sent: its file could not be uploaded, say. */
const untouched = { is: 'retry', code: 'FF_CMS_SERVER', reason: '500', afterMs: 0, uploads: 0 } as const;
