import { distance } from 'fastest-levenshtein';

/** The known name that was probably meant: one that differs only by case, or by a typing error or two. */
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

/** The end of a message about an unknown name: `; did you mean "title"?`, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

/** Two edits turn a short word into any other: "kind" is not a slip for "end". */
function toleratedEdits(candidate: string, name: string): number {
  return Math.min(candidate.length, name.length) <= 4 ? 1 : 2;
}
