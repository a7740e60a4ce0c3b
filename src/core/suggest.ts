import { distance } from 'fastest-levenshtein';

/** Returns the known name that was probably meant: one that differs only in case, or by one or two typos. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  return (
    known.find((candidate) => candidate.toLowerCase() === lower) ??
    known
      .map((candidate) => ({ candidate, edits: distance(candidate.toLowerCase(), lower) }))
      .filter(({ candidate, edits }) => edits <= toleratedEdits(candidate, name))
      .sort((a, b) => a.edits - b.edits)[0]?.candidate
  );
}

/** Returns the end of a message about an unknown name: `; did you mean "title"?`, or ''. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

/** Two edits turn a short word into any other: "kind" is not a slip for "end". */
function toleratedEdits(candidate: string, name: string): number {
  return Math.min(candidate.length, name.length) <= 4 ? 1 : 2;
}
