import { CodedError } from '../../src/core/errors.ts';
import { isErrorName } from '../../src/core/paging/error-signs.ts';
import { formatPath, formatSteps, type Keys, matches, type Step } from './path.ts';

const MAX_NAMES = 30;
const MAX_LISTS = 20;
const messageName = /^(error|error_?description|message|detail|reason)$/i;

/** A container that has or may have the items. */
export interface ItemContainer {
  keys: Keys;
  /** Number of items read so far. */
  items: number;
  /** Whether the items are only counted. */
  isOther: boolean;
}

export type ItemFinder = ReturnType<typeof createItemFinder>;

/**
 * Creates a finder of the container of the items in a document, which also describes what the document has instead.
 * @param path leads to a list, or by a final `[*]` to its items, or by a final `.*` to the children of a list or object.
 * Default: the document if it is a list, otherwise the only list among its members, otherwise the only list at any depth
 */
export function createItemFinder(path: readonly Step[] | undefined, location: string) {
  const last = path?.at(-1);
  const every = last !== undefined && 'every' in last ? last.every : undefined;
  const steps = every === undefined ? path : path?.slice(0, -1);
  /** Names of members on the way, by depth. */
  const names = new Map<number, Set<string>>();
  /** Candidate lists, of which only one can be meant. */
  let lists: ItemContainer[] = [];
  let found: ItemContainer | undefined;
  let isTaken = false;
  let isNull = false;
  let isObject = false;
  let reason: string | undefined;

  return {
    open: steps === undefined ? openAny : openAt,
    addName,
    addValue,
    notFound,
    /** Whether the value at the place of the list is null, as some servers write an empty list. */
    isNull: () => isNull,
    /** The place of the items. */
    place: () => found?.keys,
    checkOnlyOne,
    /** Whether no path was given: then a list may turn out to be a wrong guess, and its items are dropped. */
    isGuess: steps === undefined,
    hasFound: () => found !== undefined,
    /** Returns true if the items are in a list that was neither named nor is among the members of the document. */
    isDeep: () => steps === undefined && found !== undefined && found.keys.length > 1,
    /** Records that items of the found list were taken: another list can no longer replace it. */
    take: () => {
      isTaken = true;
    },
  };

  /** Returns an opening container if it has the items. */
  function openAt(container: 'object' | 'list', keys: Keys): ItemContainer | undefined {
    if (!matches(steps ?? [], keys)) return undefined;
    if (container === 'object' && every !== 'child') {
      isObject = true;
      addName([...keys, '(an object)']);
      return undefined;
    }
    found ??= { keys, items: 0, isOther: false };
    return { keys, items: 0, isOther: false };
  }

  /** Returns an opening list if it may have the items. A list among the members of the document precedes deeper lists. */
  function openAny(container: 'object' | 'list', keys: Keys): ItemContainer | undefined {
    const isDeep = keys.length > 1;
    const isError = keys.some((key) => isErrorName(key));
    if (container === 'object' || isError) return undefined;
    if (found && (keys.length === 0 || (isDeep && found.keys.length <= 1))) return undefined;
    if (!isDeep && !isTaken && found && found.keys.length > 1) {
      lists = [];
      found = undefined;
    }
    const list = { keys, items: 0, isOther: found !== undefined };
    if (lists.length < MAX_LISTS) lists.push(list);
    found ??= list;
    return list;
  }

  /** @throws CodedError FF_FEED_FORMAT if several lists could be meant */
  function checkOnlyOne(): void {
    if (lists.length < 2) return;
    const shown = lists.map(({ keys, items }) => `${formatPath(keys)} (${items} ${items === 1 ? 'item' : 'items'})`);
    const [longest] = lists.toSorted((a, b) => b.items - a.items);
    const remedy = `Add the list to read under source, for example: items: ${formatPath(longest?.keys ?? [])}`;
    throw new CodedError('FF_FEED_FORMAT', `${location} has several lists: ${shown.join(', ')}.`, { remedy });
  }

  /** Remembers a name on the way to the items, for `notFound`. */
  function addName(keys: Keys): void {
    if (keys.length > (steps?.length ?? 0) + 1) return;
    if (!matches(steps?.slice(0, keys.length - 1) ?? [], keys.slice(0, -1))) return;
    const known = names.get(keys.length) ?? new Set();
    names.set(keys.length, known);
    if (known.size < MAX_NAMES) known.add(String(keys.at(-1)));
  }

  /** Remembers a null in place of the list, and a value that may explain why a server sends no feed. */
  function addValue(keys: Keys, value: unknown): void {
    isNull ||= value === null && steps !== undefined && matches(steps, keys);
    const isNear = keys.length <= 2 || keys.some((key) => isErrorName(key));
    if (typeof value !== 'string' || !isNear || !messageName.test(String(keys.at(-1)))) return;
    reason ??= `${keys.join('.')}: ${JSON.stringify(value.slice(0, 100))}`;
  }

  function notFound(): CodedError {
    const wanted = steps === undefined ? 'a list' : `a list at ${formatSteps(steps)}`;
    const levels = [...names.values()].map((known) => [...known].map((name) => `"${name.slice(0, 60)}"`).join(', '));
    const instead = levels.length === 0 ? 'it has no members' : `it has ${levels.join('; inside ')}`;
    const remedy = `If the members of the object are the records, write \`items: ${formatSteps([...(steps ?? []), { every: 'child' }])}\` under source. It also reads a list.`;
    return new CodedError(
      'FF_FEED_FORMAT',
      `${location} does not have ${wanted}: ${instead}${reason ? ` (${reason})` : ''}.`,
      isObject ? { remedy } : {},
    );
  }
}
