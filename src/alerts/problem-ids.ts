import { hashJson } from '../core/hash.ts';
import type { RunReport } from '../core/run.ts';

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
