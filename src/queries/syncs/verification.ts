import { z } from 'zod';
import type { App } from '../../app/app.ts';
import type { StoredDifference } from '../../ledger/verifications/verifications.ts';
import { createsAgain } from '../../sync/compare/decide.ts';
import { configuredSync } from '../answers/configured-sync.ts';
import { itemLink } from '../answers/item-link.ts';
import { type Paging, pageOf, readCursor, toCursor } from '../answers/paging.ts';
import { toAcknowledged } from '../answers/problem.ts';
import { type VerificationView, type VerifiedDifferenceView, verificationView } from '../views/verification.ts';

const position = z.int();
const result = verificationView.pick({ proven: true, reason: true, counts: true, error: true });
const detail = verificationView.shape.differences.element
  .pick({ title: true, with: true, error: true, remedy: true })
  .partial();

/** Returns the last verification of a sync, and a page of the differences that it has found. */
export async function verificationOf(
  name: string,
  paging: Paging,
  { config, ledger }: Pick<App, 'config' | 'ledger'>,
): Promise<VerificationView> {
  const { name: sync, resource = 'events', onDeletedInCms = 'leave' } = configuredSync(name, config);
  const last = await ledger.verifications.lastVerification(sync);
  if (!last) return { sync, total: 0, open: 0, differences: [] };
  const [{ rows, ...next }, known] = await Promise.all([
    pageOf(
      paging,
      (after, limit) =>
        ledger.verifications.differencePage(sync, after === undefined ? -1 : readCursor(after, position), limit),
      ({ seq }) => toCursor(seq),
    ),
    ledger.acknowledgements.acknowledged(sync),
  ]);
  const { beganAt, endedAt, askedBy, foundAt, differences: total, open } = last;
  const { reason, ...proof } = result
    .extend({ reason: z.string().nullable() })
    .partial()
    .parse(last.result ?? {});
  const isOver = endedAt !== undefined && endedAt >= beganAt;
  return {
    ...{ sync, beganAt, total, open, askedBy, foundAt },
    ...(isOver && { endedAt, ...proof, reason: reason ?? undefined }),
    differences: rows.map(toView),
    ...next,
  };

  function toView({ key, cmsId, cause, attributes, detail: more, since }: StoredDifference): VerifiedDifferenceView {
    const { title = key, ...shown } = detail.parse(more);
    const isLeft = shown.remedy !== undefined || (cause === 'deleted' && !createsAgain({ onDeletedInCms }));
    const kind = since === 'undelivered' ? 'withoutFile' : 'differs';
    const found = known.find((each) => each.kind === kind && each.key === key);
    return {
      ...{ key, title, cause: cause as VerifiedDifferenceView['cause'], attributes, ...shown },
      cmsId: cmsId ?? undefined,
      ...itemLink(config.target, resource, cmsId),
      since: since === 'open' ? undefined : since,
      ...(isLeft && { isLeft: true as const }),
      ...(found && { acknowledged: toAcknowledged(found) }),
    };
  }
}
