/** A number for people: "1,204". */
export function figure(count: number): string {
  return count.toLocaleString('en-US');
}

/** A number of a table: a zero is blank, so that the others are seen. */
export function someFigure(count: number): string {
  return count === 0 ? '' : figure(count);
}

const CHANGES = { created: 'new', updated: 'changed', deleted: 'deleted', marked: 'marked as missing' } as const;

/** What changed in the CMS: "3 new, 12 changed"; empty if nothing did. */
export function countText(counts: Readonly<Record<keyof typeof CHANGES, number>>): string {
  return Object.entries(CHANGES)
    .flatMap(([name, word]) => {
      const count = counts[name as keyof typeof CHANGES];
      return count > 0 ? `${figure(count)} ${word}` : [];
    })
    .join(', ');
}

/** "1 record", "1,204 records". */
export function figureOf(count: number, noun: string): string {
  return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** "delete 23 events" → "Delete 23 events", for the label of a button. */
export function capitalised(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** "0.4 s", "12 s", "3 min", "2 h 5 min". */
export function durationText(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The time until or since an instant: "in 5 min", "2 h 5 min ago", "now". */
export function fromNow(instant: string, { now }: { now: number }): string {
  const ms = Date.parse(instant) - now;
  if (Math.abs(ms) < 30_000) return 'now';
  const days = Math.round(Math.abs(ms) / 86_400_000);
  const text = days > 1 ? `${days} days` : durationText(Math.abs(ms));
  return ms > 0 ? `in ${text}` : `${text} ago`;
}
