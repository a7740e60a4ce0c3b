import { type ParsedTokenInfo, TokenType } from '@streamparser/json';

/** Containers deeper than this are no data that anybody maps; a hostile feed nests millions. */
export const MAX_DEPTH = 200;

export type Container = 'object' | 'list';

/** Follows the tokens of a JSON document, to know at any time where in it they stand. */
export class Outline {
  readonly #frames: Array<{ container: Container; key: string | number; expectsKey: boolean }> = [];
  readonly #onOpen: (container: Container, keys: Array<string | number>) => void;

  /** `onOpen` is told of every container and of the keys that lead to it, before what is in it. */
  constructor(onOpen: (container: Container, keys: Array<string | number>) => void) {
    this.#onOpen = onOpen;
  }

  get depth(): number {
    return this.#frames.length;
  }

  /** The keys that lead to the value that a token starts. */
  get keys(): Array<string | number> {
    return this.#frames.map((frame) => frame.key);
  }

  /** @returns whether the token is the name of a member. */
  follow({ token, value }: ParsedTokenInfo): boolean {
    const frame = this.#frames.at(-1);
    if (token === TokenType.LEFT_BRACE) this.#open('object');
    else if (token === TokenType.LEFT_BRACKET) this.#open('list');
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#frames.pop();
    else if (frame && token === TokenType.COMMA) {
      if (typeof frame.key === 'number') frame.key += 1;
      else frame.expectsKey = true;
    } else if (frame?.expectsKey && token === TokenType.STRING) {
      frame.key = String(value);
      frame.expectsKey = false;
      return true;
    }
    return false;
  }

  #open(container: Container): void {
    this.#onOpen(container, this.keys);
    const isObject = container === 'object';
    this.#frames.push({ container, key: isObject ? '' : 0, expectsKey: isObject });
  }
}
