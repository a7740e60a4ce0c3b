/** Returns a function that sends requests of a kind one at a time until something is known that their answers show. */
export function oneAtATime() {
  let first: Promise<unknown> | undefined;
  return async function sendAlone<Result>(isKnown: () => boolean, send: () => Promise<Result>): Promise<Result> {
    while (!isKnown() && first) await first.catch(() => undefined);
    if (isKnown()) return send();
    const sending = send();
    first = sending;
    try {
      return await sending;
    } finally {
      first = undefined;
    }
  };
}
