import { CodedError } from '../../src/core/errors.ts';
import { formatPath, formatSteps, type Keys, matches, type Step } from './path.ts';

const MAX_NAMES = 30;

/** Finds the container of the items in a document, and describes what the document has instead. */
export class ItemFinder {
  readonly #location: string;
  /** The path to the container. Undefined: the document if it is a list, otherwise the only list among its members. */
  readonly #steps: readonly Step[] | undefined;
  readonly #inObjects: boolean;
  /** Names of members on the way, by depth. */
  readonly #names = new Map<number, Set<string>>();
  #found: Keys | undefined;

  /** @param path leads to a list, or by a final `[*]` to its items, or by a final `.*` to the children of a list or object */
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
   * Returns true if a container that opens has the items.
   * @throws CodedError FF_FEED_FORMAT if several lists could be meant
   */
  isOpened(container: 'object' | 'list', keys: Keys): boolean {
    const isPlace = this.#steps === undefined ? keys.length <= 1 : matches(this.#steps, keys);
    if (!isPlace) return false;
    if (container === 'object' && !this.#inObjects) {
      if (this.#steps !== undefined) this.addName([...keys, '(an object)']);
      return false;
    }
    if (this.#steps === undefined && this.#found !== undefined && keys.length > 0) {
      const lists = `${formatPath(this.#found)} and ${formatPath(keys)}`;
      const message = `${this.#location} has several lists: ${lists}. Choose one with source.items.`;
      throw new CodedError('FF_FEED_FORMAT', message);
    }
    this.#found ??= keys;
    return true;
  }

  /** Remembers a name on the way to the items, for `notFound`. */
  addName(keys: Keys): void {
    if (keys.length > (this.#steps?.length ?? 0) + 1) return;
    if (!matches(this.#steps?.slice(0, keys.length - 1) ?? [], keys.slice(0, -1))) return;
    const names = this.#names.get(keys.length) ?? new Set();
    this.#names.set(keys.length, names);
    if (names.size < MAX_NAMES) names.add(String(keys.at(-1)));
  }

  notFound(): CodedError {
    const wanted = this.#steps === undefined ? 'a list' : `a list at ${formatSteps(this.#steps)}`;
    const levels = [...this.#names.values()].map((names) =>
      [...names].map((name) => `"${name.slice(0, 60)}"`).join(', '),
    );
    const instead = levels.length === 0 ? 'it has no members' : `it has ${levels.join('; inside ')}`;
    return new CodedError('FF_FEED_FORMAT', `${this.#location} does not have ${wanted}: ${instead}.`);
  }
}
