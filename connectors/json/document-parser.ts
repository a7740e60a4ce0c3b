import { type ParsedTokenInfo, TokenParser, TokenType } from '@streamparser/json';
import { CodedError } from '../../src/core/errors.ts';
import { ExactTokenizer, MAX_DEPTH } from './exact-numbers.ts';
import type { ItemFinder } from './item-finder.ts';
import { formatKey, formatPath, matches, type Step } from './path.ts';
import { TokenPath } from './token-path.ts';

/**
 * Parses one JSON document (RFC 8259) while it streams, holding no more than one item. Names such as `__proto__` are
 * ordinary, large integers stay exact.
 */
export class DocumentParser {
  /** The items that were completed and not taken yet. */
  readonly items: Array<{ at: string; value: unknown }> = [];
  /** The wanted values that were found. */
  readonly values = new Map<string, string | number | boolean>();
  readonly #finder: ItemFinder;
  readonly #wanted: Readonly<Record<string, readonly Step[]>>;
  readonly #location: string;
  readonly #tokenizer = new ExactTokenizer({ stringBufferSize: 4096 });
  /** Checks the document, with null in the place of each item, and keeps nothing. */
  readonly #envelope = new TokenParser({ paths: ['$.never.emitted'], keepStack: false });
  /** Builds one item after the other. */
  readonly #item = new TokenParser({ paths: ['$'], separator: '' });
  readonly #path = new TokenPath();
  /** The open container that has the items: its depth, and its path for people. */
  #container: { depth: number; place: string } | undefined;
  /** Containers open inside the current item. */
  #openInItem = 0;

  /** @param wanted single values outside the items, by name */
  constructor(finder: ItemFinder, wanted: Readonly<Record<string, readonly Step[]>>, location: string) {
    this.#finder = finder;
    this.#wanted = wanted;
    this.#location = location;
    this.#tokenizer.onToken = (token) => (this.#openInItem > 0 ? this.#continueItem(token) : this.#follow(token));
    this.#item.onValue = ({ value }) => {
      const at = `${this.#container?.place ?? '$'}${formatKey(this.#path.key ?? 0)}`;
      this.items.push({ at, value });
    };
  }

  /**
   * @throws TokenizerError or TokenParserError at the first character that is not JSON; CodedError FF_FEED_FORMAT if the
   *   items are ambiguous or nested too deeply
   */
  write(text: string): void {
    this.#tokenizer.write(text);
  }

  /** Ends the text. @returns whether the document was complete */
  end(): boolean {
    try {
      if (!this.#tokenizer.isEnded) this.#tokenizer.end();
      return this.#envelope.isEnded;
    } catch {
      return false;
    }
  }

  #follow(token: ParsedTokenInfo): void {
    const kind = this.#path.kindOf(token);
    if (this.#container?.depth === this.#path.depth && kind !== 'name' && kind !== 'punctuation') {
      this.#envelope.write({ token: TokenType.NULL, value: null });
      if (kind !== 'value') this.#openInItem = 1;
      this.#item.write(token);
      return;
    }
    if (kind === 'object' || kind === 'list') this.#open(kind);
    else if (kind === 'value') this.#keepIfWanted(token);
    this.#envelope.write(token);
    this.#path.follow(token);
    if (kind === 'name') this.#finder.addName(this.#path.keys);
    if (this.#container !== undefined && this.#path.depth < this.#container.depth) this.#container = undefined;
  }

  #continueItem(token: ParsedTokenInfo): void {
    if (token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET) {
      this.#openInItem += 1;
      this.#checkDepth(this.#path.depth + this.#openInItem);
    } else if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) {
      this.#openInItem -= 1;
    }
    this.#item.write(token);
  }

  #open(kind: 'object' | 'list'): void {
    const keys = this.#path.keys;
    this.#checkDepth(keys.length + 1);
    if (this.#finder.isOpened(kind, keys)) this.#container = { depth: keys.length + 1, place: formatPath(keys) };
  }

  #checkDepth(depth: number): void {
    if (depth <= MAX_DEPTH) return;
    throw new CodedError('FF_FEED_FORMAT', `${this.#location} is nested more than ${MAX_DEPTH} levels deep.`);
  }

  #keepIfWanted({ value }: ParsedTokenInfo): void {
    if (value === null || value === undefined) return;
    for (const [name, steps] of Object.entries(this.#wanted)) {
      if (matches(steps, this.#path.keys)) this.values.set(name, value);
    }
  }
}

/** Rewords a syntax error of the parser: the character and its byte, counted from 0. */
export function syntaxProblem({ message }: Error): string {
  return message
    .replace(/ at chunk position "?\d+"? \(absolute position "?(\d+)"?\)/, ' at byte $1')
    .replace(/ in state \w+/, '')
    .replace(/\.$/, '')
    .replace(/\p{Cc}/gu, '?')
    .slice(0, 200);
}
