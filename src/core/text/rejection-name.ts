import { hashJson } from '../hash.ts';
import type { RunReport } from '../run.ts';

/** The mark of a name that replaces the key of a record. */
const UNNAMED = '?';

/** Returns the name by which a rejection is acknowledged: the key of its record, else a hash of the reason. */
export function rejectionName({ key, code, reason }: { key?: string | null; code: string; reason: string }): string {
  return key || `${UNNAMED}${hashJson([code, reason]).slice(0, 12)}`;
}

/** Whether a name may be that of a rejection without a key. */
export function mayBeUnnamed(name: string): boolean {
  return name.startsWith(UNNAMED);
}

/**
 * Returns ids of the problems that a run has with its records. A problem keeps its id if the next run has it, too: the same record
 * is rejected for the same reason, or is not delivered because of the same error. A record without a key is known by the reason,
 * because its place changes with the feed; if several have the same reason, each has an id.
 */
export function problemIds({ rejections, problems }: Pick<RunReport, 'rejections' | 'problems'>): string[] {
  const times = new Map<string, number>();
  const texts = [
    ...rejections.map(({ code, key, reason }) => JSON.stringify([code, key ?? null, reason])),
    ...problems.map(({ code, key }) => JSON.stringify([code, key])),
  ];
  return texts.map((text) => {
    const time = (times.get(text) ?? 0) + 1;
    times.set(text, time);
    return hashJson([text, time]).slice(0, 12);
  });
}
