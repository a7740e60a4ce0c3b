/** What was done when, for finding out why a round went wrong. */
export interface Story {
  note(what: string): void;
  lines(): string[];
}

export function beginStory(): Story {
  const startedAt = performance.now();
  const lines: string[] = [];
  return {
    note: (what) => void lines.push(`${Math.round(performance.now() - startedAt)} ms: ${what}`),
    lines: () => lines,
  };
}
