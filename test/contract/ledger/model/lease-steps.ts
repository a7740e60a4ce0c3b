import { LEASE_MS } from './ledger-site.ts';
import { holds, type Model, type ModelRecord, recordOf } from './model.ts';
import { holding, pick, type Step, someHand, step } from './step.ts';

export function lapse(choice: number): Step {
  return step(
    `the lease of hand ${choice} lapses`,
    async (model, site) => {
      const { claim: token } = pick(holding(model), choice).record;
      await site.lapse([token]);
      for (const record of claimedWith(model, token)) record.lease = undefined;
    },
    (model) => holding(model).length > 0,
  );
}

export function age(choice: number): Step {
  return step(
    `the lease of hand ${choice} ages`,
    async (model, site) => {
      const { claim: token } = pick(holding(model), choice).record;
      await site.age([token]);
      for (const { lease } of claimedWith(model, token)) if (lease) lease.aged = true;
    },
    (model) => holding(model).length > 0,
  );
}

/** A lease that has lapsed stays so. */
export function renew(choice: number): Step {
  return step(
    `the lease of hand ${choice} is renewed`,
    async (model, site) => {
      const { worker, record } = pick(model.hands, choice);
      await site.ledgerOf(worker).records.renew(record, LEASE_MS);
      for (const { lease } of claimedWith(model, record.claim)) if (lease) lease.aged = false;
    },
    someHand,
  );
}

/** Gives back the records of a claim for which nothing was sent; what was open before stays so. */
export function release(choice: number): Step {
  return step(
    `the claim of hand ${choice} is released`,
    async (model, site) => {
      const { worker, record } = pick(model.hands, choice);
      const idle = model.hands.filter((hand) => hand.record.claim === record.claim && !hand.result);
      await site.ledgerOf(worker).records.release(idle.map((hand) => hand.record));
      for (const hand of idle) {
        const released = recordOf(model, hand.record.key);
        released.open = released.open.filter(({ claim: token }) => token !== hand.record.claim);
        if (holds(model, hand)) released.lease = undefined;
      }
      model.hands = model.hands.filter((hand) => !idle.includes(hand));
    },
    someHand,
  );
}

export function crash(worker: number): Step {
  const inHand = ({ hands }: Model) => hands.filter((hand) => hand.worker === worker);
  return step(
    `worker ${worker} crashes`,
    async (model, site) => {
      await site.abandon(inHand(model).map(({ record }) => record.claim));
      for (const { lease } of model.records) if (lease?.hand.worker === worker) lease.gone = true;
      model.hands = model.hands.filter((hand) => hand.worker !== worker);
    },
    (model) => inHand(model).length > 0,
  );
}

export function releaseGone(): Step {
  return step('the claims of gone processes are freed', async (model, site) => {
    await site.releaseGone();
    for (const record of model.records) if (record.lease?.gone) record.lease = undefined;
  });
}

function claimedWith({ records }: Model, token: string): ModelRecord[] {
  return records.filter(({ lease }) => lease?.hand.record.claim === token);
}
