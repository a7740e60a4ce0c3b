import { type ParsedTokenInfo, Tokenizer, TokenParser } from '@streamparser/json';

/** Integers that JavaScript would round stay as they are written, as strings: two large ids never become one. */
class ExactTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    const value = Number(text);
    const exact = /[.eE]/.test(text) ? Number.isFinite(value) : Number.isSafeInteger(value);
    // The library passes on what this returns; its type knows numbers only.
    return (exact ? value : text) as number;
  }
}

export interface JsonReaderOptions {
  /** The values wanted are this many steps below the root; all others are forgotten as soon as they are read. */
  depth: number;
  /** Sees every token before it is parsed. */
  onToken(token: ParsedTokenInfo): void;
  /** Gets each wanted value once it is complete. */
  onValue(value: unknown): void;
}

export interface JsonReader {
  /** @throws TokenizerError or TokenParserError at the first character that is not JSON, and what `onToken` throws. */
  write(text: string): void;
  /** Ends the text. @returns whether the document was whole. */
  end(): boolean;
}

/** A streaming JSON reader (RFC 8259): names such as `__proto__` are ordinary, large integers stay exact. */
export function createJsonReader({ depth, onToken, onValue }: JsonReaderOptions): JsonReader {
  const tokenizer = new ExactTokenizer();
  const parser = new TokenParser({ paths: [`$${'.*'.repeat(depth)}`], keepStack: false });
  parser.onValue = ({ value }) => onValue(value);
  tokenizer.onToken = (token) => {
    onToken(token);
    parser.write(token);
  };
  return {
    write: (text) => tokenizer.write(text),
    end: () => {
      try {
        if (!tokenizer.isEnded) tokenizer.end();
        return parser.isEnded;
      } catch {
        return false;
      }
    },
  };
}

/** What the parser says of a syntax error, in words for people: the character and its byte, counted from 0. */
export function syntaxProblem({ message }: Error): string {
  return message
    .replace(/ at chunk position "?\d+"? \(absolute position "?(\d+)"?\)/, ' at byte $1')
    .replace(/ in state \w+/, '')
    .replace(/\.$/, '')
    .slice(0, 200);
}
