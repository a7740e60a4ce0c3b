import { Tokenizer } from '@streamparser/json';

/** Real data is never nested deeper; a hostile feed may be, by millions of levels. */
export const MAX_DEPTH = 200;

/** Returns a number, or the text of a number that JavaScript would change: two large ids never become one. */
export function exactNumber(text: string): number | string {
  const value = Number(text);
  const isExact = /[.eE]/.test(text) ? Number.isFinite(value) : Number.isSafeInteger(value);
  return isExact ? value : text;
}

/** Tokenizes JSON text in chunks, with exact numbers. */
export class ExactTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    // The library passes the value through; only its type is limited to numbers.
    return exactNumber(text) as number;
  }
}

/**
 * Parses a whole JSON text (RFC 8259), with exact numbers.
 * @throws SyntaxError with a message of one line, also if the text is nested too deeply
 */
export function parseExactly(text: string): unknown {
  const value = parse(text);
  if (isDeeper(value, MAX_DEPTH)) throw new SyntaxError(`it is nested more than ${MAX_DEPTH} levels deep`);
  return value;
}

function parse(text: string): unknown {
  try {
    // Only such texts can have an inexact number. Looking at each value would be slow.
    return /\d{16}|[eE][+-]?\d{3}/.test(text) ? JSON.parse(text, keepExact) : JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(error.message.replace(/\p{Cc}/gu, '?').slice(0, 200), { cause: error });
  }
}

function keepExact(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? exactNumber(context.source) : value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeper(child, levels - 1));
}
