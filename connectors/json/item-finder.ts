import { CodedError } from '../../src/core/errors.ts';
import { formatKey, formatPath, formatSteps, type Keys, matches, type Step } from './path.ts';

const MAX_NAMES = 30;

/** Knows where in a document the items are, and can say what is there instead. */
export class ItemFinder {
  readonly #location: string;
  /** To the container of the items; undefined: the document where it is a list, else the only list among its members. */
  readonly #steps: readonly Step[] | undefined;
  readonly #inObjects: boolean;
  /** Names of members seen on the way, by their depth. */
  readonly #names = new Map<number, Set<string>>();
  #found: Keys | undefined;

  /** The path leads to a list, or to its items by a `[*]` at its end, or by `.*` to the children of a list or object. */
  constructor(path: readonly Step[] | undefined, location: string) {
    this.#location = location;
    const last = path?.at(-1);
    const every = last !== undefined && 'every' in last ? last.every : undefined;
    this.#steps = every === undefined ? path : path?.slice(0, -1);
    this.#inObjects = every === 'child';
  }

  get found(): boolean {
    return this.#found !== undefined;
  }

  /**
   * Whether a container that opens holds the items.
   * @throws CodedError FF_FEED_FORMAT where it is not clear which of several lists is meant.
   */
  isOpened(container: 'object' | 'list', keys: Keys): boolean {
    const isPlace = this.#steps === undefined ? keys.length <= 1 : matches(this.#steps, keys);
    if (!isPlace) return false;
    if (container === 'object' && !this.#inObjects) {
      if (this.#steps !== undefined) this.see([...keys, '(an object)']);
      return false;
    }
    if (this.#steps === undefined && this.#found !== undefined && keys.length > 0)
      throw this.#ambiguous(this.#found, keys);
    this.#found ??= keys;
    return true;
  }

  /** Remembers a name on the way to the items. */
  see(keys: Keys): void {
    if (keys.length > (this.#steps?.length ?? 0) + 1) return;
    if (!matches(this.#steps?.slice(0, keys.length - 1) ?? [], keys.slice(0, -1))) return;
    const names = this.#names.get(keys.length) ?? new Set();
    this.#names.set(keys.length, names);
    if (names.size < MAX_NAMES) names.add(String(keys.at(-1)));
  }

  /** The error for a document that has no such list. */
  notFound(): CodedError {
    const wanted = this.#steps === undefined ? 'a list' : `a list at ${formatSteps(this.#steps)}`;
    const there = [...this.#names.values()].map((names) =>
      [...names].map((name) => `"${name.slice(0, 60)}"`).join(', '),
    );
    const instead = there.length === 0 ? 'it has no members' : `it has ${there.join('; inside ')}`;
    return new CodedError('FF_FEED_FORMAT', `${this.#location} does not have ${wanted}: ${instead}.`);
  }

  #ambiguous(one: Keys, other: Keys): CodedError {
    const lists = `${formatPath(one)} and ${formatPath(other)}`;
    const message = `${this.#location} has several lists: ${lists}. Choose one with source.items.`;
    return new CodedError('FF_FEED_FORMAT', message);
  }
}

/** Tells the place of items cheaply: most of it is the same for all. */
export function placesBelow(keys: Keys): (key: string | number) => string {
  const container = formatPath(keys);
  return (key) => container + formatKey(key);
}
