import type { Payload, Resource } from '../../core/record.ts';

/** A record as it is compared by its content. */
export interface Candidate {
  key: string;
  resource: Resource;
  payload: Payload;
}

export interface Relinking {
  /** Old key → new key, if exactly one missing and one new record match. */
  links: Map<string, string>;
  /** New records that match missing ones, but not one to one. */
  ambiguous: string[];
}

/**
 * Matches missing with new records: events by title, dates and start, accounts by email or username. Some publishers give a
 * record another key at every export, as Outlook does with UIDs.
 */
export function relink(gone: readonly Candidate[], fresh: readonly Candidate[]): Relinking {
  const goneBy = groupByFingerprint(gone);
  const freshBy = groupByFingerprint(fresh);
  const relinking: Relinking = { links: new Map(), ambiguous: [] };
  for (const [fingerprint, news] of freshBy) {
    const olds = goneBy.get(fingerprint) ?? [];
    const [old] = olds;
    const [fresh] = news;
    if (old === undefined || fresh === undefined) continue;
    if (olds.length === 1 && news.length === 1) relinking.links.set(old, fresh);
    else relinking.ambiguous.push(...news);
  }
  return relinking;
}

/** Whether the keys of a whole feed have changed: most earlier records are missing, and most present ones are new. */
export function isChurn({ gone, fresh, kept }: { gone: number; fresh: number; kept: number }): boolean {
  return gone >= 3 && gone > kept && fresh > kept;
}

function groupByFingerprint(candidates: readonly Candidate[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const candidate of candidates) {
    const fingerprint = fingerprintOf(candidate);
    if (fingerprint === undefined) continue;
    const group = groups.get(fingerprint);
    if (group) group.push(candidate.key);
    else groups.set(fingerprint, [candidate.key]);
  }
  return groups;
}

function fingerprintOf({ resource, payload }: Candidate): string | undefined {
  if (resource === 'accounts') {
    const name = payload.email || payload.username;
    return typeof name === 'string' ? name.toLowerCase() : undefined;
  }
  const { title, date, endDate, time } = payload;
  const start = typeof time === 'object' && time !== null && 'start' in time ? time.start : null;
  return typeof title === 'string' ? JSON.stringify([title.trim(), date, endDate, start]) : undefined;
}
