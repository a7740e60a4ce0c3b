const CAUSES = ['edited', 'deleted', 'doubled', 'orphan', 'fileMissing', 'undelivered'];
const names: Readonly<Record<string, string>> = { orphan: 'orphaned', fileMissing: 'with a missing file' };

/** Returns how many differences a verification has found, by cause: "7 edited, 5 deleted". */
export function describeDifferences(counts: Readonly<Partial<Record<string, number>>>): string {
  return CAUSES.flatMap((cause) => ((counts[cause] ?? 0) > 0 ? `${counts[cause]} ${names[cause] ?? cause}` : [])).join(
    ', ',
  );
}
