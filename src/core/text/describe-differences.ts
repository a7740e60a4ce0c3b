const CAUSES = ['edited', 'deleted', 'doubled', 'orphan', 'fileMissing', 'undelivered'] as const;
const names: Readonly<Record<string, string>> = { orphan: 'orphaned', fileMissing: 'with a missing file' };

/** Returns how many differences a verification has found, by cause: "7 edited, 5 deleted". */
export function describeDifferences(counts: Partial<Record<(typeof CAUSES)[number], number>>): string {
  return CAUSES.flatMap((cause) => ((counts[cause] ?? 0) > 0 ? `${counts[cause]} ${names[cause] ?? cause}` : [])).join(
    ', ',
  );
}
