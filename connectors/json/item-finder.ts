import { CodedError } from '../../src/core/errors.ts';
import { formatPath, formatSteps, type Keys, matches, type Step } from './path.ts';

const MAX_NAMES = 30;

export type ItemFinder = ReturnType<typeof createItemFinder>;

/**
 * Creates a finder of the container of the items in a document, which also describes what the document has instead.
 * @param path leads to a list, or by a final `[*]` to its items, or by a final `.*` to the children of a list or object.
 *   Default: the document if it is a list, otherwise the only list among its members
 */
export function createItemFinder(path: readonly Step[] | undefined, location: string) {
  const last = path?.at(-1);
  const every = last !== undefined && 'every' in last ? last.every : undefined;
  const steps = every === undefined ? path : path?.slice(0, -1);
  /** Names of members on the way, by depth. */
  const names = new Map<number, Set<string>>();
  let found: Keys | undefined;
  return { hasFound: () => found !== undefined, isOpened, addName, notFound };

  /**
   * Returns true if a container that opens has the items.
   * @throws CodedError FF_FEED_FORMAT if several lists could be meant
   */
  function isOpened(container: 'object' | 'list', keys: Keys): boolean {
    const isPlace = steps === undefined ? keys.length <= 1 : matches(steps, keys);
    if (!isPlace) return false;
    if (container === 'object' && every !== 'child') {
      if (steps !== undefined) addName([...keys, '(an object)']);
      return false;
    }
    if (steps === undefined && found !== undefined && keys.length > 0) {
      const lists = `${formatPath(found)} and ${formatPath(keys)}`;
      const message = `${location} has several lists: ${lists}. Choose one with source.items.`;
      throw new CodedError('FF_FEED_FORMAT', message);
    }
    found ??= keys;
    return true;
  }

  /** Remembers a name on the way to the items, for `notFound`. */
  function addName(keys: Keys): void {
    if (keys.length > (steps?.length ?? 0) + 1) return;
    if (!matches(steps?.slice(0, keys.length - 1) ?? [], keys.slice(0, -1))) return;
    const known = names.get(keys.length) ?? new Set();
    names.set(keys.length, known);
    if (known.size < MAX_NAMES) known.add(String(keys.at(-1)));
  }

  function notFound(): CodedError {
    const wanted = steps === undefined ? 'a list' : `a list at ${formatSteps(steps)}`;
    const levels = [...names.values()].map((known) => [...known].map((name) => `"${name.slice(0, 60)}"`).join(', '));
    const instead = levels.length === 0 ? 'it has no members' : `it has ${levels.join('; inside ')}`;
    return new CodedError('FF_FEED_FORMAT', `${location} does not have ${wanted}: ${instead}.`);
  }
}
