/**
 * Asks once for all who ask within a time; a failure is not kept.
 * @param version an answer of an earlier version is not reused
 */
export function sharedFor<T>(ms: number, ask: () => Promise<T>, version: () => number = () => 0): () => Promise<T> {
  let last: { askedAt: number; version: number; answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last && now - last.askedAt <= ms && last.version === version()) return last.answer;
    const current = { askedAt: now, version: version(), answer: ask() };
    last = current;
    current.answer.catch(() => {
      if (last === current) last = undefined;
    });
    return current.answer;
  };
}
