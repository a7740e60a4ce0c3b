/** Asks once for all who ask within a time; a failure is not kept. */
export function sharedFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { askedAt: number; answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last && now - last.askedAt <= ms) return last.answer;
    const current = { askedAt: now, answer: ask() };
    last = current;
    current.answer.catch(() => {
      if (last === current) last = undefined;
    });
    return current.answer;
  };
}
