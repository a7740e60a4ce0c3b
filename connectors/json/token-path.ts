import { type ParsedTokenInfo, TokenType } from '@streamparser/json';
import type { Keys } from './path.ts';

interface Frame {
  /** Key of the current member or item. */
  key: string | number;
  expectsKey: boolean;
}

/** Tracks the path of the current token in a JSON document. */
export class TokenPath {
  readonly #frames: Frame[] = [];

  get depth(): number {
    return this.#frames.length;
  }

  /** The keys that lead to the value whose start is the next token. */
  get keys(): Keys {
    return this.#frames.map((frame) => frame.key);
  }

  get key(): string | number | undefined {
    return this.#frames.at(-1)?.key;
  }

  /** Returns the role of a token at this path. A `value` is not a container. */
  kindOf({ token }: ParsedTokenInfo): 'object' | 'list' | 'value' | 'name' | 'punctuation' {
    if (token === TokenType.LEFT_BRACE) return 'object';
    if (token === TokenType.LEFT_BRACKET) return 'list';
    if (token === TokenType.STRING) return this.#frames.at(-1)?.expectsKey ? 'name' : 'value';
    const isValue =
      token === TokenType.NUMBER || token === TokenType.TRUE || token === TokenType.FALSE || token === TokenType.NULL;
    return isValue ? 'value' : 'punctuation';
  }

  /** Moves past a token. */
  follow({ token, value }: ParsedTokenInfo): void {
    const frame = this.#frames.at(-1);
    if (token === TokenType.LEFT_BRACE) this.#frames.push({ key: '', expectsKey: true });
    else if (token === TokenType.LEFT_BRACKET) this.#frames.push({ key: 0, expectsKey: false });
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#frames.pop();
    else if (frame && token === TokenType.COMMA) {
      if (typeof frame.key === 'number') frame.key += 1;
      else frame.expectsKey = true;
    } else if (frame?.expectsKey && token === TokenType.STRING) {
      frame.key = String(value);
      frame.expectsKey = false;
    }
  }
}
