import { type ParsedTokenInfo, TokenParser, TokenType } from '@streamparser/json';
import { CodedError } from '../../src/core/errors.ts';
import { createEnvelope, type Envelope } from './envelope.ts';
import { ExactTokenizer, MAX_DEPTH } from './exact-numbers.ts';
import type { ItemContainer, ItemFinder } from './item-finder.ts';
import { formatKey, formatPath, matches, type Step } from './path.ts';
import { TokenPath } from './token-path.ts';

/**
 * Creates a parser of one JSON document (RFC 8259) that streams and holds no more than one item. Names such as `__proto__` are
 * ordinary, large integers stay exact.
 * @param wanted path of a single value outside the items
 */
export function createDocumentParser(finder: ItemFinder, wanted: readonly Step[] | undefined, location: string) {
  const found: { items: Array<{ at: string; value: unknown }>; value?: string | number | boolean; envelope: Envelope } =
    { items: [], envelope: createEnvelope() };
  const tokenizer = new ExactTokenizer({ stringBufferSize: 4096 });
  /** Checks the document, with null in the place of each item, and keeps nothing. */
  const envelope = new TokenParser({ paths: ['$.never.emitted'], keepStack: false });
  /** Builds one item after the other. */
  const item = new TokenParser({ paths: ['$'], separator: '' });
  const path = new TokenPath();
  /** The open container that has or may have the items: its depth, and its path for people. */
  let container: { of: ItemContainer; depth: number; place: string } | undefined;
  /** Containers open inside the current item. */
  let openInItem = 0;

  tokenizer.onToken = (token) => (openInItem > 0 ? continueItem(token) : follow(token));
  item.onValue = ({ value }) => {
    found.items.push({ at: `${container?.place ?? '$'}${formatKey(path.key ?? 0)}`, value });
  };

  return {
    /** The completed items that were not taken yet, the wanted value, and what the page declares about itself. */
    found,
    /**
     * @throws TokenizerError or TokenParserError at the first character that is not JSON; CodedError FF_FEED_FORMAT if the
     * document is nested too deeply
     */
    write: (text: string) => tokenizer.write(text),
    end,
  };

  /** Ends the text. @returns whether the document was complete */
  function end(): boolean {
    try {
      if (!tokenizer.isEnded) tokenizer.end();
      return envelope.isEnded;
    } catch {
      return false;
    }
  }

  function follow(token: ParsedTokenInfo): void {
    const kind = path.kindOf(token);
    if (container?.depth === path.depth && kind !== 'name' && kind !== 'punctuation') {
      envelope.write({ token: TokenType.NULL, value: null });
      if (kind !== 'value') openInItem = 1;
      container.of.items += 1;
      if (!container.of.isOther) item.write(token);
      return;
    }
    const { keys } = path;
    if (kind === 'object' || kind === 'list') {
      checkDepth(keys.length + 1);
      const opened = finder.open(kind, keys);
      if (opened) {
        container = { of: opened, depth: keys.length + 1, place: formatPath(keys) };
        if (finder.isGuess) found.items.length = 0;
      }
    } else if (kind === 'value') {
      if (wanted && matches(wanted, keys)) found.value = token.value ?? found.value;
      if (container === undefined) found.envelope.add(keys, token.value);
      finder.addValue(keys, token.value);
    }
    envelope.write(token);
    path.follow(token);
    if (kind === 'name') finder.addName(path.keys);
    if (container !== undefined && path.depth < container.depth) container = undefined;
  }

  function continueItem(token: ParsedTokenInfo): void {
    if (token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET) {
      openInItem += 1;
      checkDepth(path.depth + openInItem);
    } else if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) {
      openInItem -= 1;
    }
    if (!container?.of.isOther) item.write(token);
  }

  function checkDepth(depth: number): void {
    if (depth <= MAX_DEPTH) return;
    throw new CodedError('FF_FEED_FORMAT', `${location} is nested more than ${MAX_DEPTH} levels deep.`);
  }
}
