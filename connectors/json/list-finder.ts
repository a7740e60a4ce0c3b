import type { ParsedTokenInfo } from '@streamparser/json';
import { CodedError } from '../../src/core/errors.ts';
import { type Container, MAX_DEPTH, Outline } from './outline.ts';
import { matches, type Step, showPath } from './path.ts';

type Keys = ReadonlyArray<string | number>;

const MAX_NAMES = 30;

/** Finds the list of records while a document streams by, and can say what is there instead. */
export class ListFinder {
  /** How many steps below the root the records are. */
  readonly itemDepth: number;
  readonly #steps: Step[] | undefined;
  readonly #location: string;
  readonly #outline = new Outline((container, keys) => this.#opened(container, keys));
  /** Names of members seen, by the depth they are at, on the way to the list. */
  readonly #names = new Map<number, Set<string>>();
  #found: Keys | undefined;

  /** Without steps the list is the only one among the document's members. */
  constructor(steps: Step[] | undefined, location: string) {
    this.#steps = steps;
    this.#location = location;
    this.itemDepth = (steps?.length ?? 1) + 1;
  }

  get found(): boolean {
    return this.#found !== undefined;
  }

  /** @throws CodedError FF_FEED_FORMAT where the document is not what the path says, or is nested too deeply. */
  follow(token: ParsedTokenInfo): void {
    const isName = this.#outline.follow(token);
    if (isName && this.#outline.depth < this.itemDepth) this.#remember(this.#outline.keys);
  }

  /** The place of the value that was just completed, if it is an item of the list. */
  itemPlace(): string | undefined {
    const keys = this.#outline.keys;
    return typeof keys.at(-1) === 'number' && this.#isList(keys.slice(0, -1)) ? showPath(keys) : undefined;
  }

  /** The error for a document that has no such list. */
  notFound(): CodedError {
    const wanted = this.#steps === undefined ? 'a list' : `a list at ${showSteps(this.#steps)}`;
    const there = [...this.#names].map(([, names]) => [...names].map((name) => `"${name.slice(0, 60)}"`).join(', '));
    const instead = there.length === 0 ? 'it has no members' : `it has ${there.join('; inside ')}`;
    return new CodedError('FF_FEED_FORMAT', `${this.#location} does not have ${wanted}: ${instead}.`);
  }

  #isList(keys: Keys): boolean {
    return this.#steps === undefined ? keys.length === 1 : matches(this.#steps, keys);
  }

  #opened(container: Container, keys: Keys): void {
    if (keys.length >= MAX_DEPTH) {
      throw new CodedError('FF_FEED_FORMAT', `${this.#location} is nested more than ${MAX_DEPTH} levels deep.`);
    }
    if (!this.#isList(keys)) return;
    if (container === 'object') {
      if (this.#steps !== undefined) this.#remember([...keys, '(an object)']);
      return;
    }
    if (this.#steps === undefined && this.#found !== undefined && this.#found[0] !== keys[0]) {
      const lists = `${showPath(this.#found)} and ${showPath(keys)}`;
      throw new CodedError(
        'FF_FEED_FORMAT',
        `${this.#location} has several lists: ${lists}. Choose one with source.items.`,
      );
    }
    this.#found ??= keys;
  }

  #remember(keys: Keys): void {
    const steps = this.#steps?.slice(0, keys.length - 1) ?? [];
    if (!matches(steps, keys.slice(0, -1))) return;
    const names = this.#names.get(keys.length) ?? new Set();
    this.#names.set(keys.length, names);
    if (names.size < MAX_NAMES) names.add(String(keys.at(-1)));
  }
}

function showSteps(steps: readonly Step[]): string {
  return `$${steps.map((step) => ('every' in step ? '[*]' : showPath([step.member]).slice(1))).join('')}`;
}
