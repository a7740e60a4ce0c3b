import { type ParsedTokenInfo, TokenParser, TokenType } from '@streamparser/json';
import { CodedError } from '../../src/core/errors.ts';
import { ExactTokenizer, MAX_DEPTH } from './exact-numbers.ts';
import { type ItemFinder, placesBelow } from './item-finder.ts';
import { matches, type Step } from './path.ts';
import { TokenPath } from './token-path.ts';

interface DocumentReaderOptions {
  location: string;
  items: ItemFinder;
  /** Single values that stand outside of the items, by name. */
  wanted: Readonly<Record<string, readonly Step[]>>;
  onItem(at: string, value: unknown): void;
}

/**
 * Reads one JSON document (RFC 8259) as it streams by, holding no more than one item. Names such as `__proto__` are
 * ordinary, large integers stay exact.
 */
export class DocumentParser {
  /** The wanted values that were there. */
  readonly values = new Map<string, string | number | boolean>();
  readonly #options: DocumentReaderOptions;
  readonly #tokenizer = new ExactTokenizer({ stringBufferSize: 4096 });
  /** Sees the document with null in the place of each item: checks it, keeps nothing. */
  readonly #envelope = new TokenParser({ paths: ['$.never.emitted'], keepStack: false });
  /** Builds one item after the other. */
  readonly #item = new TokenParser({ paths: ['$'], separator: '' });
  readonly #outline = new TokenPath();
  /** Depth and places of the open container that holds items. */
  #container: { depth: number; place: (key: string | number) => string } | undefined;
  /** Containers open inside the item that is being read. */
  #openInItem = 0;

  constructor(options: DocumentReaderOptions) {
    this.#options = options;
    this.#tokenizer.onToken = (token) => (this.#openInItem > 0 ? this.#continueItem(token) : this.#follow(token));
    this.#item.onValue = ({ value }) => options.onItem(this.#container?.place(this.#outline.key ?? 0) ?? '$', value);
  }

  /**
   * @throws TokenizerError or TokenParserError at the first character that is not JSON, CodedError FF_FEED_FORMAT where
   *   the items are not clear, or are nested too deeply.
   */
  write(text: string): void {
    this.#tokenizer.write(text);
  }

  /** Ends the text. @returns whether the document was whole. */
  end(): boolean {
    try {
      if (!this.#tokenizer.isEnded) this.#tokenizer.end();
      return this.#envelope.isEnded;
    } catch {
      return false;
    }
  }

  #follow(token: ParsedTokenInfo): void {
    const kind = this.#outline.kindOf(token);
    if (this.#container?.depth === this.#outline.depth && kind !== 'name' && kind !== 'punctuation') {
      this.#envelope.write({ token: TokenType.NULL, value: null });
      this.#startItem(token);
      return;
    }
    if (kind === 'object' || kind === 'list') this.#open(kind);
    else if (kind === 'value') this.#keepIfWanted(token);
    this.#envelope.write(token);
    this.#outline.follow(token);
    if (kind === 'name') this.#options.items.see(this.#outline.keys);
    if (this.#container !== undefined && this.#outline.depth < this.#container.depth) this.#container = undefined;
  }

  #startItem(token: ParsedTokenInfo): void {
    if (token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET) this.#openInItem = 1;
    this.#item.write(token);
  }

  #continueItem(token: ParsedTokenInfo): void {
    if (token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET) {
      this.#openInItem += 1;
      this.#checkDepth(this.#outline.depth + this.#openInItem);
    } else if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) {
      this.#openInItem -= 1;
    }
    this.#item.write(token);
  }

  #open(kind: 'object' | 'list'): void {
    const keys = this.#outline.keys;
    this.#checkDepth(keys.length + 1);
    if (this.#options.items.isOpened(kind, keys)) {
      this.#container = { depth: keys.length + 1, place: placesBelow(keys) };
    }
  }

  #checkDepth(depth: number): void {
    if (depth <= MAX_DEPTH) return;
    const message = `${this.#options.location} is nested more than ${MAX_DEPTH} levels deep.`;
    throw new CodedError('FF_FEED_FORMAT', message);
  }

  #keepIfWanted({ value }: ParsedTokenInfo): void {
    if (value === null || value === undefined) return;
    for (const [name, steps] of Object.entries(this.#options.wanted)) {
      if (matches(steps, this.#outline.keys)) this.values.set(name, value);
    }
  }
}

/** What the parser says of a syntax error, in words for people: the character and its byte, counted from 0. */
export function syntaxProblem({ message }: Error): string {
  return message
    .replace(/ at chunk position "?\d+"? \(absolute position "?(\d+)"?\)/, ' at byte $1')
    .replace(/ in state \w+/, '')
    .replace(/\.$/, '')
    .replace(/\p{Cc}/gu, '?')
    .slice(0, 200);
}
