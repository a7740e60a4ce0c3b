/**
 * Looks at each tick for what is due. A look that is still in progress is not begun again, and does not delay the others.
 * @param looks must not throw
 * @returns a function that ends the ticks, and waits for the looks in progress
 */
export function startTicks(looks: ReadonlyArray<() => Promise<void>>, everyMs: number): () => Promise<void> {
  const inProgress = new Map<() => Promise<void>, Promise<void>>();
  const timer = setInterval(() => {
    for (const look of looks) {
      if (!inProgress.has(look))
        inProgress.set(
          look,
          look().finally(() => inProgress.delete(look)),
        );
    }
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await Promise.all(inProgress.values());
  };
}
