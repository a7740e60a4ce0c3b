import { setFlagsFromString } from 'node:v8';

/** Backtracks at most for one text: about a tenth of a second, and enough for a plain word in a text of millions of characters. */
const MOST_BACKTRACKS = 10_000_000;

/**
 * Returns a function that looks for a regular expression of the config in a text. It counts the backtracks of the engine, so the
 * same text always has the same result, however slow the machine is.
 * @throws Error (the returned function) if a text needs too many
 */
export function countedPattern(source: string, flags: string): (text: string) => boolean {
  // The engine also finds nothing if it ends early. The last alternative matches the end of any text, and sets the last group.
  const pattern = withLimit(`(?:${source})|$(?![^])()`, flags);
  return (text) => {
    const match = pattern.exec(text);
    if (match) return match.at(-1) === undefined;
    throw new Error(`it takes longer than ${MOST_BACKTRACKS.toLocaleString('en')} steps`);
  };
}

/** V8 offers no limit but by a function of its own syntax, which is switched off again at once. */
function withLimit(source: string, flags: string): RegExp {
  setFlagsFromString('--allow-natives-syntax');
  try {
    const create = new Function('source', 'flags', 'most', 'return %NewRegExpWithBacktrackLimit(source, flags, most)');
    return create(source, flags, MOST_BACKTRACKS);
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}
