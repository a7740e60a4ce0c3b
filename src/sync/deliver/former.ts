import { isDeepStrictEqual } from 'node:util';
import type { CmsItem } from '../../cms/client.ts';
import type { Payload } from '../../core/record.ts';
import type { RecordWithItem } from '../../ledger/records/claimed-record.ts';
import { bodiesOf } from '../../ledger/records/open-attempts.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import type { Former } from '../evidence/evidence.ts';
import { valueAt } from '../items/values.ts';

// What is known of an item before a write, to see what the write has changed.

type FormerContext = Pick<DeliveryContext, 'habits'>;

/** Before a create. */
export function nothingBefore({ habits }: FormerContext): Former {
  return { before: {}, delivered: {}, madeByCms: {}, rewrites: habits.rewrites };
}

/**
 * Before a PATCH: as the item is, except for attributes whose value a PATCH or create in doubt may have brought to it already.
 * Those had the value from before the first of the requests, or another one that these have sent.
 */
export function beforePatch(
  { item, open }: RecordWithItem,
  body: Payload,
  live: CmsItem,
  { habits }: FormerContext,
): Former {
  const { delivered, madeByCms } = item;
  const before: Record<string, unknown> = { ...live };
  const inDoubt: Payload[] = [];
  for (const [attribute, value] of Object.entries(body)) {
    const tried = open.filter(
      ({ method, body: sent }) => method !== 'DELETE' && (!sent || Object.hasOwn(sent, attribute)),
    );
    const isOther = (sent: Payload | null) => sent !== null && !isDeepStrictEqual(sent[attribute], value);
    const [first, last] = [tried[0], tried.at(-1)];
    if (!first || !last || isOther(last.body)) continue;
    before[attribute] = valueAt({ ...delivered, ...madeByCms, ...first.before }, attribute);
    const others = bodiesOf(tried).filter(isOther);
    inDoubt.push(...others.map((sent) => ({ [attribute]: sent[attribute] ?? null })));
  }
  return { before, inDoubt, delivered: delivered ?? {}, madeByCms, rewrites: habits.rewrites };
}
