/** A machine may sleep meanwhile, and timers of Node.js are limited to 24 days. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Calls `fire` at each time that `next` returns. Of times that the machine slept through, only one counts.
 * @param next returns the first time after another, in ms since 1970; undefined: there is none
 * @returns a function that stops the timer
 */
export function startTimer(next: (after: number) => number | undefined, fire: (at: number) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  wait(next(Date.now()));
  return () => clearTimeout(timer);

  function wait(at: number | undefined): void {
    if (at === undefined) return;
    timer = setTimeout(() => look(at), Math.min(LONGEST_WAIT_MS, at - Date.now()));
  }

  function look(at: number): void {
    const now = Date.now();
    const isDue = now >= at;
    wait(isDue ? next(now) : at);
    if (isDue) fire(at);
  }
}
