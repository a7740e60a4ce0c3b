import { isDeepStrictEqual } from 'node:util';
import type { CmsItem } from '../../cms/client.ts';
import type { Payload } from '../../core/record.ts';
import type { RecordWithItem } from '../../ledger/records/claimed-record.ts';
import { createdBodiesOf } from '../../ledger/records/open-attempts.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import type { Former } from '../evidence/evidence.ts';
import { filterAttributes, valueAt } from '../items/values.ts';

// What is known of an item before a write, to see what the write has changed.

type FormerContext = Pick<DeliveryContext, 'habits'>;

/** Before a create. */
export function nothingBefore({ habits }: FormerContext): Former {
  return { before: {}, delivered: {}, madeByCms: {}, rewrites: habits.rewrites };
}

/** Before the PATCH of an item that was confirmed: as it was before the first unconfirmed PATCH of an attribute. */
export function beforePatch(
  { item, open }: RecordWithItem,
  body: Payload,
  live: CmsItem,
  { habits }: FormerContext,
): Former {
  const delivered = item.delivered ?? {};
  const earlier = Object.keys(body).flatMap((attribute) => {
    const first = open.find((attempt) => attempt.body !== null && Object.hasOwn(attempt.body, attribute));
    if (!first) return [];
    const kept = first.before ?? { ...delivered, ...item.madeByCms };
    return [[attribute, valueAt(kept, attribute)] as const];
  });
  return {
    before: { ...live, ...Object.fromEntries(earlier) },
    delivered,
    madeByCms: item.madeByCms,
    rewrites: habits.rewrites,
  };
}

/** Before the PATCH that completes a create: its item has what the CMS made of the create, unless this PATCH sends something else. */
export function beforeCompletion(
  { open }: RecordWithItem,
  body: Payload,
  live: CmsItem,
  { habits }: FormerContext,
): Former {
  const created = createdBodiesOf(open);
  const isChanged = (attribute: string) =>
    created.some((payload) => !isDeepStrictEqual(payload[attribute] ?? null, body[attribute] ?? null));
  const before = filterAttributes(live as Payload, (attribute) => isChanged(attribute));
  return { before, delivered: {}, madeByCms: {}, rewrites: habits.rewrites };
}
