import type { Selectable } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import { deliveredIn, itemIn } from '../database/item-state.ts';
import { payloadIn } from '../database/queries.ts';
import type { RecordContents } from '../database/schema.ts';
import { filesIn } from '../database/undelivered-files.ts';
import type { ClaimedRecord, Goal, KnownItem, Quiet, StagedAttachment } from './claimed-record.ts';
import type { OpenAttempt } from './open-attempts.ts';

export const claimedColumns = [
  ...([
    'id',
    'sync',
    'key',
    'run',
    'goal',
    'expects',
    'resource',
    'wanted',
    'desired',
    'attachments',
    'hash',
    'password',
    'attempts',
    'retry_at',
  ] as const),
  ...(['knows', 'cms_id', 'delivered', 'item', 'undelivered_files', 'quiet_since'] as const),
] satisfies ReadonlyArray<keyof RecordContents>;

export type ClaimedRow = Pick<Selectable<RecordContents>, (typeof claimedColumns)[number]> & {
  now: number;
};

/** The time of the claim, in the time of this process, and since when the ledger's clock can be trusted. */
interface ClaimTime {
  end: number;
  trustedSince: number;
}

/** @param open the attempts of earlier claims that may be applied, oldest first */
export function toClaimed(row: ClaimedRow, open: OpenAttempt[], at: ClaimTime & { claim: string }): ClaimedRecord {
  const { id, sync, key, run, resource, hash, attempts, knows, password } = row;
  const record = {
    ...{ id, sync, key, run, claim: at.claim, resource: resource as Resource, goal: goalOf(row) },
    wanted: row.wanted,
    desired: JSON.parse(row.desired) as Payload,
    attachments: JSON.parse(row.attachments) as StagedAttachment[],
    ...{ hash: hash ?? '', attempts },
  };
  if (knows === 'found' || knows === 'known' || knows === 'maybeGone') {
    return { ...record, knows, item: toItem(row), open };
  }
  if (knows === 'none') return { ...record, knows: 'none', password };
  return { ...record, knows, password, open, quiet: { ...quietOf(row, at), ...failureOf(row, open, at) } };
}

function goalOf({ goal, expects: hash, delivered }: ClaimedRow): Goal {
  const expects = hash === null ? {} : { expects: hash };
  if (goal === 'delete') return { is: 'gone', ...expects };
  if (goal === 'mark' || goal === 'restore') return { is: 'exactly', as: goal, ...expects };
  // Once the item that an undo has created is confirmed, it gets the content of the source like any other.
  return { is: hash === null || delivered !== null ? 'have' : 'haveOnce' };
}

function toItem(row: ClaimedRow): KnownItem {
  const incomplete = filesIn(row.undelivered_files, row.now);
  return {
    cmsId: Number(row.cms_id),
    delivered: deliveredIn(row),
    base: payloadIn(row.delivered) ?? {},
    ...itemIn(row.item),
    ...(incomplete && { incomplete }),
  };
}

/** When the last create of a record had failed, in the time of this process, if each of them has. */
function failureOf({ now }: ClaimedRow, open: readonly OpenAttempt[], { end }: ClaimTime): Pick<Quiet, 'failedAt'> {
  const times = open.filter(({ method }) => method !== 'PATCH').map(({ settledAt }) => settledAt);
  if (times.length === 0 || times.includes(undefined)) return {};
  const agoMs = Math.min(...times.map((time = 0) => now - time));
  // A failure in the future was written before the clock went back.
  return { failedAt: end - Math.max(0, agoMs) };
}

/** When the last claim of a record ended, in the time of this process, and whether the ledger's clock can be trusted about it. */
function quietOf({ quiet_since, retry_at, now }: ClaimedRow, { end, trustedSince }: ClaimTime): Quiet {
  // Its request may have been under way until `retry_at`.
  const isLater = quiet_since !== null && retry_at !== null && quiet_since > retry_at;
  const endedAt = isLater ? quiet_since : (retry_at ?? quiet_since);
  const agoMs = endedAt === null ? 0 : now - endedAt;
  // The end lies in the future: the clock has gone back since.
  if (agoMs < 0) return { since: end, doubtedSince: end };
  const since = end - agoMs;
  const isDoubted = endedAt === null || since < trustedSince;
  return { since, ...(isDoubted ? { doubtedSince: trustedSince } : {}) };
}
