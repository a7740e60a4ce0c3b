import { setFlagsFromString } from 'node:v8';

/** Backtracks with which a match is looked for, one after the other; all of a text get so many, and more for long texts. */
const levels = [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
const most = { backtracks: 1_000_000, perCharacter: 100 };

/** A pattern that never fails: at the end of a text it matches nothing, and sets the group that is added to its groups. */
type Countable = (level: number) => RegExp;

/**
 * Returns a function that finds all matches of a regular expression. It counts the backtracks of the engine, so the same text
 * always has the same result, however slow the machine is.
 * @throws Error (the returned function) if a text needs too many
 */
export function countedPattern(pattern: RegExp): (text: string) => RegExpExecArray[] {
  const compiled = new Map<number, RegExp>();
  const countable: Countable = (level) => {
    const known = compiled.get(level) ?? withLimit(`(?:${pattern.source})|$(?![^])()`, pattern.flags, level);
    compiled.set(level, known);
    return known;
  };
  return (text) => {
    const matches: RegExpExecArray[] = [];
    let left = most.backtracks + most.perCharacter * text.length;
    for (let from = 0; from <= text.length; ) {
      const { match, cost } = nextMatch(countable, text, from, left);
      if (match.pop() !== undefined) break;
      matches.push(match);
      left -= cost;
      from = match.index + Math.max(match[0].length, 1);
    }
    return matches;
  };
}

/** The engine says that it finds nothing if it ends early: it is asked again with a higher limit. */
function nextMatch(countable: Countable, text: string, from: number, left: number) {
  for (const cost of levels) {
    if (cost > left) break;
    const pattern = countable(cost);
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (match) return { match, cost };
  }
  throw new Error(`the regular expression takes longer than ${most.backtracks.toLocaleString('en')} steps`);
}

/** V8 offers no limit but by a function of its own syntax, which is switched off again at once. */
function withLimit(source: string, flags: string, backtracks: number): RegExp {
  setFlagsFromString('--allow-natives-syntax');
  try {
    const create = new Function('source', 'flags', 'most', 'return %NewRegExpWithBacktrackLimit(source, flags, most)');
    return create(source, flags, backtracks);
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}
