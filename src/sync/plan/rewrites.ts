import type { KnownRecord } from '../../ledger/records/known-record.ts';
import type { Decision } from '../compare/decide.ts';

/** Counts of published records that a feed has, and of rewritten ones: more than half of their delivered attributes change. */
export const noRewrites = {
  published: 0,
  rewritten: 0,
  /** The rewritten records in which only days and times change. */
  moved: 0,
  /** Whether the config is the same as in the last run: then the changes come from the feed. */
  isSameConfig: false,
};
export type Rewrites = typeof noRewrites;

const TIMES = new Set(['date', 'endDate', 'time', 'isMultiDay', 'spansMultipleDays', 'showOnAllDates']);

/** Whether only the days and times of a published record change. */
export function isMoved(decision: Decision): boolean {
  return decision.op === 'update' && decision.changed.every((attribute) => TIMES.has(attribute));
}

/** What differs from an earlier plan, by the fingerprints of both: the config, and the version of the time zone rules. */
export function compareFingerprints(before: string | undefined, now: string) {
  const [config, , oldRules] = before?.split('.') ?? [];
  const [sameConfig, , rules] = now.split('.');
  return {
    isSameConfig: config === sameConfig,
    zoneRules: oldRules !== undefined && oldRules !== rules ? `${oldRules} to ${rules}` : undefined,
  };
}

/**
 * Whether most of the delivered attributes of a record change. Flags and the external id do not count, because they stay the
 * same in most rewrites. A record whose last change is unconfirmed was judged before.
 */
export function isRewritten(
  decision: Decision,
  { payload, fingerprints, isUnconfirmed }: Pick<KnownRecord, 'payload' | 'fingerprints' | 'isUnconfirmed'>,
  externalId?: string,
): boolean {
  if (decision.op !== 'update' || isUnconfirmed) return false;
  const content = Object.entries({ ...payload, ...fingerprints }).flatMap(([attribute, value]) =>
    typeof value === 'boolean' || value === null || attribute === externalId ? [] : attribute,
  );
  return content.filter((attribute) => decision.changed.includes(attribute)).length > content.length / 2;
}
