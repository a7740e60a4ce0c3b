import { distance } from 'fastest-levenshtein';

/** Returns the known name that was probably meant: a name that differs only in case, or by one or two typos. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  return similar(name, known)[0];
}

/** Returns the known names that differ only in case, or by one or two typos, the most similar first. */
export function similar(name: string, known: readonly string[]): string[] {
  const lower = name.toLowerCase();
  return known
    .map((candidate) => ({ candidate, edits: distance(candidate.toLowerCase(), lower) }))
    .filter(({ candidate, edits }) => edits <= toleratedEdits(candidate, name))
    .sort((a, b) => a.edits - b.edits)
    .map(({ candidate }) => candidate);
}

/** Guesses how fields that are missing are called now: by a similar spelling, or because one field is missing and one is not used. */
export function newNames(missing: readonly string[], unused: readonly string[]): Map<string, string> {
  const [only] = missing.length === 1 && unused.length === 1 ? unused : [];
  return new Map(
    missing.flatMap((field) => {
      const now = nearest(field, unused) ?? only;
      return now === undefined ? [] : [[field, now] as const];
    }),
  );
}

/** Returns the end of a message about an unknown name: `; did you mean "title"?`, or ''. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

/** How many edits count as typos. Two edits turn a short word into any other: "kind" is not a typo of "end". */
function toleratedEdits(candidate: string, name: string): number {
  return Math.min(candidate.length, name.length) <= 4 ? 1 : 2;
}
